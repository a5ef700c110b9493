"""The syntax tree of a statement: what was written, and where.

Nodes are equal when they say the same, wherever they stand: spans do not count. Parentheses, the
spelling of words and the layout are not kept; durations are microseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from decimal import Decimal
from enum import Enum

from millstream.errors import Span
from millstream.languages.tagql.words import TagField
from millstream.model.tags.mode import Mode
from millstream.model.tags.sign import Sign

NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Node:
    """Anything that stands at a place in the text."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


# Values


@dataclass(frozen=True, slots=True)
class StringLiteral(Node):
    value: str


@dataclass(frozen=True, slots=True)
class NumberLiteral(Node):
    """A number as it was written; in lists it may begin with a minus."""

    text: str

    @property
    def value(self) -> Decimal:
        return Decimal(self.text)


@dataclass(frozen=True, slots=True)
class DurationLiteral(Node):
    microseconds: int


Literal = StringLiteral | NumberLiteral | DurationLiteral


@dataclass(frozen=True, slots=True)
class Name(Node):
    """An attribute: the steps of its path, before which its stream or alias may stand."""

    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TagReference(Node):
    """A field of the tag that is looked at; where several streams are, of which one's tag."""

    field: TagField
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Star(Node):
    """The argument of COUNT(*)."""


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A function, by its name in capitals."""

    function: str
    arguments: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Negative(Node):
    operand: Value


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """Two values with one of + - * / between them."""

    operator: str
    left: Value
    right: Value


Value = Literal | Name | TagReference | Star | Call | Negative | Arithmetic


# Conditions


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """Two values with one of = <> < <= > >= between them."""

    operator: str
    left: Value
    right: Value


@dataclass(frozen=True, slots=True)
class Like(Node):
    """A text against a pattern in which % stands for any characters and _ for one."""

    operand: Value
    pattern: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class In(Node):
    operand: Value
    choices: tuple[Literal, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Between(Node):
    operand: Value
    low: Value
    high: Value
    negated: bool = False


@dataclass(frozen=True, slots=True)
class IsNull(Node):
    operand: Value
    negated: bool = False


class RegionKind(Enum):
    """The regions, and what their numbers are."""

    RECTANGLE = ("x1", "y1", "x2", "y2")
    CIRCLE = ("x", "y", "radius")
    SQUARE = ("x", "y", "side")


@dataclass(frozen=True, slots=True)
class Region(Node):
    """A part of the plane, its edge included; a square is given by its centre."""

    kind: RegionKind
    numbers: tuple[str, ...]

    @property
    def values(self) -> tuple[Decimal, ...]:
        return tuple(map(Decimal, self.numbers))


@dataclass(frozen=True, slots=True)
class Within(Node):
    location: Value
    region: Region
    negated: bool = False


@dataclass(frozen=True, slots=True)
class ObjectReference(Node):
    """A stream's tuples, an attribute of theirs, or its value."""

    stream: str
    steps: tuple[str, ...] = ()
    of_value: bool = False

    @property
    def attribute(self) -> str:
        return "/".join(self.steps)


@dataclass(frozen=True, slots=True)
class ObjectIs(Node):
    """The tag that is looked at is attached to one of some objects."""

    objects: tuple[ObjectReference, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Equivalent(Node):
    """Two contents mean the same by the dictionary."""

    left: Value
    right: Value


@dataclass(frozen=True, slots=True)
class Similar(Node):
    """The share of objects that two contents have in common, compared with a number."""

    left: Value
    right: Value
    operator: str
    threshold: str


@dataclass(frozen=True, slots=True)
class CoOccurs(Node):
    """The number of objects that two contents have in common, compared with a number."""

    left: Value
    right: Value
    operator: str
    count: str


@dataclass(frozen=True, slots=True)
class And(Node):
    operands: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or(Node):
    operands: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not(Node):
    operand: Condition


Condition = (
    Compare
    | Like
    | In
    | Between
    | IsNull
    | Within
    | ObjectIs
    | Equivalent
    | Similar
    | CoOccurs
    | And
    | Or
    | Not
)
Expression = Value | Condition


# Statements


@dataclass(frozen=True, slots=True)
class Source(Node):
    """A stream, the name it goes by, and the length of its window in microseconds."""

    stream: str
    alias: str | None = None
    window: int | None = None

    @property
    def name(self) -> str:
        return self.alias or self.stream


@dataclass(frozen=True, slots=True)
class Column(Node):
    value: Value
    alias: str | None = None


@dataclass(frozen=True, slots=True)
class AllColumns(Node):
    """Every attribute, or every one of a source."""

    source: str | None = None


@dataclass(frozen=True, slots=True)
class GroupByNames(Node):
    names: tuple[Name, ...]


class Likeness(Enum):
    """By what tags belong to one group."""

    EQUALITY = "EQUALITY"
    DICTIONARY = "DICTIONARY"
    JACCARD = "JACCARD"
    FUNCTION = "FUNCTION"
    """By a function of a user's, which is written by its own name."""


@dataclass(frozen=True, slots=True)
class GroupByTags(Node):
    likeness: Likeness = Likeness.EQUALITY
    threshold: str | None = None
    """How alike contents of one group are at least, for JACCARD and functions."""
    untagged: bool = False
    """True when tuples without tags have a group of their own."""
    function: str | None = None
    """The user's function, by its name in capitals."""


Grouping = GroupByNames | GroupByTags


@dataclass(frozen=True, slots=True)
class OneOf(Node):
    """One of some contents, drawn for each tuple."""

    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Select(Node):
    """SELECT columns, plain or WITH TAGS."""

    columns: tuple[Column | AllColumns, ...]
    sources: tuple[Source, ...]
    condition: Condition | None = None
    grouping: Grouping | None = None
    with_tags: bool = False


@dataclass(frozen=True, slots=True)
class SelectTags(Node):
    """SELECT TAGS: tags without what they are on."""

    sources: tuple[Source, ...]
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class SelectTagged(Node):
    """SELECT TAGGED OBJECTS: tuples by the tags on them; of two streams, a join by tags."""

    sources: tuple[Source, ...]
    condition: Condition | None = None
    with_tags: bool = False


@dataclass(frozen=True, slots=True)
class AttachTag(Node):
    """ATTACH TAG: a tag before the first tuple, or before every one, that satisfies a condition."""

    content: StringLiteral | OneOf
    target: ObjectReference
    continuously: bool = False
    condition: Condition | Select | None = None
    """A nested query says which tuples of the target's stream are meant."""
    sign: Sign = Sign.NEUTRAL
    lifespan: int | None = None
    """In microseconds; None is Instant."""
    mode: Mode = Mode.COMBINE


Statement = AttachTag | SelectTags | SelectTagged | Select


def walk(node: Node) -> Iterator[Node]:
    """A node and all nodes below it, outermost first."""
    yield node
    for each in fields(node):
        value = getattr(node, each.name)
        for child in value if isinstance(value, tuple) else (value,):
            if isinstance(child, Node):
                yield from walk(child)
