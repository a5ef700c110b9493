"""A step that breaks off at any point and is run again leaves what an unbroken one leaves.

In one process, for every kind of state; tests/runtime/kill does the same with real kills.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import millstream
from millstream.mill import Mill
from millstream.runtime import crash
from millstream.runtime.session import SparkSession
from millstream.testing.direct_feed import DirectFeed

DTD = (
    "<!ELEMENT r (i*)><!ELEMENT i (t, v)><!ATTLIST i id CDATA #REQUIRED>"
    "<!ELEMENT t (#PCDATA)><!ELEMENT v (#PCDATA)>"
)
TYPES = {"t": "integer", "v": "integer"}
A, B = 'stream("a")/r/i', 'stream("b")/r/i'
QUERIES = {
    "join": f"<o>{{ for $x in {A}, $y in {B} where $x/v = $y/v"
    " return <p>{ $x/t }{ $y/t }</p> }</o>",
    "time": f"<o>{{ for $w in {A}|t diff 4 step 2| return <s>{{ sum($w/v) }}</s> }}</o>",
    "same rows": f"<o>{{ for $w in {A}|t diff 6 step 3| return <a>{{ avg($w/v) }}</a> }}</o>",
    "count": f"<o>{{ for $w in {A}[v > 1]|count 3 step 2| return <m>{{ max($w/v) }}</m> }}</o>",
    "contents": f"<o>{{ for $w in {B}|t diff 3| return <w>{{ $w/v }}</w> }}</o>",
}


def items(start: int, stop: int) -> list[str]:
    # Every fifth item repeats the key of the one before it.
    return [
        f'<i id="{number - (number % 5 == 4)}"><t>{number}</t><v>{number % 4}</v></i>'
        for number in range(start, stop)
    ]


BATCHES = [("a", items(0, 12)), ("b", items(0, 7)), ("a", items(12, 20)), ("b", items(7, 15))]


def opened(space: Path, spark: SparkSession) -> Mill:
    mill = millstream.open(space, spark=spark)
    for name in ("a", "b"):
        if name not in mill.streams:
            mill.create_stream(name, "nowhere", schema=DTD, types=TYPES, key="@id")
    for name, text in QUERIES.items():
        if name not in mill.subscriptions:
            mill.subscribe(text, name=name, empty=name == "time")
    return mill


def outcome(mill: Mill) -> dict[str, list[str]]:
    for name in ("a", "b"):
        mill.runner(name).end()
    found = {name: list(each.results()) for name, each in mill.subscriptions.items()}
    for name, stream in mill.streams.items():
        found[f"quarantine of {name}"] = [each.reason for each in stream.quarantine()]
    return found


@pytest.fixture(scope="module")
def unbroken(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    with opened(tmp_path_factory.mktemp("unbroken") / "space", spark) as mill:
        feeds = {name: DirectFeed(mill, name) for name in ("a", "b")}
        for stream, batch in BATCHES:
            feeds[stream].push(batch)
        return outcome(mill)


class Broken(Exception):
    """What the test raises where a crash would be."""


@pytest.mark.spark
@pytest.mark.timeout(900)
def test_unbroken_run_has_results_of_every_kind(unbroken: dict[str, list[str]]) -> None:
    assert all(unbroken.values())


@pytest.mark.spark
@pytest.mark.timeout(900)
@pytest.mark.parametrize("point", ["parsed", "begun", "evaluated", "committed"])
def test_broken_step_runs_again(
    point: str,
    spark: SparkSession,
    unbroken: dict[str, list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def breaks(reached: str) -> None:
        if reached == point:
            raise Broken

    positions: dict[str, int] = {}
    for stream, batch in BATCHES:
        with opened(tmp_path / "space", spark) as mill, monkeypatch.context() as patched:
            feed = DirectFeed(mill, stream, positions.get(stream, 0))
            patched.setattr(crash, "reach", breaks)
            with pytest.raises(Broken):
                feed.push(batch)
        with opened(tmp_path / "space", spark) as mill:
            mill.runner(stream).shared_batch.resume()
            feed = DirectFeed(mill, stream, positions.get(stream, 0))
            if point == "committed":
                feed.skip(batch)
            else:
                feed.push(batch)
            positions[stream] = feed.position
    with opened(tmp_path / "space", spark) as mill:
        assert outcome(mill) == unbroken
