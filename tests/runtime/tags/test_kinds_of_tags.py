"""Tags of all kinds on a real mill, step by step: what is selected equals the reference."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

import millstream
from millstream.languages.tagql import parse
from millstream.model.tags import (
    Element,
    Mode,
    PlacedTag,
    StreamAttribute,
    StreamShape,
    StreamTuple,
    parse_applicability,
    parse_stix,
    place,
    tick_tag,
)
from millstream.model.tags.wire import WireOptions, write_xml
from millstream.runtime.session import SparkSession
from millstream.testing.tags import Relation, TaggedStream, answer

pytestmark = [pytest.mark.spark, pytest.mark.timeout(900)]

SHAPE = StreamShape("S", (StreamAttribute("n"), StreamAttribute("place")))
SECOND = 1_000_000
TUPLES = 60
QUERIES = {
    "tags": "SELECT TAGS FROM S WHERE TAG IN ('w0', 'w1', 'w2')",
    "some": "SELECT TAGS FROM S WHERE TAG <> 'w1' AND place WITHIN SQUARE(0, 0, 1)",
    "means": "SELECT TAGS FROM S WHERE TAG EQUIVALENT TO 'W1 '",
    "tagged": "SELECT TAGGED OBJECTS FROM S WHERE TAG = 'w1'",
    "near": "SELECT TAGGED OBJECTS FROM S WHERE TAGGER = 'ann' AND Dist(place, POINT(0, 0)) < 0.5",
}
Between = Callable[[Random, int], Iterator[Element]]
"""What stands before a tuple."""


def tag(
    draw: Random,
    time: int,
    on: str = "*,*,{}",
    lifespan: int | None = None,
    mode: Mode | None = None,
) -> Element:
    return tick_tag(
        f"w{draw.randrange(4)}",
        tagger=draw.choice(("ann", "bob")),
        timestamp=time * SECOND,
        applicability=parse_applicability(on),
        lifespan=lifespan,
        mode=mode or Mode.COMBINE,
    )


def one_by_one(draw: Random, time: int) -> Iterator[Element]:
    if draw.random() < 0.6:
        yield tag(draw, time)


def in_runs(draw: Random, time: int) -> Iterator[Element]:
    if time % 9 == 0:
        yield tag(draw, time, "*,o.*,{}")


def together(draw: Random, time: int) -> Iterator[Element]:
    yield from (tag(draw, time) for _ in range(draw.randrange(3)))


def lasting(draw: Random, time: int) -> Iterator[Element]:
    if time % 5 == 0:
        yield tag(draw, time, lifespan=draw.randrange(1, 12) * SECOND)


def indexed(draw: Random, time: int) -> Iterator[Element]:
    if time % 4 == 0:
        yield parse_stix("(1-3)1")
        yield tag(draw, time)


def mixed(draw: Random, time: int) -> Iterator[Element]:
    kind = draw.choice((one_by_one, in_runs, together, lasting, overwriting, on_attributes))
    yield from kind(draw, time)


def overwriting(draw: Random, time: int) -> Iterator[Element]:
    yield tag(draw, time, lifespan=9 * SECOND, mode=Mode.OVERWRITE)


def on_attributes(draw: Random, time: int) -> Iterator[Element]:
    yield tag(draw, time, draw.choice(("*,*,{n}", "*,*,{n,place}", "*,*,{n.value}")))


KINDS: tuple[Between, ...] = (one_by_one, in_runs, together, lasting, indexed, mixed)


def stream(kind: Between, seed: int) -> list[Element]:
    draw = Random(seed)
    found: list[Element] = []
    for time in range(TUPLES):
        found += kind(draw, time)
        spot = draw.choice(("0.1 0.2", "POINT(0.1, 0.9)", "5 5", "-.4  0", "nowhere"))
        texts = (str(draw.randrange(3)), spot)
        found.append(StreamTuple(f"{draw.choice('ou')}{time}", time * SECOND, texts))
    return found


@pytest.mark.parametrize("kind", KINDS, ids=lambda each: each.__name__)
def test_selections_equal_the_reference(kind: Between, spark: SparkSession, tmp_path: Path) -> None:
    elements = stream(kind, seed=len(kind.__name__))
    lines = "\n".join(write_xml(elements, WireOptions(SHAPE)))
    (tmp_path / "s.xml").write_text(f"<S>\n{lines}\n</S>")
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        mill.create_stream(
            "S", tmp_path / "s.xml", finite=True, format="tagged-xml", max_items_per_batch=25
        )
        for name, text in QUERIES.items():
            mill.subscribe(text, name=name)
        mill.runner("S").drain_here()
        mill.runner("S").end()
        found = {name: list(map(_told, each.wire())) for name, each in mill.subscriptions.items()}
    known = {"S": TaggedStream(SHAPE, tuple(place(elements)))}
    for name, text in QUERIES.items():
        relation = answer(parse(text), known)
        assert found[name] == list(_wanted(relation, elements)), name
    assert any(found.values())


def _told(line: str) -> str:
    element = json.loads(line)
    return str(element["tag"]["content"] if "tag" in element else element["tuple"]["id"])


def _wanted(relation: object, elements: list[Element]) -> Iterator[str]:
    if isinstance(relation, Relation):
        for row in relation:
            element = elements[row.origin[0][1]]
            assert isinstance(element, StreamTuple)
            yield element.id
        return
    assert isinstance(relation, tuple | list)
    for each in relation:
        assert isinstance(each, PlacedTag)
        yield each.tag.content
