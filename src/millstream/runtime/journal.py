"""A stream's journal: which steps began and ended, and what the stream consists of since."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from millstream.runtime.ledger import Json, Ledger
from millstream.runtime.records import ChannelRecord, FoldRecord, Reading, Segment
from millstream.runtime.storage import Storage
from millstream.runtime.use import Use
from millstream.runtime.watermark import Watermark

_PLAIN = ("step", "batch", "next_channel", "items", "rejected", "bytes", "ended", "pending")
TAG_TABLES = ("tags", "tag_sets", "tagged", "live_tags")
TABLES = ("log", "results", "quarantine", "state", "keys", *TAG_TABLES)


@dataclass
class StreamState:
    """Everything about a stream that a commit changes."""

    step: int = 0
    """The last step that is committed."""
    batch: int = -1
    """The last batch of the source that is committed."""
    next_channel: int = 0
    """No number is ever given twice: old state may still speak of it."""
    items: int = 0
    rejected: int = 0
    bytes: int = 0
    ended: bool = False
    use: Use = field(default_factory=Use)
    watermarks: dict[str, Watermark] = field(default_factory=dict)
    channels: dict[int, ChannelRecord] = field(default_factory=dict)
    folds: dict[int, FoldRecord] = field(default_factory=dict)
    """Those that the channels read."""
    readings: dict[str, tuple[Reading, ...]] = field(default_factory=dict)
    """By subscription; one for each of its branches."""
    tables: dict[str, list[Segment]] = field(default_factory=lambda: {name: [] for name in TABLES})
    latest: int | None = None
    """The largest validTime seen, in microseconds, if its items are fillers or have times."""
    evaluated: dict[str, int] = field(default_factory=dict)
    """By subscription to histories: the instant at which it was last looked at."""
    pending: Json | None = None
    """The step that began and has not been committed."""

    def assigned(self, subscription: str) -> tuple[Reading, ...]:
        """The readings of a subscription, those of a pending step included."""
        begun = (self.pending or {}).get("readings", {})
        if subscription in begun:
            return tuple(Reading.from_json(each) for each in begun[subscription])
        return self.readings.get(subscription, ())

    @property
    def last_number(self) -> int:
        """The number of the newest step, committed or pending."""
        begun: int = (self.pending or {}).get("step", 0)
        return max(self.step, begun)

    @property
    def free_channel(self) -> int:
        """A number that no channel and no fold has had."""
        begun = self.pending or {}
        new: list[Json] = [
            each for kind in ("channels", "folds", "standing") for each in begun.get(kind, ())
        ]
        return max([self.next_channel, *(int(each["number"]) + 1 for each in new)])

    def to_json(self) -> Json:
        return {
            "step": self.step,
            "batch": self.batch,
            "next_channel": self.next_channel,
            "items": self.items,
            "rejected": self.rejected,
            "bytes": self.bytes,
            "ended": self.ended,
            "use": self.use.to_json(),
            "watermarks": [each.to_json() for each in self.watermarks.values()],
            "channels": [each.to_json() for each in self.channels.values()],
            "folds": [each.to_json() for each in self.folds.values()],
            "readings": {
                name: [each.to_json() for each in readings]
                for name, readings in self.readings.items()
            },
            "tables": {
                name: [each.to_json() for each in segments]
                for name, segments in self.tables.items()
            },
            "latest": self.latest,
            "evaluated": self.evaluated,
            "pending": self.pending,
        }

    def restore(self, content: Json) -> None:
        for name in _PLAIN:
            setattr(self, name, content[name])
        self.latest, self.evaluated = content.get("latest"), content.get("evaluated", {})
        self.use = Use.from_json(content.get("use"))
        self.watermarks = _watermarks(content["watermarks"])
        self.channels = channels_of(content["channels"])
        self.folds = folds_of(content["folds"])
        self.readings = {
            name: tuple(Reading.from_json(each) for each in readings)
            for name, readings in content["readings"].items()
        }
        self.tables = {name: [] for name in TABLES} | {
            name: [Segment.from_json(each) for each in segments]
            for name, segments in content["tables"].items()
        }


class HasState(Protocol):
    """What tells the state of a stream."""

    @property
    def state(self) -> StreamState: ...


@dataclass(frozen=True, slots=True)
class StateAlone:
    """The state of a stream as somebody is to see it, without a ledger behind it."""

    state: StreamState


class Journal:
    """The ledger of one stream and the state that it folds to."""

    def __init__(self, storage: Storage, folder: str) -> None:
        self.state = StreamState()
        self._ledger = Ledger(storage, folder, self._apply)
        self._ledger.open(self.state.restore)

    def begin(self, event: Json) -> None:
        """Write down a step before it runs."""
        self._ledger.append({"event": "begin", **event})

    def commit(self, event: Json) -> None:
        """Write down that the pending step is done, and what it left."""
        self._ledger.append({"event": "commit", **event})
        if self._ledger.due():
            self._ledger.snapshot(self.state.to_json())

    def exchange(self, table: str, removed: list[Segment], added: list[Segment]) -> None:
        """Write down that segments took the place of others."""
        self._ledger.append(
            {
                "event": "exchange",
                "table": table,
                "removed": [each.name for each in removed],
                "added": [each.to_json() for each in added],
            }
        )

    def _apply(self, event: Json) -> None:
        match event["event"]:
            case "begin":
                self.state.pending = event
            case "commit":
                self._apply_commit(event)
            case "exchange":
                self._apply_exchange(event)

    def _apply_commit(self, event: Json) -> None:
        state = self.state
        begun: dict[str, Any] = state.pending or {}
        state.step = event["step"]
        state.batch = begun.get("batch", state.batch)
        state.items += event["items"]
        state.rejected += event["rejected"]
        state.bytes += event["bytes"]
        state.ended = event["ended"]
        state.latest = event.get("latest", state.latest)
        state.evaluated |= event.get("evaluated", {})
        state.use += Use.from_json(event.get("use"))
        state.watermarks = _watermarks(event["watermarks"])
        state.next_channel = state.free_channel
        state.channels |= channels_of(begun.get("channels", []))
        state.folds |= folds_of(begun.get("folds", []))
        for name, readings in begun.get("readings", {}).items():
            state.readings[name] = tuple(Reading.from_json(each) for each in readings)
        for number in event["retired"]:
            state.channels.pop(number, None)
        read = {each.fold for each in state.channels.values()}
        state.folds = {number: each for number, each in state.folds.items() if number in read}
        for table, segments in event["tables"].items():
            kept = [] if table in event["replaced"] else state.tables.get(table, [])
            state.tables[table] = kept + [Segment.from_json(each) for each in segments]
        state.pending = None

    def _apply_exchange(self, event: Json) -> None:
        removed = set(event["removed"])
        segments = self.state.tables[event["table"]]
        first = next(
            (index for index, each in enumerate(segments) if each.name in removed), len(segments)
        )
        kept = [each for each in segments if each.name not in removed]
        added = [Segment.from_json(each) for each in event["added"]]
        self.state.tables[event["table"]] = kept[:first] + added + kept[first:]


def _watermarks(content: list[Json]) -> dict[str, Watermark]:
    marks = (Watermark.from_json(each) for each in content)
    return {each.reference: each for each in marks}


def channels_of(content: list[Json]) -> dict[int, ChannelRecord]:
    """Channels that were written down, by number."""
    channels = (ChannelRecord.from_json(each) for each in content)
    return {each.number: each for each in channels}


def folds_of(content: list[Json]) -> dict[int, FoldRecord]:
    """Folds that were written down, by number."""
    folds = (FoldRecord.from_json(each) for each in content)
    return {each.number: each for each in folds}
