"""Function calls: the library of XQuery, times, and functions that the query declares."""

from __future__ import annotations

from collections.abc import Mapping

from millstream.algebra.functions import FUNCTIONS, Function, Gives
from millstream.errors import QueryError, UnsupportedError, did_you_mean
from millstream.languages.xquery import syntax
from millstream.languages.xquery.lowering.calls import KNOWN_ELSEWHERE
from millstream.languages.xquery.translation.naming import PREFIX, call
from millstream.languages.xquery.translation.paths import SOURCES, PathTranslation
from millstream.languages.xquery.translation.scope import Scope
from millstream.languages.xquery.translation.shape import (
    ANYTHING,
    NUMBER,
    TEXT,
    TIME,
    TRUTH,
    Kind,
    Shape,
    Translated,
    union,
)
from millstream.languages.xquery.translation.tagged import TAGGED
from millstream.languages.xquery.translation.times import TimeTranslation, may_live
from millstream.model.user_functions import UserFunction, ValueForm, registered

LIFESPAN_ENDS = ("vtFrom", "vtTo")
TAGS = "tags"

_number, _text, _truth = Gives.NUMBER, Gives.TEXT, Gives.TRUTH
HISTORY_FUNCTIONS: Mapping[str, Function] = {
    function.name: function
    for function in (
        Function("vtFrom", 1, 1, Gives.VALUES, "when an element begins", takes_context=True),
        Function("vtTo", 1, 1, Gives.VALUES, "when an element ends", takes_context=True),
        Function(TAGS, 1, 1, Gives.VALUES, "the contents of the tags on an item"),
        Function("position", 0, 0, _number, "the place of the context item"),
        Function("last", 0, 0, _number, "how many items there are beside it"),
        Function("one-or-more", 1, 1, Gives.SAME, "the argument, which is not empty"),
        Function("boolean", 1, 1, _truth, "true unless false, empty, 0 or ''"),
        Function("string-join", 1, 2, _text, "the texts with another between them"),
        Function("subsequence", 2, 3, Gives.SAME, "from a position, for a length"),
        Function("reverse", 1, 1, Gives.SAME, "the last one first"),
        Function("math:pi", 0, 0, _number, "3.14159…"),
        *(
            Function(f"math:{name}", 1, 1, _number, "as its name says")
            for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log")
        ),
        Function("math:atan2", 2, 2, _number, "the angle of a point"),
        Function("math:pow", 2, 2, _number, "a power"),
    )
}
"""Functions that queries over histories have beside the library."""

TYPES: Mapping[str, Shape] = {
    "xs:dateTime": TIME,
    "xs:date": TIME,
    "xs:duration": Shape.of(Kind.DURATION),
    "xs:dayTimeDuration": Shape.of(Kind.DURATION),
    "xs:yearMonthDuration": Shape.of(Kind.DURATION),
    "xs:integer": NUMBER,
    "xs:decimal": NUMBER,
    "xs:double": NUMBER,
    "xs:float": NUMBER,
    "xs:string": TEXT,
    "xs:boolean": TRUTH,
}
"""Atomic types, which are functions as well."""

_USER_SHAPES: Mapping[str, Shape] = {
    "float": NUMBER,
    "integer": NUMBER,
    "text": TEXT,
    "truth": TRUTH,
    "time": TIME,
}
_USER_TYPES = {"float": "xs:double", "integer": "xs:integer", "truth": "xs:boolean"}

_OF_NODES = frozenset(
    (
        *("count", "empty", "exists", "not", "boolean", "name", "local-name"),
        *("zero-or-one", "exactly-one", "one-or-more", "subsequence", "reverse"),
    )
)
"""Functions that ask about items, not about their text."""


