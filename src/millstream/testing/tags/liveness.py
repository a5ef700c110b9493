"""What is live at a moment, straight from the rules: tuples in windows, tags that go on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from millstream.model.tags import Granularity, Mode, Placed, PlacedTag, TickTag
from millstream.testing.tags.relation import Relation


def in_window(relation: Relation, window: int, now: int) -> Relation:
    """The rows whose window is not over."""
    return replace(relation, rows=tuple(row for row in relation if now < row.time + window))


def with_living_tags(relation: Relation, elements: Iterable[Placed], now: int) -> Relation:
    """All rows, without the tags whose life is over."""
    tags = [(e.position, e.element) for e in elements if isinstance(e.element, TickTag)]
    rows = (
        replace(row, marks=frozenset(m for m in row.marks if is_alive(m.tag, tags, now)))
        for row in relation
    )
    return replace(relation, rows=tuple(rows))


def is_alive(placed: PlacedTag, tags: Sequence[tuple[int, TickTag]], now: int) -> bool:
    """True for a tag that may still be on a tuple; an Instant one lives as long as its tuple."""
    tag = placed.tag
    if tag.lifespan is None:
        return True
    if tag.timestamp + tag.lifespan <= now:
        return False
    later = [
        each
        for position, each in tags
        if (each.timestamp, position) > (tag.timestamp, placed.position)
        and each.timestamp <= now
        and _ends_everywhere(each, tag.tagger, placed.stream)
    ]
    ended = {layer for each in later for layer in _layers(each)}
    return any(layer[0] is Granularity.VALUE or layer not in ended for layer in _layers(tag))


def _ends_everywhere(tag: TickTag, tagger: str, stream: str) -> bool:
    """True for a tag that would end one of a tagger on any tuple of a stream."""
    on = tag.applicability
    named = on.streams.matches(stream) and on.tuples.matches_all
    return tag.mode is Mode.OVERWRITE and tag.tagger == tagger and named


def _layers(tag: TickTag) -> set[tuple[Granularity, str | None]]:
    """What a tag is on; on values nothing is ended everywhere."""
    objects = tag.applicability.objects
    if objects:
        return {(each.granularity, each.attribute) for each in objects}
    if tag.is_retraction and tag.lifespan is None and tag.applicability.names_everything:
        return {(Granularity.STREAM, None), (Granularity.TUPLE, None)}
    (granularity,) = tag.granularities
    return {(granularity.layer, None)}
