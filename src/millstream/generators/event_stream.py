"""Streams of events that are all alike, as histories: a document with one hole for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from xml.sax.saxutils import escape

from millstream.model.filler import ROOT_ID, Filler, FillerKey, hole_text
from millstream.model.tag_structure import Tag, TagStructure, TagType

ROOT_TAG, EVENT_TAG = 1, 2
EVENTS = FillerKey(1, EVENT_TAG)
"""The hole that all events are in."""


@dataclass(frozen=True, slots=True)
class Event:
    """What happened at an instant, by the names of its leaves."""

    at: datetime
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class EventStream:
    """The names of a stream's document, of its events, and of what each event is made of."""

    name: str
    root: str
    event: str
    leaves: tuple[str, ...]

    def structure(self) -> TagStructure:
        """The tag structure: events in a snapshot."""
        leaves = tuple(Tag(EVENT_TAG + 1 + place, name) for place, name in enumerate(self.leaves))
        events = Tag(EVENT_TAG, self.event, TagType.EVENT, leaves)
        return TagStructure(Tag(ROOT_TAG, self.root, TagType.SNAPSHOT, (events,)))

    def fillers(self, events: Iterable[Event], start: datetime) -> Iterator[Filler]:
        """The document at the start, and then the events in the order given."""
        yield Filler(ROOT_ID, ROOT_TAG, start, f"<{self.root}>{hole_text(EVENTS)}</{self.root}>")
        for event in events:
            yield Filler(*EVENTS, event.at, self._element(event))

    def _element(self, event: Event) -> str:
        leaves = "".join(
            f"<{name}>{escape(str(event.values[name]))}</{name}>" for name in self.leaves
        )
        return f"<{self.event}>{leaves}</{self.event}>"
