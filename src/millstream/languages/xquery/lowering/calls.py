"""Function calls: the library, aggregates of windows, and functions that the query declares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from millstream.algebra.expressions import Call, Literal, PathTo, Sequence
from millstream.algebra.functions import AGGREGATES, FUNCTIONS, NUMERIC_AGGREGATES, Function, Gives
from millstream.algebra.operators import AggregateFunction
from millstream.errors import QueryError, UnsupportedError, did_you_mean
from millstream.languages.xquery import syntax
from millstream.languages.xquery.lowering.paths import SOURCES
from millstream.languages.xquery.lowering.scope import Scope, Typed
from millstream.languages.xquery.lowering.values import ValueLowering
from millstream.model.schema import ValueType

KNOWN_ELSEWHERE = frozenset(
    (
        *("position", "last", "subsequence", "string-join", "boolean", "reverse", "index-of"),
        *("matches", "replace", "tokenize", "translate", "compare", "deep-equal", "root", "id"),
        *("current-dateTime", "current-date", "current-time", "insert-before", "remove"),
        *("substring-before", "substring-after", "one-or-more", "node-name", "trace", "error"),
    )
)
"""Functions of XQuery that are not part of the library."""

_INSTEAD = {
    "position": "write the position itself, as in $p/obs[1], or [position() = 1]",
    "last": "positions can be counted from the front only",
    "string-join": "use concat(), or an attribute or element with the values inside",
    "boolean": "use exists() or not()",
}
_NUMBERS = (ValueType.INTEGER, ValueType.DECIMAL, ValueType.DOUBLE)


TAGS = Function("tags", 1, 1, Gives.VALUES, "the contents of the tags on an item")
"""Of streams; for histories it is not a function of the library but one of their own."""


class CallLowering(ValueLowering):
    """Lowers function calls."""

    def named_call(self, call: syntax.FunctionCall, scope: Scope, name: str) -> Typed:
        return self.call(call, scope, name)

    def call(self, call: syntax.FunctionCall, scope: Scope, name: str | None = None) -> Typed:
        """What a call gives; a name is what an aggregate of a window shall be called."""
        if call.name in self.functions:
            return self._declared(call, self.functions[call.name], scope)
        if call.name == TAGS.name:
            (item,) = self._arguments(call, TAGS, scope)
            return _tags(item, scope)
        function = _library(call, self.functions)
        if function.name in ("true", "false"):
            _check_count(call, function, len(call.arguments))
            return Typed(Literal(function.name == "true"))
        arguments = self._arguments(call, function, scope)
        if function.name in AGGREGATES:
            _check_aggregated(call, function, arguments[0])
            found = _of_window(function, arguments[0], scope, name)
            if found is not None:
                return found
        return _called(function, arguments)

    def _arguments(
        self, call: syntax.FunctionCall, function: Function, scope: Scope
    ) -> tuple[Typed, ...]:
        arguments = tuple(self.value(each, scope) for each in call.arguments)
        if not arguments and function.takes_context:
            return (scope.context_item(call.span),)
        if function.name in ("min", "max") and len(arguments) > 1:
            parts = tuple(each.expression for each in arguments)
            return (Typed(Sequence(parts), None, None, many=True),)
        _check_count(call, function, len(arguments))
        return arguments

    def _declared(
        self, call: syntax.FunctionCall, declared: syntax.FunctionDeclaration, scope: Scope
    ) -> Typed:
        """The body of a declared function, with its parameters replaced by the arguments."""
        if call.name in scope.calls:
            raise UnsupportedError(
                f"{call.name}() calls itself, which is not supported", span=call.span
            )
        if len(call.arguments) != len(declared.parameters):
            raise QueryError(
                f"{call.name}() takes {len(declared.parameters)} arguments, "
                f"here it has {len(call.arguments)}",
                code="arity",
                span=call.span,
            )
        inner = replace(
            scope, variables=self.variables, context=None, calls=(*scope.calls, call.name)
        )
        for parameter, argument in zip(declared.parameters, call.arguments, strict=True):
            inner = inner.bind(parameter.name, self.value(argument, scope), argument.span)
        return self.value(declared.body, inner)


def _library(
    call: syntax.FunctionCall, declared: Mapping[str, syntax.FunctionDeclaration]
) -> Function:
    name = call.name.removeprefix("fn:")
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    if name in KNOWN_ELSEWHERE:
        raise UnsupportedError(
            f"{name}() is not supported", span=call.span, help=_INSTEAD.get(name)
        )
    raise QueryError(
        f"no function is named {call.name}()",
        code="unknown-function",
        span=call.span,
        help=did_you_mean(name, (*FUNCTIONS, TAGS.name, *declared, *SOURCES)),
    )


def _check_count(call: syntax.FunctionCall, function: Function, count: int) -> None:
    if not function.accepts(count):
        noun = "argument" if function.arity == "1" else "arguments"
        raise QueryError(
            f"{function.name}() takes {function.arity} {noun}, here it has {count}",
            code="arity",
            span=call.span,
        )


def _check_aggregated(call: syntax.FunctionCall, function: Function, argument: Typed) -> None:
    """An error if an aggregate is asked of what has no such values."""
    if function.name == "count":
        return
    span = call.arguments[0].span
    place = argument.place
    if place is not None and place.type is None and place.element is not None:
        raise QueryError(f"{place} holds elements, which have no {function.name}()", span=span)
    if function.name not in NUMERIC_AGGREGATES or argument.type in (None, *_NUMBERS):
        return
    what = "this" if place is None else str(place)
    kind = "text" if argument.type is ValueType.TEXT else "a time"
    raise QueryError(
        f"{what} is {kind}, which has no {function.name}()",
        code="type",
        span=span,
        help=None if place is None else f"if it is a number, say so: --set {place.option}=decimal",
    )


def _tags(item: Typed, scope: Scope) -> Typed:
    """The contents of the tags on an item, or on all items of a window."""
    contents = Call("tag:contents", (item.expression,))
    source = item.expression
    if isinstance(source, PathTo) and not source.steps:
        found = _aggregate(AggregateFunction.CONTENTS, item, scope, None)
        contents = contents if found is None else Call("tag:listed", (found.expression,))
    return Typed(contents, None, ValueType.TEXT, many=True)


def _of_window(function: Function, argument: Typed, scope: Scope, name: str | None) -> Typed | None:
    """The variable that holds an aggregate over the contents of a window, if it is one."""
    return _aggregate(AggregateFunction(function.name), argument, scope, name)


def _aggregate(
    asked: AggregateFunction, argument: Typed, scope: Scope, name: str | None
) -> Typed | None:
    source = argument.expression
    if not isinstance(source, PathTo) or source.variable not in scope.aggregates.windows:
        return None
    if any(step.predicates for step in source.steps):
        return None
    found = scope.aggregates.found(asked, source)
    if found is None:
        last = source.steps[-1].name.lstrip("@") if source.steps else source.variable
        variable = scope.names.new(name or f"{asked.value}_{last}")
        found = scope.aggregates.add(variable, asked, source, argument.type)
    return Typed(PathTo(found.variable), None, found.type)


def _called(function: Function, arguments: tuple[Typed, ...]) -> Typed:
    call = Call(function.name, tuple(argument.expression for argument in arguments))
    first = arguments[0]
    match function.gives:
        case Gives.SAME if function.name in AGGREGATES:
            return Typed(call, None, first.type)
        case Gives.SAME:
            return Typed(call, first.place, first.type)
        case Gives.VALUES:
            return Typed(call, None, first.type or ValueType.TEXT, first.many)
        case Gives.TRUTH:
            return Typed(call)
        case Gives.TEXT:
            return Typed(call, None, ValueType.TEXT)
        case Gives.NUMBER:
            return Typed(call, None, _number_type(function, first))


def _number_type(function: Function, argument: Typed) -> ValueType:
    if function.name in ("count", "string-length"):
        return ValueType.INTEGER
    if function.name == "number":
        return ValueType.DOUBLE
    return argument.type if argument.type in _NUMBERS else ValueType.DOUBLE
