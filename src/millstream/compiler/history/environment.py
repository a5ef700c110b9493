"""What an expression sees where it is compiled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from millstream.algebra.xcql.expressions import Expression
from millstream.algebra.xcql.walk import variables
from millstream.compiler.history.frames import Frame
from millstream.compiler.history.sequences import Sequence


@dataclass(frozen=True)
class Environment:
    """Variables, the context item, and the rows in which they are known."""

    frame: Frame
    variables: Mapping[str, Sequence]
    context: Sequence | None = None
    position: str | None = None
    last: str | None = None
    versions: str | None = None
    """How many versions there are, inside the brackets of a version projection."""
    local: frozenset[str] = frozenset()
    """Variables that range over elements of arrays, inside a row."""
    context_is_local: bool = False

    def bind(self, name: str, value: Sequence, *, local: bool = False) -> Environment:
        names = self.local | {name} if local else self.local
        return replace(self, variables={**self.variables, name: value}, local=names)

    def within(self, context: Sequence, position: str, last: str, local: bool) -> Environment:
        """The environment of a predicate."""
        return replace(self, context=context, position=position, last=last, context_is_local=local)

    def is_local(self, expression: Expression) -> bool:
        """True if an expression depends on what is known inside a row only."""
        return bool(variables(expression) & self.local)
