"""Operators that ask about tags, and those of tuples in windows that carry tags along.

A tag-aware plan is the ordinary plan over tuples: which tags its results have is told when they are
read, by the sets of tags of the tuples they are made of. Windows and lifespans are in microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from millstream.algebra.expressions import TRUE, Expression, PathTo
from millstream.model.schema import Content, Element, Occurs, ValueType
from millstream.model.tags.mode import Mode
from millstream.model.tags.sign import Sign

if TYPE_CHECKING:
    from millstream.algebra.operators import AggregateFunction, Binding, Operator

CONTENT, TYPE, SIGN, TAGGER, MODE, LIFESPAN, TIME, ATTRIBUTE, GRANULARITY = (
    "content",
    "type",
    "sign",
    "tagger",
    "mode",
    "lifespan",
    "time",
    "attribute",
    "granularity",
)
"""The children of a tag's element."""


def tag_element(time: ValueType = ValueType.DECIMAL) -> Element:
    """A tag on an object, as an element that paths can go into."""
    types = {LIFESPAN: ValueType.DECIMAL, TIME: time}
    names = (CONTENT, TYPE, SIGN, TAGGER, MODE, LIFESPAN, TIME, ATTRIBUTE, GRANULARITY)
    children = tuple(
        Element(name, Occurs.OPTIONAL, type=types.get(name, ValueType.TEXT)) for name in names
    )
    return Element("tag", Occurs.MANY, Content.NESTED, children)


@dataclass(frozen=True, slots=True)
class TagVariable:
    """A variable that holds one tag on one object of the tuple that another variable holds."""

    variable: str
    of: str


@dataclass(frozen=True, slots=True)
class Tuples:
    """The items of a stream as tuples: each with an id, a time, and the tags on it."""

    input: Operator
    time: PathTo | None
    """None where tuples have no time: all are of one moment."""
    id: PathTo | None
    """None: a tuple is named by its position."""
    time_type: ValueType = ValueType.DECIMAL

    @property
    def bindings(self) -> tuple[Binding, ...]:
        return self.input.bindings


@dataclass(frozen=True, slots=True)
class SelectTagged:
    """The tuples for which tags, one for each tag variable, make the predicate true."""

    input: Operator
    tags: tuple[TagVariable, ...]
    predicate: Expression = TRUE
    window: int | None = None
    """What likeness of contents is judged by: the tuples in the window, or None for all so far."""

    @property
    def bindings(self) -> tuple[Binding, ...]:
        return self.input.bindings


@dataclass(frozen=True, slots=True)
class SelectTags:
    """Each tag that is on a tuple in a way that makes the predicate true, once."""

    input: Operator
    tag: TagVariable
    predicate: Expression = TRUE
    window: int | None = None

    @property
    def bindings(self) -> tuple[Binding, ...]:
        return self.input.bindings


@dataclass(frozen=True, slots=True)
class JoinTuples:
    """Pairs of tuples that meet within their windows, each once, for which a predicate is true.

    Tags, one for each tag variable, must make it true.
    """

    left: Operator
    right: Operator
    left_window: int
    right_window: int
    predicate: Expression = TRUE
    tags: tuple[TagVariable, ...] = ()

    @property
    def bindings(self) -> tuple[Binding, ...]:
        return (*self.left.bindings, *self.right.bindings)


@dataclass(frozen=True, slots=True)
class JoinTags:
    """Pairs of tuples that meet within their windows, with the tags that make a predicate true."""

    left: Operator
    right: Operator
    left_window: int
    right_window: int
    left_tag: TagVariable
    right_tag: TagVariable
    predicate: Expression = TRUE

    @property
    def bindings(self) -> tuple[Binding, ...]:
        return (*self.left.bindings, *self.right.bindings)


@dataclass(frozen=True, slots=True)
class TupleAggregation:
    """An aggregate over the tuples of a group, bound to a variable."""

    variable: str
    function: AggregateFunction
    value: Expression | None
    """None: the tuples themselves are counted."""
    type: ValueType


@dataclass(frozen=True, slots=True)
class AggregateTuples:
    """For each tuple the new answer of its group, over the tuples in the window."""

    input: Operator
    keys: tuple[PathTo, ...]
    aggregations: tuple[TupleAggregation, ...]
    window: int | None = None
    last: bool = False
    """True when only the last answer of each group is wanted, as one who asks once does."""

    @property
    def bindings(self) -> tuple[Binding, ...]:
        return self.input.bindings


class Likeness(Enum):
    """By what tags belong to one group."""

    EQUALITY = "equality"
    DICTIONARY = "dictionary"
    JACCARD = "jaccard"
    FUNCTION = "function"


@dataclass(frozen=True, slots=True)
class AggregateTags:
    """For each tuple the new answer of the group that its tags bring it to."""

    input: Operator
    label: str
    """The variable that holds the name of the group; empty for tuples without tags."""
    of: str
    """The variable of the tuples."""
    likeness: Likeness
    aggregations: tuple[TupleAggregation, ...]
    threshold: str | None = None
    dictionary: str | None = None
    untagged: bool = False
    window: int | None = None
    function: str | None = None
    """The user's function that tells how alike contents are."""
    last: bool = False

    @property
    def bindings(self) -> tuple[Binding, ...]:
        return self.input.bindings


@dataclass(frozen=True, slots=True)
class Attach:
    """All tuples, with a new tag on those for which tags on them make a predicate true."""

    input: Operator
    of: str
    """The variable of the tuples."""
    contents: tuple[str, ...]
    """Of several, one is drawn for each tuple."""
    tagger: str
    attribute: str | None = None
    """None: the tag is on the whole tuple."""
    of_value: bool = False
    sign: Sign = Sign.NEUTRAL
    lifespan: int | None = None
    mode: Mode = Mode.COMBINE
    continuously: bool = True
    """False: only the first such tuple is tagged."""
    tags: tuple[TagVariable, ...] = ()
    predicate: Expression = TRUE
    window: int | None = None

    @property
    def bindings(self) -> tuple[Binding, ...]:
        return self.input.bindings


TagOperator = (
    Tuples
    | SelectTagged
    | SelectTags
    | JoinTuples
    | JoinTags
    | AggregateTuples
    | AggregateTags
    | Attach
)
