"""What is known while a query is gone through: what variables hold, and the context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from millstream.languages.xquery import syntax
from millstream.languages.xquery.standing.gathered import NONE, Spots


@dataclass(frozen=True, slots=True)
class Scope:
    """What variables hold, and what the context is."""

    variables: Mapping[str, Spots]
    later: Mapping[str, tuple[syntax.Expression, Scope]]
    """Variables that hold many nodes: each use of one is a path of its own."""
    context: Spots = NONE

    def bind(self, name: str, spots: Spots) -> Scope:
        later = {key: value for key, value in self.later.items() if key != name}
        return Scope({**self.variables, name: spots}, later, self.context)

    def postpone(self, name: str, value: syntax.Expression) -> Scope:
        variables = {key: each for key, each in self.variables.items() if key != name}
        return Scope(variables, {**self.later, name: (value, self)}, self.context)

    def inside(self, context: Spots) -> Scope:
        return Scope(self.variables, self.later, context)
