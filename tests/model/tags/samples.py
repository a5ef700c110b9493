"""The stream of the tick-tag examples, and random parts of tagged streams."""

from __future__ import annotations

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
    TagType,
    TickTag,
    on_attributes,
    tick_tag,
)
from millstream.model.tags.duration import UNITS
from millstream.model.tags.stix import Reference, Stix

MINUTE = UNITS["min"]

PATIENTS = StreamShape(
    "Patients",
    (
        StreamAttribute("pid"),
        StreamAttribute("measure", ValueType.INTEGER),
        StreamAttribute("loc"),
        StreamAttribute("device/battery", ValueType.DECIMAL),
        StreamAttribute("device/@model"),
    ),
)


def panic_attack(timestamp: int = 0) -> TickTag:
    """The first example of a tick-tag."""
    return tick_tag(
        "Panic Attack",
        tagger="ann",
        timestamp=timestamp,
        applicability=on_attributes("loc.value"),
        sign=Sign.NEGATIVE,
        lifespan=MINUTE,
        mode=Mode.OVERWRITE,
    )


def running(timestamp: int = 0) -> TickTag:
    """The second example of a tick-tag."""
    return tick_tag(
        "Running",
        tagger="ann",
        timestamp=timestamp,
        applicability=on_attributes("measure"),
        sign=Sign.POSITIVE,
        lifespan=30 * MINUTE,
        mode=Mode.OVERWRITE,
    )


CHARACTERS = st.characters(codec="utf-8", min_codepoint=32, exclude_characters="\x7f\ufffe\uffff")
TEXTS = st.text(CHARACTERS | st.sampled_from("<>&\"'|,{}()\n\t\r "), max_size=12)
NAMES = st.text(CHARACTERS, min_size=1, max_size=8)
FILLED = TEXTS.filter(str.strip)
TIMES = st.integers(-(10**15), 10**15)
PATTERNS = st.one_of(
    st.just("*"),
    st.sampled_from(["p.*", "a{1,2}", 'say "hi"', " x ", "p1|p2", r"\*", "[a-c]+,?"]),
).map(NamePattern)


def objects() -> SearchStrategy[tuple[ObjectName, ...]]:
    each = st.builds(ObjectName, st.sampled_from(PATIENTS.names), st.booleans())
    return st.lists(each, max_size=3, unique=True).map(tuple)


APPLICABILITIES = st.builds(Applicability, PATTERNS, PATTERNS, objects())
HERE = st.builds(Applicability, st.just(NamePattern()), PATTERNS, objects())
LIFESPANS = st.none() | st.integers(1, 10**13)


def tags() -> SearchStrategy[TickTag]:
    rest = (st.sampled_from(TagType), st.sampled_from(Sign), LIFESPANS)
    filled = st.builds(TickTag, FILLED, HERE, FILLED, *rest, st.sampled_from(Mode), TIMES)
    return filled | st.builds(
        TickTag, FILLED, HERE, st.just(""), *rest, st.just(Mode.OVERWRITE), TIMES
    )


def stixes() -> SearchStrategy[Stix]:
    attributes = st.lists(st.integers(1, 9), unique=True, max_size=5).map(sorted).map(tuple)
    references = st.lists(
        st.builds(Reference, st.integers(1, 12), attributes),
        min_size=1,
        max_size=6,
        unique_by=lambda reference: reference.offset,
    )
    entries = references.map(lambda each: tuple(sorted(each)))
    return st.lists(entries, min_size=1, max_size=4).map(tuple).map(Stix)


def tuples() -> SearchStrategy[StreamTuple]:
    numbers = st.none() | st.integers(-(2**63), 2**63 - 1).map(str)
    decimals = st.none() | st.sampled_from(("24.00", "-0.5", "+3", ".5", "7."))
    texts = st.none() | TEXTS
    return st.builds(StreamTuple, TEXTS, TIMES, st.tuples(texts, numbers, texts, decimals, texts))


def elements() -> SearchStrategy[list[Element]]:
    return st.lists(tags() | stixes() | tuples(), max_size=8)
