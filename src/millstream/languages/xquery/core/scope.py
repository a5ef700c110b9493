"""What names mean at a place in a query over histories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from millstream.algebra.xcql.expressions import Context, Expression, Places

NOWHERE: Places = frozenset()


class Lowered(NamedTuple):
    """An expression, and the places at which its elements stand; none for values."""

    expression: Expression
    places: Places = NOWHERE


@dataclass(frozen=True, slots=True)
class Scope:
    """The variables and the context item that an expression sees."""

    variables: Mapping[str, Lowered] = field(default_factory=dict)
    context: Lowered | None = None
    counts_versions: bool = False
    calls: tuple[str, ...] = ()
    """The declared functions whose bodies surround this place."""

    def bind(self, name: str, meaning: Lowered) -> Scope:
        """This scope with one more variable."""
        return replace(self, variables={**self.variables, name: meaning})

    def within(self, places: Places) -> Scope:
        """The scope of a predicate on elements at some places."""
        return replace(self, context=Lowered(Context(), places), counts_versions=False)
