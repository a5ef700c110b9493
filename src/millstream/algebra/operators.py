"""The operators of the one algebra: immutable, hashable, each knowing what it binds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from millstream.algebra.expressions import Expression, PathTo
from millstream.algebra.tag_operators import JoinTags, JoinTuples, TagOperator
from millstream.model.schema import Element, Schema, ValueType
from millstream.model.window import EndRule, WindowSpec


@dataclass(frozen=True, slots=True)
class NodeBinding:
    """A variable that holds one node, or (many) a sequence of nodes, of one element."""

    variable: str
    element: Element
    many: bool = False


@dataclass(frozen=True, slots=True)
class ValueBinding:
    """A variable that holds one atomic value, or none."""

    variable: str
    type: ValueType


Binding = NodeBinding | ValueBinding


@dataclass(frozen=True, slots=True)
class Scan:
    """Each item of a stream, in stream order."""

    stream: str
    variable: str
    schema: Schema

    @property
    def bindings(self) -> tuple[Binding, ...]:
        return (NodeBinding(self.variable, self.schema.item),)


@dataclass(frozen=True, slots=True)
class Unnest:
    """For each input row, each node that a path of it reaches, in document order.

    The path starts at a node variable (or at the contents of a window) and its steps may carry
    predicates; `element` is what its last step reaches.
    """

    input: Operator
    variable: str
    source: PathTo
    element: Element

    @property
    def bindings(self) -> tuple[Binding, ...]:
        return (*self.input.bindings, NodeBinding(self.variable, self.element))


@dataclass(frozen=True, slots=True)
class Select:
    """The input rows for which the predicate is true."""

    input: Operator
    predicate: Expression

    @property
    def bindings(self) -> tuple[Binding, ...]:
        return self.input.bindings


class AggregateFunction(Enum):
    MIN = "min"
    MAX = "max"
    SUM = "sum"
    COUNT = "count"
    AVG = "avg"
    VALUES = "values"
    """How many values an average divides by: what travels with a sum so that averages merge."""
    TAGS = "tags"
    """The sets of tags on the items."""
    CONTENTS = "contents"
    """The contents of the tags on the items."""


@dataclass(frozen=True, slots=True)
class Aggregation:
    """One aggregate over the contents of a window, bound to a variable.

    `source` starts at the window's variable; it has no steps for count($w).
    """

    variable: str
    function: AggregateFunction
    source: PathTo
    type: ValueType
    """The type of the result: integer for count and values, else that of the aggregated leaf."""
    weight: PathTo | None = None
    """For avg over totals: how many values each total is of. None: a source value counts once."""


@dataclass(frozen=True, slots=True)
class Window:
    """The windows over the input rows; one row a window.

    The input binds one node variable, `element`, that the window variable holds in sequence.
    `aggregations` are computed over the contents; `keeps_contents` says that the window variable
    itself is used by what comes after.
    """

    input: Operator
    variable: str
    spec: WindowSpec
    aggregations: tuple[Aggregation, ...] = ()
    keeps_contents: bool = False
    end: EndRule | None = None
    """None: the default of the window's kind, or what the subscription says."""
    empty: bool = False
    """True: windows without items, inside the stream, are rows as well."""
    tile: int | None = None
    """The input's items are windows of this size themselves, placed by their starts. A window
    takes those that pave it: inside it, and a whole number of tiles from its own start."""
    start: str | None = None
    """A variable that holds the window's start, in whole ticks."""

    @property
    def bindings(self) -> tuple[Binding, ...]:
        contents = _node(self.input.bindings[-1])
        bound: list[Binding] = []
        if self.keeps_contents:
            bound.append(NodeBinding(self.variable, contents.element, many=True))
        bound += (ValueBinding(each.variable, each.type) for each in self.aggregations)
        if self.start is not None:
            bound.append(ValueBinding(self.start, ValueType.INTEGER))
        return tuple(bound)


@dataclass(frozen=True, slots=True)
class Join:
    """Every pair of a left and a right row, each once, for which the predicate is true."""

    left: Operator
    right: Operator
    predicate: Expression

    @property
    def bindings(self) -> tuple[Binding, ...]:
        return (*self.left.bindings, *self.right.bindings)


Operator = Scan | Unnest | Select | Window | Join | TagOperator


@dataclass(frozen=True, slots=True)
class Construct:
    """One result item for each input row."""

    input: Operator
    template: Expression
    carries_tags: bool = False
    """True when results have the tags of the items that they are made of."""


@dataclass(frozen=True, slots=True)
class Query:
    """A whole subscription: what it constructs, inside the root of its result stream."""

    branches: tuple[Construct, ...]
    opening: str = ""
    """The XML that opens the result stream, such as <photons>; empty without a root."""
    closing: str = ""

    @property
    def streams(self) -> tuple[str, ...]:
        """The streams it reads, each once, in order of appearance."""
        found: dict[str, None] = {}
        for branch in self.branches:
            for scan in scans(branch.input):
                found.setdefault(scan.stream)
        return tuple(found)


def scans(operator: Operator) -> tuple[Scan, ...]:
    """The leaves of an operator tree, left to right."""
    match operator:
        case Scan():
            return (operator,)
        case Join() | JoinTuples() | JoinTags():
            return (*scans(operator.left), *scans(operator.right))
        case _:
            return scans(operator.input)


def _node(binding: Binding) -> NodeBinding:
    assert isinstance(binding, NodeBinding), "a window holds nodes"
    return binding
