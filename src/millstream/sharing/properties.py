"""What a subscription asks of its streams, and what a stream in the network consists of.

Both are described alike: a subscription makes a stream, and a stream is what some subscription
would make. Nothing here depends on the language of a subscription or on the names of its variables.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from millstream.algebra.operators import AggregateFunction
from millstream.model.schema import Path, Schema, ValueType
from millstream.model.window import EndRule, WindowSpec
from millstream.sharing.element_paths import all_paths
from millstream.sharing.predicates import TRUE, Predicate

ITEM = "item"
"""The variable by which the expressions of every selection know the item."""


@dataclass(frozen=True, slots=True)
class AggregateOf:
    """An aggregate over what a path reaches in the items of a window; without a path, over them."""

    function: AggregateFunction
    path: Path
    type: ValueType
    """The type of the result."""

    @property
    def name(self) -> str:
        """The variable by which a filter knows the value: avg(en), count(.)."""
        return f"{self.function.value}({'/'.join(self.path) or '.'})"

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class WindowProperties:
    """The windows over the selected items, and what is asked of each."""

    spec: WindowSpec
    aggregates: frozenset[AggregateOf]
    filter: Predicate
    """On the aggregates, by their names."""
    contents: bool
    """The items of a window are used themselves: such windows are made where they are returned."""
    end: EndRule
    empty: bool = False


@dataclass(frozen=True, slots=True)
class UserFunction:
    """A call of a function that is not in the library, in a condition."""

    name: str
    deterministic: bool
    arguments: str

    def __str__(self) -> str:
        return f"{self.name}({self.arguments})"


@dataclass(frozen=True, slots=True)
class Input:
    """What one scan of one branch asks of one stream; also what a stream in the network holds.

    Sets of paths name every text-holding place by itself. Elements on the way to a path are there
    with it, empty or not.
    """

    stream: str
    """The original stream."""
    schema: Schema = field(hash=False)
    """Of the original stream."""
    selection: Predicate
    """On the item; only conditions that speak of it alone."""
    referenced: frozenset[Path]
    output: frozenset[Path]
    """What is still needed when the selection has been made."""
    window: WindowProperties | None = None
    functions: tuple[UserFunction, ...] = ()

    @property
    def aggregated(self) -> bool:
        """True if this travels as aggregates, one item a window, not as items of the stream."""
        return self.window is not None and not self.window.contents


@dataclass(frozen=True, slots=True)
class Properties:
    """A whole subscription: what it asks of each stream that it reads."""

    inputs: tuple[Input, ...]
    """One for each scan of each branch, in order."""


ALWAYS = TRUE
"""The condition of those who ask for everything."""


def original(stream: str, schema: Schema) -> Input:
    """A stream as it was registered: everything of every item."""
    everything = all_paths(schema)
    return Input(stream, schema, ALWAYS, everything, everything)


def flowing(asked: Input) -> Input:
    """What travels for an input: aggregates if windows are only aggregated, else items."""
    return asked if asked.aggregated else replace(asked, window=None)
