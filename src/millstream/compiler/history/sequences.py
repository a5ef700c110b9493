"""Values of expressions as SQL: atoms, constructed elements, stored nodes, and rows of these."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum

from millstream.compiler.history.spots import Spot


class Type(Enum):
    """The types of atoms, by those of the SQL that holds them."""

    UNTYPED = "STRING"
    TEXT = "STRING "
    INTEGER = "BIGINT"
    DECIMAL = "DECIMAL(38,18)"
    DOUBLE = "DOUBLE"
    TRUTH = "BOOLEAN"
    TIME = "BIGINT "
    """Microseconds since 1970."""
    FINE_TIME = "BIGINT   "
    """Nanoseconds since 1970: what a number of seconds makes of a time."""
    DURATION = "BIGINT  "
    """Microseconds."""

    @property
    def numeric(self) -> bool:
        return self in (Type.INTEGER, Type.DECIMAL, Type.DOUBLE)

    @property
    def textual(self) -> bool:
        return self in (Type.UNTYPED, Type.TEXT)


class Role(Enum):
    """What atoms are the values of."""

    VALUE = "value"
    ELEMENT = "element"
    TEXT_NODE = "text node"
    ATTRIBUTE = "attribute"


@dataclass(frozen=True, slots=True)
class Atoms:
    """Values of one type: one that is null if there is none, or an array without nulls."""

    sql: str
    type: Type
    one: bool = True
    role: Role = Role.VALUE
    name: str = ""
    """That of an attribute."""
    count: str | None = None
    """How many there are, if that is known without looking at them."""


@dataclass(frozen=True, slots=True)
class Made:
    """Constructed elements as XML text: one, or an array."""

    sql: str
    one: bool = True
    count: str | None = None


@dataclass(frozen=True, slots=True)
class Nodes:
    """Stored nodes: one that may be absent, or an array of what tells each of them."""

    make: Callable[[str], Spot]
    """The spot of an element of the array, by its name in SQL."""
    array: str | None = None
    present: str | None = None
    """Of one node: whether it is there, if that is not sure."""
    guarded: bool = False
    """True if one node may be left out though its columns have values, as a condition says."""
    contained: bool = False
    """True if elements of the array say all, and need nothing that they were reached through."""
    required: bool = False
    """True if it is an error that there is none."""
    key: Callable[[str], str] | None = None
    """Where an element of the array stands among all nodes below the same one, if that is known."""
    count: str | None = None

    @classmethod
    def one(cls, spot: Spot, present: str | None = None) -> Nodes:
        return cls(lambda _: spot, None, present)

    @property
    def spot(self) -> Spot:
        """The spot of the one node."""
        return self.make("")


@dataclass(frozen=True, slots=True)
class Chain:
    """Sequences one after the other."""

    parts: tuple[Sequence, ...] = ()
    ordered: bool = True
    """False if its nodes are not in document order: their keys tell it, if they have some."""


Sequence = Atoms | Made | Nodes | Chain

NOTHING = Chain()


def when(condition: str, found: Sequence) -> Sequence:
    """A sequence where a condition holds, nothing elsewhere."""
    match found:
        case Atoms(sql, one=True) | Made(sql, True):
            return replace(found, sql=f"if({condition}, {sql}, NULL)")
        case Atoms(sql, one=False) | Made(sql, False):
            return replace(found, sql=f"if({condition}, {sql}, array())", count=None)
        case Nodes(array=None, present=present):
            both = condition if present is None else f"({condition}) AND ({present})"
            return replace(found, present=both, guarded=True)
        case Nodes(array=str(array)):
            return replace(found, array=f"if({condition}, {array}, array())", count=None)
        case Chain(parts):
            return replace(found, parts=tuple(when(condition, each) for each in parts))
    raise AssertionError("sequences are of four kinds")


def leaves(sequence: Sequence) -> tuple[Atoms | Made | Nodes, ...]:
    """The parts of a sequence that are no chains."""
    if not isinstance(sequence, Chain):
        return (sequence,)
    return tuple(leaf for part in sequence.parts for leaf in leaves(part))
