"""Expressions over histories: immutable, and equal when they say the same.

Every step names the tags that it leads to, so that a compiler knows from the expression alone which
fillers are read and where holes are crossed. Variables have names of their own all over a query.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from millstream.errors import Span


class Place(NamedTuple):
    """A tag of a stream, or the stream's document, which has no tag."""

    stream: str
    tag: int | None = None


Places = frozenset[Place]


@dataclass(frozen=True, slots=True)
class Expression:
    """Anything that has a value: a sequence of items."""

    span: Span = field(default=Span(0, 0), compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Literal(Expression):
    """A constant: text, a number, or a truth."""

    value: str | int | Decimal | float | bool


@dataclass(frozen=True, slots=True)
class Instant(Expression):
    """A constant time, in microseconds since 1970."""

    microseconds: int


@dataclass(frozen=True, slots=True)
class Duration(Expression):
    """A constant length of time."""

    months: int
    microseconds: int


@dataclass(frozen=True, slots=True)
class Now(Expression):
    """The one instant at which a query is answered."""


@dataclass(frozen=True, slots=True)
class Start(Expression):
    """Before all other times."""


@dataclass(frozen=True, slots=True)
class LastVersion(Expression):
    """How many versions there are, in the brackets of a version projection."""


@dataclass(frozen=True, slots=True)
class Variable(Expression):
    name: str


@dataclass(frozen=True, slots=True)
class Context(Expression):
    """The item that a predicate or a step is asked about."""


@dataclass(frozen=True, slots=True)
class Stream(Expression):
    """The document of a stream: its whole temporal view."""

    name: str


@dataclass(frozen=True, slots=True)
class Step(Expression):
    """The elements of some tags below those of a base, with predicates for each node of it."""

    base: Expression
    targets: Places
    predicates: tuple[Expression, ...] = ()
    origins: Places = field(default=frozenset(), compare=False, repr=False, kw_only=True)
    """Where the elements of the base stand."""


@dataclass(frozen=True, slots=True)
class Attribute(Expression):
    """An attribute of elements, by its name."""

    base: Expression
    name: str


@dataclass(frozen=True, slots=True)
class TextNodes(Expression):
    """The text nodes directly inside elements."""

    base: Expression


@dataclass(frozen=True, slots=True)
class Combined(Expression):
    """The nodes of two sequences in document order: union, intersect or except."""

    operator: str
    left: Expression
    right: Expression
    places: Places


@dataclass(frozen=True, slots=True)
class Filter(Expression):
    """The items of a sequence that predicates keep."""

    base: Expression
    predicates: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class IntervalProjection(Expression):
    """What of some elements held between two instants, both included."""

    base: Expression
    begin: Expression
    end: Expression


@dataclass(frozen=True, slots=True)
class VersionProjection(Expression):
    """The versions with some numbers, each as it was during its lifespan."""

    base: Expression
    first: Expression
    last: Expression


@dataclass(frozen=True, slots=True)
class Interval(Expression):
    """A lifespan that is written out."""

    begin: Expression
    end: Expression


@dataclass(frozen=True, slots=True)
class Related(Expression):
    """Whether lifespans lie to each other as one of Allen's words says."""

    word: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Call(Expression):
    """A function of the library."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class UserCall(Expression):
    """A function that is registered from Python."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Cast(Expression):
    """A value as one of an atomic type, such as xs:decimal."""

    type: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Compare(Expression):
    """A comparison: of values (=), single values (eq), or nodes (is, <<, >>)."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Calculate(Expression):
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Negative(Expression):
    operand: Expression


@dataclass(frozen=True, slots=True)
class Logical(Expression):
    """Operands joined by `and` or by `or`."""

    operator: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class If(Expression):
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Sequence(Expression):
    """Items one after the other; empty for ()."""

    items: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class For(Expression):
    """A variable for each item of a source, and another for its position."""

    variable: str
    source: Expression
    position: str | None = None


@dataclass(frozen=True, slots=True)
class Let(Expression):
    variable: str
    value: Expression


@dataclass(frozen=True, slots=True)
class OrderKey(Expression):
    key: Expression
    descending: bool = False
    empty_greatest: bool = False


@dataclass(frozen=True, slots=True)
class Loop(Expression):
    """FLWOR: what is returned for each combination of variables that passes the condition."""

    clauses: tuple[For | Let, ...]
    result: Expression
    where: Expression | None = None
    order: tuple[OrderKey, ...] = ()


@dataclass(frozen=True, slots=True)
class Quantified(Expression):
    """Whether some, or every, combination of variables meets a condition."""

    every: bool
    bindings: tuple[For, ...]
    condition: Expression


@dataclass(frozen=True, slots=True)
class MadeAttribute(Expression):
    """An attribute that is constructed of parts, which are put together without spaces."""

    name: str
    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class MadeText(Expression):
    """Characters that were written between tags."""

    value: str


@dataclass(frozen=True, slots=True)
class MadeElement(Expression):
    """An element that is constructed; each part of its content is one enclosed expression."""

    name: str
    attributes: tuple[MadeAttribute, ...] = ()
    content: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Untranslated(Expression):
    """What has no form here, with the reason: an engine for all of XQuery must answer it."""

    text: str
    reason: str
