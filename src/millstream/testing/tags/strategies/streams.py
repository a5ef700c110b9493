"""Random tagged streams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from millstream.model.schema import ValueType
from millstream.model.tags import (
    Applicability,
    Element,
    Mode,
    NamePattern,
    ObjectName,
    Sign,
    StreamAttribute,
    StreamShape,
    StreamTuple,
    TickTag,
    place,
    tick_tag,
)
from millstream.model.tags.duration import SECOND
from millstream.testing.tags.sources import TaggedStream

ATTRIBUTES = (
    StreamAttribute("k"),
    StreamAttribute("n", ValueType.INTEGER),
    StreamAttribute("loc"),
)
STREAMS = ("R", "S")

CONTENTS = ("happy", "Joyful", "sad", "Accident", "x")
TAGGERS = ("ann", "bob")
KEYS = ("p", "q")
LOCATIONS = ("0 0", "1 0", "2 2")


def tags(taggers: Sequence[str] = TAGGERS) -> SearchStrategy[TickTag]:
    """Tags of few taggers, patterns and contents, so that they meet."""
    rest: dict[str, SearchStrategy[Any]] = {
        "tagger": st.sampled_from(taggers),
        "timestamp": st.just(0),
        "applicability": _applicabilities(),
        "sign": st.sampled_from(Sign),
        "lifespan": st.none() | st.integers(1, 6).map(lambda seconds: seconds * SECOND),
    }
    filled = st.builds(tick_tag, st.sampled_from(CONTENTS), mode=st.sampled_from(Mode), **rest)
    retraction = st.builds(tick_tag, st.just(""), mode=st.just(Mode.OVERWRITE), **rest)
    return st.one_of(filled, filled, filled, retraction)


def _applicabilities() -> SearchStrategy[Applicability]:
    name = st.builds(ObjectName, st.sampled_from(("k", "n", "loc")), st.booleans())
    objects = st.one_of(
        st.just(()),
        st.just((ObjectName("loc", of_value=True),)),
        st.lists(name, max_size=2, unique=True).map(tuple),
    )
    patterns = st.sampled_from(("*", "*", "*", "a", "a|b", "[ab]")).map(NamePattern)
    return st.builds(Applicability, st.just(NamePattern()), patterns, objects)


def tuples() -> SearchStrategy[StreamTuple]:
    """Tuples with few ids and values, some of them missing."""
    return st.builds(
        StreamTuple,
        st.sampled_from(("a", "b", "c")),
        st.just(0),
        st.tuples(
            st.none() | st.sampled_from(KEYS),
            st.none() | st.integers(-2, 5).map(str),
            st.none() | st.sampled_from(LOCATIONS),
        ),
    )


def streams(longest: int = 10) -> SearchStrategy[TaggedStream]:
    """A stream whose time goes on, now and then backwards."""
    return _streams(st.one_of(tags(), tuples(), tuples()), (0, 0, 1, 1, 2, 5, -1), longest)


def steady_streams(longest: int = 10, shortest: int = 0) -> SearchStrategy[TaggedStream]:
    """A stream whose time never goes backwards."""
    return _streams(st.one_of(tags(), tuples(), tuples()), (0, 0, 1, 1, 2, 5), longest, shortest)


def contested_streams(longest: int = 16, shortest: int = 0) -> SearchStrategy[TaggedStream]:
    """A stream with as many tags as tuples, by one tagger most of the time, often late."""
    element: SearchStrategy[Element] = st.one_of(tags(("ann", "ann", "bob")), tuples())
    return _streams(element, (0, 1, 1, 2, -1, -2), longest, shortest)


def _streams(
    element: SearchStrategy[Element], steps: Sequence[int], longest: int, shortest: int = 0
) -> SearchStrategy[TaggedStream]:
    times = st.sampled_from(steps).map(lambda seconds: seconds * SECOND)
    pairs = st.lists(st.tuples(times, element), min_size=shortest, max_size=longest)
    timed = pairs.map(_timed)
    shape = StreamShape("R", ATTRIBUTES)
    return timed.map(lambda elements: TaggedStream(shape, tuple(place(elements))))


def two_streams(longest: int = 8, shortest: int = 0) -> SearchStrategy[dict[str, TaggedStream]]:
    """The streams R and S."""
    first = contested_streams(longest, shortest)
    second = first.map(lambda stream: TaggedStream(StreamShape("S", ATTRIBUTES), stream.elements))
    return st.fixed_dictionaries({"R": first, "S": second})


def _timed(steps: Sequence[tuple[int, Element]]) -> list[Element]:
    found: list[Element] = []
    now = 0
    for step, element in steps:
        now = max(0, now + step)
        match element:
            case StreamTuple():
                found.append(replace(element, time=now))
            case TickTag():
                found.append(replace(element, timestamp=now))
    return found
