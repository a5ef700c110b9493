"""The conditions of a loop: on its own rows, or together with those of a loop around it."""

from __future__ import annotations

from dataclasses import dataclass, field

from millstream.algebra.xcql.expressions import Expression
from millstream.algebra.xcql.walk import variables
from millstream.compiler.history.frames import Frame


@dataclass
class Conditions:
    """Takes conditions in; those that depend on outer variables wait for the join."""

    frame: Frame
    outer: frozenset[str] = frozenset()
    residual: list[str] = field(default_factory=list)
    _waiting: list[str] = field(default_factory=list)
    mixed: set[str] = field(default_factory=set)
    """Variables of the loop whose values depend on outer ones."""

    def depends(self, expression: Expression) -> bool:
        """True if an expression depends on what is outside the loop."""
        return bool(variables(expression) & (self.outer | self.mixed))

    def add(self, condition: str, expression: Expression) -> None:
        if self.depends(expression):
            self.residual.append(condition)
        else:
            self._waiting.append(condition)
            self.apply()

    def apply(self) -> None:
        """Leave out the rows that do not meet the conditions so far."""
        if self._waiting:
            self.frame.filter(" AND ".join(f"({each})" for each in self._waiting))
            self._waiting.clear()

    @property
    def has_residual(self) -> bool:
        return bool(self.residual)