class CallTranslation(PathTranslation, TimeTranslation):
    """Translates function calls."""

    functions: Mapping[str, syntax.FunctionDeclaration]

    def call(self, asked: syntax.FunctionCall, scope: Scope) -> Translated:
        if asked.name == TAGGED:
            (nodes,) = asked.arguments
            tagged = call("tagged", self.translated(nodes, scope).expression)
            return Translated(tagged, Shape.of(Kind.MADE))
        if asked.name in self.functions:
            return self._declared(asked, scope)
        if asked.name in TYPES:
            return self._typed(asked, scope)
        if asked.name in registered():
            return self._registered(asked, registered()[asked.name], scope)
        function = self._library(asked)
        if not asked.arguments and function.takes_context:
            return self._of_context(asked, function, scope)
        if function.name in LIFESPAN_ENDS:
            _check_count(asked, function)
            found = self.translated(asked.arguments[0], scope)
            return self.ends(function.name, found, asked.span)
        if function.name == TAGS:
            return self._tags(asked, function, scope)
        return self._called(asked, function, scope)

    def _tags(self, asked: syntax.FunctionCall, function: Function, scope: Scope) -> Translated:
        _check_count(asked, function)
        found = self.translated(asked.arguments[0], scope)
        if not may_live(found.shape):
            raise QueryError("tags() is asked of items, and this is none", span=asked.span)
        return Translated(call(TAGS, found.expression), TEXT)

    def _declared(self, asked: syntax.FunctionCall, scope: Scope) -> Translated:
        declared = self.functions[asked.name]
        if len(asked.arguments) != len(declared.parameters):
            raise QueryError(
                f"{asked.name}() takes {len(declared.parameters)} arguments, "
                f"here it has {len(asked.arguments)}",
                code="arity",
                span=asked.span,
            )
        arguments = tuple(
            (
                self.value(each, scope)
                if is_atomic(parameter.type)
                else self.translated(each, scope)
            ).expression
            for each, parameter in zip(asked.arguments, declared.parameters, strict=True)
        )
        shape = shape_of_type(declared.type)
        return Translated(syntax.FunctionCall(local_name(asked.name), arguments), shape)

    def _registered(
        self, asked: syntax.FunctionCall, function: UserFunction, scope: Scope
    ) -> Translated:
        """A function of Python: its answers are looked up by the texts of its arguments."""
        if len(asked.arguments) != len(function.parameters):
            raise QueryError(
                f"{asked.name}() takes {len(function.parameters)} arguments, "
                f"here it has {len(asked.arguments)}",
                code="arity",
                span=asked.span,
            )
        given = tuple(
            call("argument", self._converted(each, form, scope))
            for each, form in zip(asked.arguments, function.parameters, strict=True)
        )
        question = call("ask", syntax.StringLiteral(function.name), syntax.Sequence(given))
        return Translated(question, _USER_SHAPES[function.result.kind])

    def _converted(
        self, argument: syntax.Expression, form: ValueForm, scope: Scope
    ) -> syntax.Expression:
        if form.kind == "text":
            return self.text(argument, scope).expression
        found = self.value(argument, scope).expression
        if form.kind == "time":
            return call("times", found)
        if not form.many:
            return syntax.FunctionCall(_USER_TYPES[form.kind], (found,))
        each = syntax.VariableReference(f"{PREFIX}:each")
        one = syntax.FunctionCall(_USER_TYPES[form.kind], (each,))
        return syntax.Flwor((syntax.For(each.name, found),), one)

    def _typed(self, asked: syntax.FunctionCall, scope: Scope) -> Translated:
        if len(asked.arguments) != 1:
            raise QueryError(f"{asked.name}() takes 1 argument", code="arity", span=asked.span)
        argument = self.value(asked.arguments[0], scope).expression
        if TYPES[asked.name] == TIME:
            return Translated(call("time", argument), TIME)
        return Translated(syntax.FunctionCall(asked.name, (argument,)), TYPES[asked.name])

    def _of_context(
        self, asked: syntax.FunctionCall, function: Function, scope: Scope
    ) -> Translated:
        """A call that asks about the context item."""
        context = Translated(syntax.ContextItem(), scope.context_shape(asked.span))
        if function.name in LIFESPAN_ENDS:
            return self.ends(function.name, context, asked.span)
        asks_text = function.name not in _OF_NODES
        whole = self.whole(context) if asks_text else context.expression
        arguments = () if whole == context.expression else (whole,)
        shape = _given(function, (context.shape,))
        return Translated(syntax.FunctionCall(asked.name, arguments), shape)

    def _called(self, asked: syntax.FunctionCall, function: Function, scope: Scope) -> Translated:
        if function.name in ("min", "max") and len(asked.arguments) > 1:
            together = syntax.Sequence(asked.arguments, span=asked.span)
            asked = syntax.FunctionCall(asked.name, (together,), span=asked.span)
        _check_count(asked, function)
        arguments = tuple(self._argument(each, function, scope) for each in asked.arguments)
        expressions = tuple(each.expression for each in arguments)
        shape = _given(function, tuple(each.shape for each in arguments))
        return Translated(syntax.FunctionCall(asked.name, expressions), shape)

    def _argument(
        self, argument: syntax.Expression, function: Function, scope: Scope
    ) -> Translated:
        if function.name in _OF_NODES:
            return self.translated(argument, scope)
        if function.gives is Gives.TEXT or function.gives is Gives.TRUTH:
            return self.text(argument, scope)
        found = self.value(argument, scope)
        if found.shape.may_be(Kind.TIME) and not found.shape.only(Kind.TIME):
            return Translated(call("times", found.expression), TIME)
        return found

    def _library(self, asked: syntax.FunctionCall) -> Function:
        name = asked.name.removeprefix("fn:")
        known = {**FUNCTIONS, **HISTORY_FUNCTIONS}
        if name in known:
            return known[name]
        if name in KNOWN_ELSEWHERE:
            raise UnsupportedError(f"{name}() is not supported", span=asked.span)
        raise QueryError(
            f"no function is named {asked.name}()",
            code="unknown-function",
            span=asked.span,
            help=did_you_mean(name, (*known, *self.functions, *registered(), *SOURCES))
            or "functions of Python are registered with millstream.function, or by --functions",
        )


