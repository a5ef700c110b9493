"""Expressions in names that no query chose, so that those of different queries can be compared."""

from __future__ import annotations

from dataclasses import dataclass

from millstream.algebra.expressions import CONTEXT, Compare, Expression, Literal, PathTo
from millstream.algebra.scopes import free_variables, rename
from millstream.algebra.show import show
from millstream.algebra.walk import subexpressions
from millstream.errors import InternalError
from millstream.sharing.predicates.atoms import MIRRORED, Opaque
from millstream.sharing.predicates.variables import ITEM, Resolve, Variable


@dataclass(frozen=True, slots=True)
class Naming:
    """Names what expressions speak of."""

    resolve: Resolve

    def key(self, expression: Expression) -> Expression | None:
        """The expression in such names; None if a variable of it has none."""
        names = {}
        for variable in free_variables(expression):
            known = self.resolve(PathTo(variable))
            if known is None:
                return None
            # No query can name a variable so.
            names[variable] = f"${known.name}"
        return rename(expression, names)

    def variables(self, expression: Expression) -> tuple[Variable, ...]:
        """The variables that an expression mentions."""
        paths = (each for each in subexpressions(expression) if isinstance(each, PathTo))
        found = (self.resolve(path) for path in paths)
        return tuple(dict.fromkeys(each for each in found if each is not None))

    def shown(self, expression: Expression) -> str:
        """The expression for people: paths start at the item, aggregates have their names."""
        names = {}
        for variable in free_variables(expression):
            known = self.resolve(PathTo(variable))
            if known is not None:
                names[variable] = CONTEXT if known.name == ITEM else known.name
        try:
            text = show(rename(expression, names))
        except InternalError:
            # A predicate inside a path speaks of the whole item.
            return show(expression)
        for name in names.values():
            text = text.replace(f"${name}", name)
        return text

    def opaque(self, expression: Expression, asks: Variable | None = None) -> Opaque:
        """The condition as one of which nothing is known."""
        key = self.key(_mirrored(expression))
        return Opaque(
            key or expression,
            expression,
            self.variables(expression),
            asks.name if asks else None,
            identity=None if key is not None else object(),
            label=self.shown(expression),
        )


def _mirrored(expression: Expression) -> Expression:
    """A comparison with its constant on the right."""
    match expression:
        case Compare(operator, Literal() as left, right) if not isinstance(right, Literal):
            return Compare(MIRRORED[operator], right, left)
        case _:
            return expression
