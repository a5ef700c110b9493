"""What a space remembers of streams and subscriptions, as plain values that it can write down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from millstream.model.network import SINGLE
from millstream.model.schema import Path, Schema
from millstream.model.schema_json import schema_from_json, schema_to_json
from millstream.model.tags.stream_shape import WIRE_ID, WIRE_TIME, StreamShape

HERE = SINGLE.peers[0].name
"""The peer of a mill that is all in one place."""


class _Record:
    """Conversion of a flat dataclass to and from JSON; there may be many thousand."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Self:
        known = cls.__dataclass_fields__
        return cls(**{name: value for name, value in content.items() if name in known})


@dataclass(frozen=True)
class StreamRecord(_Record):
    """A stream as it was created."""

    name: str
    source: str
    format: str
    layout: dict[str, Any]
    """The schema, as JSON."""
    order_by: str | None = None
    anchor: str = "0"
    """A number, or 'first'."""
    lateness: int = 0
    finite: bool = False
    retention: str = "all"
    max_bytes_per_batch: int | None = None
    max_items_per_batch: int | None = None
    key: str | None = None
    delimiter: str | None = None
    notes: tuple[str, ...] = ()
    peer: str = HERE
    """The super-peer where it is."""
    rate: float | None = None
    """Items a second, if somebody said so."""
    fed_by: str | None = None
    """The tap whose results are its items, for a stream that has no source of its own."""
    origin: int = 0
    """For windows by number: how many items its flow had counted when it began."""
    structure: str | None = None
    """For a stream of fillers: its tag structure, as text."""
    owner: str = ""
    """Who created it; empty for whoever opens the space."""
    tagged: bool = False
    """True when tags stand between the items of its source."""
    avro: str | None = None
    """The schema of the values of its topic, as text, if they are written in Avro."""

    @property
    def tuple_id(self) -> Path | None:
        """The leaf by which tags name tuples, if there is one."""
        if self.tagged:
            return WIRE_ID
        return None if self.key is None else tuple(self.key.split("/"))

    @property
    def tuple_time(self) -> Path | None:
        """The leaf that tells tags when a tuple is, if there is one."""
        if self.tagged:
            return WIRE_TIME
        if self.order_by is None:
            return None
        path = tuple(self.order_by.split("/"))
        known = self.schema.leaf(path) is not None
        return path if known or path[0] != self.schema.item.name else path[1:]

    @property
    def shape(self) -> StreamShape:
        """The stream as its tags see it."""
        if self.tagged:
            return StreamShape.of_wire(self.name, self.schema)
        return StreamShape.of_schema(self.name, self.schema, self.tuple_time)

    @property
    def fed(self) -> bool:
        """True for a stream between peers: another stream brings its items and its time."""
        return self.fed_by is not None

    @property
    def schema(self) -> Schema:
        return schema_from_json(self.layout)

    @staticmethod
    def layout_of(schema: Schema) -> dict[str, Any]:
        return schema_to_json(schema)


@dataclass(frozen=True)
class SubscriptionRecord(_Record):
    """A subscription as it was registered."""

    name: str
    number: int
    text: str
    streams: tuple[str, ...]
    end: str | None = None
    empty: bool = False
    start: str = "now"
    sinks: tuple[dict[str, Any], ...] = ()
    cancelled: bool = False
    peer: str = HERE
    """The super-peer where its results are made."""
    plan: dict[str, Any] | None = None
    """The query that runs for it, as JSON, where that is not the one of its text."""
    standing: bool = False
    """True for a query over histories, whose results are versions."""
    tap: bool = False
    """True for what feeds a flow; nobody asked for its results."""
    succeeds: str | None = None
    """The subscription in whose place it is: the same, planned anew from the log."""
    language: str = "auto"
    """What its text is written in; by default its first word tells."""
    tagger: str | None = None
    """Who attaches the tags of its text; else the subscription itself does."""
    attaches: bool = False
    """True for a tagger: its name stands for its stream, with its tags."""
    thesaurus: str | None = None
    """By what contents mean the same to it, where that is not what is shipped."""
    owner: str = ""
    """Whose it is; empty for whoever opens the space."""


@dataclass(frozen=True)
class FlowRecord(_Record):
    """A flow as it was installed: what a tap makes of a stream, on its way along a route."""

    name: str
    tapped: str
    """The flow or original stream that it is made from."""
    source: str
    """Where that is read, at the first peer of the route: a stream of the space."""
    tap: str
    """The subscription whose results are the flow's items."""
    route: tuple[str, ...]
    subscription: str
    """The one that it was installed for."""
    input: int
    """Which scan of that subscription it serves, counted over all branches."""
    layout: dict[str, Any]
    """The schema of its items, as JSON."""
    windows: dict[str, Any] | None = None
    """What its items say of windows, as JSON, if they are windows."""
    reference: str | None = None
    """For windows by time: the path of the source that tells it."""

    @property
    def schema(self) -> Schema:
        return schema_from_json(self.layout)

    @property
    def counted(self) -> bool:
        """True for windows by number."""
        return self.windows is not None and self.reference is None


@dataclass(frozen=True)
class ChannelRecord(_Record):
    """A channel: the results that all subscriptions with equal branches share."""

    number: int
    signature: str
    constants: tuple[int | float | str, ...]
    size: int | None = None
    step: int | None = None
    end: str | None = None
    first_window: int = 0
    origin: int = 0
    """For item-based windows: the step from which its items are counted."""
    tile: int | None = None
    """The size of the windows that its items are themselves."""
    fold: int | None = None
    """For windows: the fold that they are made from."""

    def key(self) -> tuple[object, ...]:
        """What two branches must have in common to share a channel."""
        window = (self.size, self.step, self.tile, self.end)
        return (self.signature, _key(self.constants), *window, self.origin)


@dataclass(frozen=True)
class FoldRecord(_Record):
    """A fold: the slices that all channels with windows over the same rows share.

    Its number is one among those of channels: state speaks of folds and channels alike.
    """

    number: int
    signature: str
    constants: tuple[int | float | str, ...]
    """Those that choose the rows."""
    origin: int = 0
    """As for channels: what counts or starts from different steps has different slices."""

    def key(self) -> tuple[object, ...]:
        """What the windows of two branches must have in common to share a fold."""
        return (self.signature, _key(self.constants), self.origin)


def _key(constants: tuple[int | float | str, ...]) -> tuple[object, ...]:
    # Python holds 1 and 1.0 to be equal; they are constants of different types.
    return tuple((type(each).__name__, each) for each in constants)


@dataclass(frozen=True)
class Reading(_Record):
    """Where a subscription finds the results of one of its branches."""

    branch: int
    channel: int
    from_step: int
    after: int | None = None
    """Windows must start after this tick: no partial windows for late subscribers."""
    to_step: int | None = None


@dataclass(frozen=True)
class Segment(_Record):
    """A file of a table, and the steps that it holds."""

    name: str
    rows: int
    bytes: int
    first_step: int
    last_step: int
    level: int = 0
    time: float = 0.0
    """When it was committed, in seconds since the epoch."""
