"""A mill whose steps need no Spark: histories are looked up in their index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import millstream
from millstream.mill import Mill
from millstream.model.filler import Filler
from millstream.model.filler_layout import instant_of
from millstream.model.tag_structure import TagStructure
from millstream.model.tag_structure_text import tag_structure_text
from millstream.runtime.history.standing_subscription import StandingSubscription
from millstream.testing.filler_feed import FillerFeed
from millstream.testing.no_spark import NoSpark

Batch = tuple[str, list[Filler]]


def opened(
    space: Path, streams: Mapping[str, TagStructure], queries: Mapping[str, str], **options: Any
) -> Mill:
    """A mill with histories that nothing feeds yet, and subscriptions to them."""
    mill = millstream.open(space, spark=NoSpark(), **options)  # type: ignore[arg-type]
    for name, structure in streams.items():
        if name not in mill.streams:
            mill.create_stream(name, "nowhere", schema=tag_structure_text(structure))
    for name, text in queries.items():
        if name not in mill.subscriptions:
            mill.subscribe(text, name=name)
    return mill


def standing(mill: Mill, name: str) -> StandingSubscription:
    subscription = mill.subscriptions[name]
    assert isinstance(subscription, StandingSubscription)
    return subscription


def current(mill: Mill, name: str) -> Counter[str]:
    """The items that hold now."""
    return Counter(item for items in standing(mill, name).current().values() for item in items)


def check(mill: Mill, queries: Iterable[str]) -> None:
    """Compare what holds now with an evaluation of everything from scratch."""
    for name in queries:
        now = max(
            mill.runner(stream).journal.state.evaluated.get(name, 0)
            for stream in standing(mill, name).streams
        )
        answer = mill.query(standing(mill, name).text, now=instant_of(now))
        assert current(mill, name) == Counter(answer.items), name


class Feeds:
    """Feeds of all streams of a mill, which go on where an earlier mill stopped."""

    def __init__(self, mill: Mill, positions: dict[str, int] | None = None) -> None:
        known = positions or {}
        self.by_name = {name: FillerFeed(mill, name, known.get(name, 0)) for name in mill.streams}

    def push(self, batch: Batch) -> None:
        name, fillers = batch
        self.by_name[name].push(fillers)

    def positions(self) -> dict[str, int]:
        return {name: feed.position for name, feed in self.by_name.items()}
