"""Subscriptions to boxes that come and go: looked up on a grid, each gets what it gets alone."""

from __future__ import annotations

import random

import pytest

import millstream
from millstream.compiler import costs
from millstream.generators.photons import PHOTONS_DTD, generate
from millstream.runtime import channel_views
from millstream.runtime.session import SparkSession
from millstream.testing.direct_feed import DirectFeed
from tests.runtime.photon_subscriptions import PHOTONS, Stay
from tests.runtime.test_come_and_go import BATCHES, TYPES, alone, batches_of, come_and_go

EDGES = ("0.0", "120.0", "138.0", "-49.0", "359.9999", "90", "-90")


def stays(number: int, seed: int) -> dict[str, Stay]:
    """Boxes of all sizes, as items and below windows; about half are there all the time."""
    draw = random.Random(seed)
    found = {}
    for index in range(number):
        comes = draw.choice((0, 0, draw.randrange(BATCHES)))
        goes = draw.choice((None, None, draw.randint(comes + 1, BATCHES)))
        shape = draw.choice((items, items, items, averages, keyed))
        found[f"s{index}"] = Stay(shape(draw), comes, goes)
    return found


def items(draw: random.Random) -> str:
    ra, dec = between(draw, "coord/cel/ra", 0, 360), between(draw, "coord/cel/dec", -90, 90)
    where = f"{ra} and {dec}" if draw.random() < 0.5 else f"{ra} and {dec} and en >= 0.4"
    return f"<o>{{ for $p in {PHOTONS}[{where}] return <b>{{ $p/det_time }}</b> }}</o>"


def averages(draw: random.Random) -> str:
    window = draw.choice(("20 step 10", "40 step 20", "60 step 60"))
    return (
        f"<o>{{ for $w in {PHOTONS}[{between(draw, 'coord/cel/ra', 0, 360)}]"
        f"|det_time diff {window}| let $a := avg($w/en) return <a>{{ $a }}</a> }}</o>"
    )


def keyed(draw: random.Random) -> str:
    where = f"coord/det/dx = {draw.randrange(9)} and {between(draw, 'en', 0, 3)}"
    return f"<o>{{ for $p in {PHOTONS}[{where}] return <k>{{ $p/en }}</k> }}</o>"


def between(draw: random.Random, path: str, least: float, most: float) -> str:
    low = draw.uniform(least, most)
    high = min(most, low + (most - least) * draw.choice((0.01, 0.1, 0.5, 1.0)))
    bounds = [f"{low:.3f}", f"{high:.3f}"]
    inside = [each for each in EDGES if least <= float(each) <= most]
    if inside and draw.random() < 0.3:
        bounds[draw.randrange(2)] = draw.choice(inside)
    first, second = sorted(bounds, key=float)
    return f"{path} >= {first} and {path} <= {second}"


@pytest.mark.spark
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("number", "seed"), [(40, 1), pytest.param(300, 2, marks=pytest.mark.long)]
)
def test_boxes_on_a_grid(
    spark: SparkSession, number: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, cost in {"PAIR": 1e9, "GRID": 0.0, "ROW": 1.0}.items():
        monkeypatch.setattr(costs, name, cost)
    ways = watched(monkeypatch)
    batches = batches_of(list(generate(600, rate=3, seed=seed)))
    wanted = stays(number, seed)
    with millstream.open(None, spark=spark) as mill:
        mill.create_stream("photons", "nowhere", schema=PHOTONS_DTD, types=TYPES)
        feed = DirectFeed(mill, "photons")
        for index, batch in enumerate(batches):
            come_and_go(mill, wanted, index)
            feed.push(batch)
        come_and_go(mill, wanted, BATCHES)
        feed.end()
        for name, stay in wanted.items():
            assert list(mill.subscriptions[name].results()) == alone(mill, name, stay, batches), (
                f"{name}, from {stay.comes} to {stay.goes}: {stay.text}"
            )
    assert any(each.startswith("grid of 2 dimensions") for each in ways), "boxes lie on a grid"
    assert any(" within coord/det/dx" in each for each in ways), "and keys stay keys"


def watched(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """All ways that are chosen from here on, described."""
    ways = set()
    choose = channel_views.choose_matching

    def remembered(*given: object) -> object:
        matching = choose(*given)  # type: ignore[arg-type]
        ways.add(str(matching))
        return matching

    monkeypatch.setattr(channel_views, "choose_matching", remembered)
    return ways
