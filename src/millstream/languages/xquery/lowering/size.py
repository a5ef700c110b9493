"""A limit on what variables and functions may unfold to."""

from __future__ import annotations

from dataclasses import dataclass, field

from millstream.algebra.children import children
from millstream.algebra.expressions import CONTEXT, Expression, PathTo
from millstream.errors import Span, UnsupportedError

LARGEST = 20_000
"""How many nodes an expression may have once its variables are written out."""
DEEPEST = 150
"""How deep it may nest."""


@dataclass(frozen=True, slots=True)
class Measure:
    """The extent of an expression."""

    size: int
    depth: int
    asks_context: bool
    """True if it uses the context item of its surroundings."""


@dataclass(slots=True)
class Measures:
    """Measures expressions, those that variables stand for once."""

    _known: dict[int, tuple[Expression, Measure]] = field(default_factory=dict)

    def checked(self, expression: Expression, span: Span) -> Measure:
        """The measure of an expression; an error if it is too large or too deep to work with."""
        measure = self._measure(expression)
        if measure.size > LARGEST or measure.depth > DEEPEST:
            raise UnsupportedError(
                "this grows too large once its variables and functions are written out",
                code="too-large",
                span=span,
                help=f"at most {LARGEST} operations, nested at most {DEEPEST} deep",
            )
        # The expression is kept with its measure, so that its identity is not given to another.
        self._known[id(expression)] = (expression, measure)
        return measure

    def _measure(self, expression: Expression) -> Measure:
        if id(expression) in self._known:
            return self._known[id(expression)][1]
        inside = [self._measure(child) for child in children(expression)]
        if isinstance(expression, PathTo):
            # The predicates of a path have a context item of their own.
            asks = expression.variable == CONTEXT
        else:
            asks = any(each.asks_context for each in inside)
        size = 1 + sum(each.size for each in inside)
        depth = 1 + max((each.depth for each in inside), default=0)
        return Measure(size, depth, asks)
