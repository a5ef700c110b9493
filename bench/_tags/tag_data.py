"""Two streams of moving objects, and tuples of which some are tagged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType
from millstream.model.tags import StreamAttribute, StreamShape, emotions
from millstream.model.tags.stream_shape import TuplePaths

ATTRIBUTES = (
    StreamAttribute("object_id"),
    StreamAttribute("location"),
    StreamAttribute("speed", ValueType.DECIMAL),
)
STREAMS = ("A", "B")
WORDS = tuple(word for listed in emotions().groups.values() for word in listed)
FIELDS = ("tagger", "applicability", "content", "type", "sign", "lifespan", "mode", "time")
"""The eight fields of a tag."""
LENGTH = 150
"""How many bytes a tuple has, about."""


@dataclass(frozen=True, slots=True)
class Streams:
    """The streams that statements read; all have the same attributes."""

    attributes: tuple[StreamAttribute, ...] = ATTRIBUTES

    def names(self) -> tuple[str, ...]:
        return STREAMS

    def shape(self, stream: str) -> StreamShape:
        return StreamShape(stream, self.attributes)

    def schema(self, stream: str) -> Schema:
        children = tuple(
            Element(each.name, Occurs.OPTIONAL, type=each.type) for each in self.attributes
        )
        own = (Attribute("id"), Attribute("time", ValueType.DECIMAL))
        return Schema("stream", Element("tuple", Occurs.MANY, Content.NESTED, children, own))

    def tuple_paths(self, stream: str) -> TuplePaths:
        return TuplePaths(("@time",), ("@id",))


@dataclass(frozen=True, slots=True)
class Tagged:
    """Tuples of which some are tagged, each tag on so many of them."""

    batch: pa.Table
    sets: pa.Table
    tags: pa.Table


def tuples(count: int, share: float, on: int, seed: int, matching: float = 1.0) -> Tagged:
    """Random tuples, ten milliseconds apart; of the contents so many are words of emotions.

    Of each so many tuples, the first ones share a tag. Positions are those of bytes in a source.
    """
    draw = np.random.default_rng(seed)
    positions = np.cumsum(draw.integers(0.9 * LENGTH, 1.1 * LENGTH, count))
    times = np.round(np.arange(count) * 0.01, 2)
    places = draw.random((count, 2))
    speeds = np.round(draw.random(count) * 5, 3)
    sets = owners(count, share, on) + 1
    chosen = sets > 0
    item = pa.StructArray.from_arrays(
        [
            pa.array([f"o{each}" for each in range(count)]),
            pa.array([str(each) for each in times]),
            pa.array([f"o{each % 997}" for each in range(count)]),
            pa.array([f"{x:.5f} {y:.5f}" for x, y in places]),
            pa.array([str(each) for each in speeds]),
        ],
        ["@id", "@time", "object_id", "location", "speed"],
    )
    batch = pa.table(
        {
            "position": pa.array(positions),
            "item": item,
            "=@time": pa.array(times),
            "=speed": pa.array(speeds),
            "tagset": pa.array(sets, mask=~chosen),
        }
    )
    known = np.unique(sets[chosen])
    return Tagged(batch, _members(known), _tags(known, draw, matching, seed))


def owners(count: int, share: float, on: int) -> np.ndarray:
    """For each of so many tuples the number of its tag, or -1."""
    found = np.full(count, -1)
    if share:
        starts = np.floor(np.arange(int(count * share / on)) * on / share).astype(np.int64)
        inside = starts[:, np.newaxis] + np.arange(on)
        found[inside] = np.arange(len(starts))[:, np.newaxis]
    return found


def _members(known: np.ndarray) -> pa.Table:
    count = len(known)
    return pa.table(
        {
            "tagset": known,
            "tag": known,
            "attribute": pa.nulls(count, pa.string()),
            "granularity": pa.repeat("tuple", count),
        }
    )


def _tags(known: np.ndarray, draw: np.random.Generator, matching: float, seed: int) -> pa.Table:
    count = len(known)
    words = draw.choice(WORDS, count)
    other = draw.random(count) >= matching
    contents = [
        f"side {seed} {number}" if alone else word
        for word, alone, number in zip(words, other, known, strict=True)
    ]
    return pa.table(
        {
            "tag": known,
            "stream": pa.repeat("A", count),
            "position": known,
            "tagger": pa.array([f"user{each}" for each in draw.integers(0, 500, count)]),
            "applicability": pa.repeat("*,*,{}", count),
            "content": pa.array(contents, pa.string()),
            "type": pa.repeat("subjective", count),
            "sign": pa.array(draw.choice(("+", "-"), count)),
            "lifespan": pa.nulls(count, pa.int64()),
            "mode": pa.repeat("COMBINE", count),
            "time": pa.array(known),
        }
    )
