"""A filler whose element has begun in a document, with the lifespan that it states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from lxml import etree

from millstream.errors import ItemError
from millstream.history.body import VIEW_ATTRIBUTES
from millstream.history.fragment_holes import line_of, remove_hole
from millstream.history.quarantine import Reject, Rejected
from millstream.model.filler import Filler, FillerKey
from millstream.model.lifespan import START, format_instant
from millstream.model.tag_structure import Tag, TagType
from millstream.model.values import parse_instant


@dataclass(slots=True)
class BegunFiller:
    """What is known of a filler before its element ends."""

    tag: Tag
    key: FillerKey
    valid_time: datetime
    ends: datetime | None
    """What its attribute vtTo says."""
    line: int | None
    fault: ItemError | None = None
    size: int = 0
    earlier: BegunFiller | None = None
    """The version before, which it continues."""
    hole: etree._Element | None = None
    """What stands in its place once it has ended."""
    has_repeated_holes: bool = False
    ended: dict[FillerKey, BegunFiller] = field(default_factory=dict)
    """The fillers inside that end with no next version."""

    def continues(self, other: BegunFiller) -> bool:
        """True for what adjoins another in time, as versions do in a temporal view."""
        temporal = self.tag.type is TagType.TEMPORAL and self.tag is other.tag
        return temporal and other.ends is not None and other.ends == self.valid_time

    def note_end(self, inner: BegunFiller) -> None:
        """Remember whether a filler inside ends; a next version of it overrides that."""
        self.ended.pop(inner.key, None)
        if inner.tag.type is TagType.TEMPORAL and inner.ends is not None:
            self.ended[inner.key] = inner

    def remove_ended_before(self) -> None:
        """Take out what had ended when this began; the content of an event is left whole."""
        if self.tag.type is TagType.EVENT:
            return
        for inner in list(self.ended.values()):
            if inner.ends is not None and inner.ends <= self.valid_time:
                self._remove(inner)

    def later_versions(self, element: etree._Element, reject: Reject) -> Iterator[Filler]:
        """This filler again without what ended, from that instant on: nothing else can say it."""
        times = sorted({inner.ends for inner in self.ended.values() if inner.ends is not None})
        if times and self.tag.type is TagType.EVENT:
            reject(self._lost_end(times[0]))
            return
        for time in times:
            if self.ends is not None and time >= self.ends:
                return
            for inner in [each for each in self.ended.values() if each.ends == time]:
                self._remove(inner)
            text = etree.tostring(element, encoding="unicode", with_tail=False)
            yield Filler(*self.key, time, text)

    def _remove(self, inner: BegunFiller) -> None:
        del self.ended[inner.key]
        if inner.hole is not None:
            remove_hole(inner.hole)

    def _lost_end(self, time: datetime) -> Rejected:
        reason = (
            f"something in {self.tag.name} ends at {format_instant(time)}, "
            "which cannot be said of an event's content"
        )
        return Rejected("lost-end", reason, line=self.line)


def read_lifespan(
    element: etree._Element, tag: Tag, key: FillerKey, valid_time: datetime
) -> BegunFiller:
    """A filler whose element begins; the attributes of the temporal view are taken off it."""
    begins, ends = (element.attrib.get(name) for name in VIEW_ATTRIBUTES)
    begun = BegunFiller(tag, key, valid_time, _instant_or_none(ends), line_of(element))
    for name in VIEW_ATTRIBUTES:
        if name in element.attrib:
            del element.attrib[name]
    if begins is not None and begins != START:
        try:
            begun.valid_time = parse_instant(begins)
        except ValueError as error:
            begun.fault = ItemError(f"vtFrom: {error}", code="bad-valid-time")
    return begun


def _instant_or_none(text: str | None) -> datetime | None:
    try:
        return parse_instant(text or "")
    except ValueError:
        return None
