"""The values that atoms relate: the nodes of a predicate graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from millstream.algebra.expressions import Expression, Literal
from millstream.sharing.predicates.variables import Variable

Weight = int | Fraction
"""An exact number; an integer wherever it is one, which is faster."""


class Kind(Enum):
    """As what two values are compared."""

    NUMBER = "number"
    TIME = "time"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Sum:
    """A value and a constant, added in doubles: the result may be rounded."""

    base: Term
    addend: Weight


@dataclass(frozen=True, slots=True)
class Term:
    """A value by its name: a variable, or a number that is computed from variables."""

    name: str
    kind: Kind = Kind.NUMBER
    integer: bool = False
    doubtful: bool = False
    """True if it may be NaN, which is unequal to everything and related to nothing else."""
    expression: Expression = field(default=Literal(0), compare=False, repr=False)
    variables: tuple[Variable, ...] = field(default=(), compare=False, repr=False)
    needed: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """The variables that exist if this does."""
    label: str = field(default="", compare=False, repr=False)
    """What people read, if it is not the name."""
    sum: Sum | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return self.label or self.name


ZERO = Term("0", integer=True)
"""The node that constants are measured from."""


def size(weight: Weight) -> Weight:
    """A number without its sign."""
    return -weight if weight < 0 else weight


def exact(value: Fraction) -> Weight:
    """The number, as an integer if it is one."""
    return value.numerator if value.denominator == 1 else value
