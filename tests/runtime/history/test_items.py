"""Streams of items asked in time: an item is an event."""

from __future__ import annotations

from pathlib import Path

import pytest

import millstream
from millstream.errors import UnsupportedError
from millstream.generators.credit import credit_structure
from millstream.mill import Mill
from millstream.model.tag_structure_text import tag_structure_text
from millstream.runtime.history.standing_subscription import StandingSubscription
from millstream.runtime.session import SparkSession
from millstream.testing.direct_feed import DirectFeed
from millstream.testing.filler_feed import FillerFeed
from millstream.testing.no_spark import NoSpark
from tests.history.credit import ALL
from tests.runtime.history.without_spark import check, current

DTD = (
    "<!ELEMENT r (i*)><!ELEMENT i (t, v)><!ATTLIST i id CDATA #REQUIRED>"
    "<!ELEMENT t (#PCDATA)><!ELEMENT v (#PCDATA)>"
)
TYPES = {"t": "integer", "v": "integer"}
QUERIES = {
    "recent": 'for $i in stream("a")//i?[now - PT5S, now] where $i/v > 1 return $i',
    "last": 'for $i in stream("a")/r/i#[last] return string($i/@id)',
    "close": """
      for $x in stream("a")//i, $y in stream("b")//i?[vtFrom($x) - PT1S, vtFrom($x) + PT1S]
      where $x/v = $y/v return <p x="{ $x/@id }" y="{ $y/@id }"/>""",
}


def items(start: int, stop: int) -> list[str]:
    return [
        f'<i id="{number}"><t>{number - 2 * (number % 3)}</t><v>{number % 4}</v></i>'
        for number in range(start, stop)
    ]


def opened(space: Path, spark: object) -> Mill:
    mill = millstream.open(space, spark=spark)  # type: ignore[arg-type]
    for name in ("a", "b"):
        mill.create_stream(name, "nowhere", schema=DTD, types=TYPES, order_by="t")
    return mill


def test_items_are_asked_in_time(tmp_path: Path) -> None:
    with opened(tmp_path / "space", NoSpark()) as mill:
        for name, text in QUERIES.items():
            mill.subscribe(text, name=name)
        feeds = {name: DirectFeed(mill, name) for name in ("a", "b")}
        for start in range(0, 40, 8):
            for name, feed in feeds.items():
                feed.push(items(start, start + 8))
                if start or name == "b":
                    check(mill, QUERIES)
        assert all(current(mill, name) for name in QUERIES)


def test_items_without_a_time_are_no_events(tmp_path: Path) -> None:
    with millstream.open(tmp_path / "space", spark=NoSpark()) as mill:  # type: ignore[arg-type]
        mill.create_stream("a", "nowhere", schema=DTD, types=TYPES)
        with pytest.raises(UnsupportedError, match="no time"):
            mill.subscribe(QUERIES["recent"])


@pytest.mark.spark
@pytest.mark.timeout(300)
def test_items_without_a_time_do_not_hinder_others(tmp_path: Path) -> None:
    with opened(tmp_path / "space", NoSpark()) as mill:
        mill.create_stream("timeless", "nowhere", schema=DTD, types=TYPES)
        DirectFeed(mill, "a").push(items(0, 3))
        answer = mill.query('for $i in stream("a")//i return string($i/@id)')
        assert sorted(answer.items) == ["0", "1", "2"]


def test_windows_and_histories_live_in_one_mill(spark: SparkSession, tmp_path: Path) -> None:
    with opened(tmp_path / "space", spark) as mill:
        mill.create_stream("credit", "nowhere", schema=tag_structure_text(credit_structure()))
        windows = mill.subscribe(
            '<o>{ for $w in stream("a")/r/i|t diff 4| return <s>{ sum($w/v) }</s> }</o>'
        )
        recent = mill.subscribe(QUERIES["recent"], name="recent")
        limits = mill.subscribe(
            'for $l in stream("credit")//creditLimit?[now] return $l/text()', name="limits"
        )
        DirectFeed(mill, "a").push([f"<i id='{n}'><t>{n}</t><v>{n}</v></i>" for n in range(20)])
        FillerFeed(mill, "credit").push(list(ALL))
        assert next(iter(windows.results())) == "<s>6</s>"
        assert isinstance(recent, StandingSubscription)
        assert len(recent.current()) == 6
        assert list(limits.results()) == ["5000"]
        assert [row["value"] for row in limits.dataframe().collect()] == ["5000"]
        check(mill, ["recent", "limits"])
