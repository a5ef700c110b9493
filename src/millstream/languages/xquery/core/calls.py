"""Function calls: those of the library by name, declared ones by what they say."""

from __future__ import annotations

from millstream.algebra.functions import FUNCTIONS
from millstream.algebra.xcql import expressions as core
from millstream.languages.xquery import syntax
from millstream.languages.xquery.core.base import LoweringBase
from millstream.languages.xquery.core.scope import Lowered, Scope
from millstream.languages.xquery.translation.calls import HISTORY_FUNCTIONS, TYPES, is_atomic
from millstream.model.user_functions import registered

_SAME_NODES = frozenset({"zero-or-one", "exactly-one", "one-or-more", "reverse", "subsequence"})
_DEEPEST = 12
"""Calls within calls that are written out."""


class CallLowering(LoweringBase):
    """Lowers function calls."""

    def call(self, asked: syntax.FunctionCall, scope: Scope) -> Lowered:
        if asked.name in self.functions:
            return self._declared(asked, scope)
        if asked.name in TYPES:
            operand = self.plain(asked.arguments[0], scope)
            return Lowered(core.Cast(asked.name, operand, span=asked.span))
        if asked.name in registered():
            given = tuple(self.plain(each, scope) for each in asked.arguments)
            return Lowered(core.UserCall(asked.name, given, span=asked.span))
        name = asked.name.removeprefix("fn:")
        arguments = tuple(self.lowered(each, scope) for each in asked.arguments)
        if name in ("min", "max") and len(arguments) > 1:
            together = core.Sequence(tuple(each.expression for each in arguments))
            arguments = (Lowered(together),)
        if not arguments and self._takes_context(name):
            if scope.context is None:
                return self.untranslated(asked, "there is no context item")
            arguments = (scope.context,)
        if name in ("position", "last") and (
            scope.context is None or not isinstance(scope.context.expression, core.Context)
        ):
            return self.untranslated(asked, "a position outside a predicate")
        expressions = tuple(each.expression for each in arguments)
        places = arguments[0].places if name in _SAME_NODES else frozenset[core.Place]()
        return Lowered(core.Call(name, expressions, span=asked.span), places)

    def _takes_context(self, name: str) -> bool:
        function = FUNCTIONS.get(name) or HISTORY_FUNCTIONS.get(name)
        return function is not None and function.takes_context

    def _declared(self, asked: syntax.FunctionCall, scope: Scope) -> Lowered:
        """A declared function: its body, with the arguments as variables."""
        if asked.name in scope.calls or len(scope.calls) >= _DEEPEST:
            return self.untranslated(asked, "a function that calls itself")
        declared = self.functions[asked.name]
        inner = Scope(self.globals.variables, calls=(*scope.calls, asked.name))
        lets: list[core.For | core.Let] = []
        for parameter, argument in zip(declared.parameters, asked.arguments, strict=True):
            found = self.lowered(argument, scope)
            value = self._typed(found.expression, parameter.type)
            if value is None:
                return self.untranslated(asked, "a parameter of many values of one type")
            if isinstance(found.expression, core.Variable) and value == found.expression:
                inner = inner.bind(parameter.name, found)
                continue
            name = self.names.fresh(parameter.name)
            lets.append(core.Let(name, value))
            places = frozenset[core.Place]() if is_atomic(parameter.type) else found.places
            inner = inner.bind(parameter.name, Lowered(core.Variable(name), places))
        body = self.lowered(declared.body, inner)
        result = self._typed(body.expression, declared.type)
        if result is None:
            return self.untranslated(asked, "a function of many values of one type")
        places = frozenset[core.Place]() if is_atomic(declared.type) else body.places
        if not lets:
            return Lowered(result, places)
        return Lowered(core.Loop(tuple(lets), result, span=asked.span), places)

    def _typed(
        self, value: core.Expression, declared: syntax.SequenceType | None
    ) -> core.Expression | None:
        if declared is None or not is_atomic(declared):
            return value
        if declared.occurrence in ("*", "+"):
            return None
        return core.Cast(declared.item, value)

    globals = Scope()
    """What the query declares for all of it."""