def local_name(name: str) -> str:
    """The name under which a declared function is called: XQuery wants it in a namespace."""
    return f"local:{name.removeprefix('local:').replace(':', '_')}"


def is_atomic(declared: syntax.SequenceType | None) -> bool:
    """True for a type of values, not of nodes."""
    return declared is not None and declared.item in TYPES


def shape_of_type(declared: syntax.SequenceType | None) -> Shape:
    """What is known of a value whose type is declared, or not."""
    return TYPES[declared.item] if declared is not None and is_atomic(declared) else ANYTHING


def _check_count(asked: syntax.FunctionCall, function: Function) -> None:
    if not function.accepts(len(asked.arguments)):
        noun = "argument" if function.arity == "1" else "arguments"
        raise QueryError(
            f"{function.name}() takes {function.arity} {noun}, here it has {len(asked.arguments)}",
            code="arity",
            span=asked.span,
        )


def _given(function: Function, arguments: tuple[Shape, ...]) -> Shape:
    match function.gives:
        case Gives.NUMBER:
            return NUMBER
        case Gives.TEXT:
            return TEXT
        case Gives.TRUTH:
            return TRUTH
        case Gives.SAME if function.name not in ("min", "max"):
            return arguments[0]
    return _atomized(union(arguments), function)


def _atomized(shape: Shape, function: Function) -> Shape:
    """The values of items; the least or greatest of untyped ones is a number."""
    kinds = set(shape.kinds - {Kind.MADE})
    if shape.places or shape.may_be(Kind.MADE):
        kinds.add(Kind.TEXT_NODE)
    untyped = {Kind.TEXT_NODE, Kind.ATTRIBUTE}
    if function.name in ("min", "max") and kinds & untyped:
        kinds = kinds - untyped | {Kind.NUMBER}
    return Shape(kinds=frozenset(kinds))
