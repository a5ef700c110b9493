"""Items that are asked in time, with the tags on them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import millstream
from millstream.errors import QueryError, UnsupportedError
from millstream.generators.credit import credit_structure
from millstream.languages.xquery.translation import translate
from millstream.mill import Mill
from millstream.runtime.session import SparkSession
from millstream.testing.direct_feed import DirectFeed
from millstream.testing.no_spark import NoSpark
from tests.runtime.history.test_items import DTD, TYPES
from tests.runtime.history.without_spark import current, standing

SEVERE = 'for $i in stream("a")//i?[now - PT5S, now] where tags($i) = "severe" return $i/v'
WITH = 'for $i in stream("a")//i?[now - PT9S, now] where $i/v > 1 return $i/v with tags'
PAIRS = """for $x in stream("a")//i, $y in stream("a")//i?[vtFrom($x) + PT1S, vtFrom($x) + PT1S]
  where tags($x) = tags($y) return <p>{ string($x/@id) }{ string($y/@id) }</p>"""


def opened(folder: Path) -> Mill:
    mill = millstream.open(folder, spark=NoSpark())  # type: ignore[arg-type]
    if "a" not in mill.streams:
        mill.create_stream("a", "nowhere", schema=DTD, types=TYPES, order_by="t")
        for name, text in {"severe": SEVERE, "with": WITH, "pairs": PAIRS}.items():
            mill.subscribe(text, name=name)
    return mill


def item(time: int) -> str:
    return f'<i id="{time}"><t>{time}</t><v>{time % 4}</v></i>'


def severe(mill: Mill) -> None:
    """A tag on the items from the tenth second to the thirteenth."""
    on = {"applicability": "*,*,{v}", "time": "10", "lifespan": "4 s"}
    mill.attach("a", "severe", tagger="ann", **on)  # type: ignore[arg-type]


def fed(mill: Mill) -> None:
    """Items of 20 seconds in four steps, with tags that are attached between them."""
    feed = DirectFeed(mill, "a")
    severe(mill)
    for start in range(0, 20, 5):
        feed.push([item(time) for time in range(start, start + 5)])
        if start == 5:
            mill.attach("a", 'late <&> "well"', tagger="bob", applicability="*,*,{}")


def on(number: int) -> list[str]:
    """The severe ones among the last six of the items up to one."""
    return [f"<v>{each % 4}</v>" for each in range(number - 5, number + 1) if 10 <= each <= 13]


def test_tags_choose_items_of_a_time(tmp_path: Path) -> None:
    with opened(tmp_path / "space") as mill:
        feed = DirectFeed(mill, "a")
        severe(mill)
        for start in range(0, 20, 5):
            feed.push([item(time) for time in range(start, start + 5)])
            wanted = sorted(on(start + 4))
            assert sorted(current(mill, "severe").elements()) == wanted
            assert sorted(mill.query(SEVERE).items) == wanted


def test_results_have_the_tags_of_what_is_bound_before_them(tmp_path: Path) -> None:
    with opened(tmp_path / "space") as mill:
        fed(mill)
        given = mill.query(WITH).items
        found = list(standing(mill, "with").current().values())
        framed = mill.query(f"<o>{{ {WITH.removesuffix(' with tags')} }}</o> with tags").items
    says = [each.partition(">")[2].removesuffix("</tag>") for each in given if "<tag" in each]
    assert says == ["severe", 'late &lt;&amp;&gt; "well"', "severe"]
    assert [each for each in given if "<tag" not in each] == ["<v>2</v>", "<v>3</v>"] * 3
    assert sorted("".join(each) for each in found) == sorted("".join(each) for each in cut(given))
    assert framed == (f"<o>{''.join(given)}</o>",)
    assert 'tagger="ann" applicability="*,*,{v}"' in given[0]


def test_who_does_not_ask_for_tags_may_be_answered_on_spark() -> None:
    structures = {"credit": credit_structure()}
    plain = 'for $a in stream("credit")//account?[now] return $a'
    asking = plain.replace("return", "where tags($a) = 'x' return")
    asks = [translate(text, structures).asks_tags for text in (plain, asking, f"{plain} with tags")]
    assert asks == [False, True, True]


def test_what_is_bound_to_values_has_no_tags(tmp_path: Path) -> None:
    values = 'for $v in distinct-values(stream("a")//i?[now - PT9S, now]/v) order by $v'
    with opened(tmp_path / "space") as mill:
        fed(mill)
        found = mill.query(f"{values} return <v>{{ $v }}</v> with tags").items
    assert found == tuple(f"<v>{number}</v>" for number in range(4))


def cut(items: Sequence[str]) -> Iterator[list[str]]:
    """Results with the tags before them."""
    found: list[str] = []
    for each in items:
        found.append(each)
        if "<tag" not in each:
            yield found
            found = []


def test_pairs_have_a_tag_in_common(tmp_path: Path) -> None:
    with opened(tmp_path / "space") as mill:
        fed(mill)
        assert sorted(current(mill, "pairs")) == ["<p>1011</p>", "<p>1112</p>", "<p>1213</p>"]
        assert sorted(mill.query(PAIRS).items) == sorted(current(mill, "pairs"))


def test_an_index_is_made_again_with_tags(tmp_path: Path) -> None:
    with opened(tmp_path / "space") as mill:
        fed(mill)
        wanted = current(mill, "pairs")
    index = tmp_path / "space" / "index.sqlite"
    with sqlite3.connect(index) as database:
        database.execute("ALTER TABLE fillers DROP COLUMN tags")
        database.execute("PRAGMA user_version = 0")
    with opened(tmp_path / "space") as mill:
        mill.subscribe(PAIRS, name="again")
        mill.runner("a").shared_batch.answer_new()
        assert current(mill, "again") == wanted == current(mill, "pairs")


def test_tags_are_asked_of_items_and_not_on_spark(tmp_path: Path) -> None:
    with opened(tmp_path / "space") as mill:
        fed(mill)
        with pytest.raises(QueryError, match="asked of items"):
            mill.subscribe('for $i in stream("a")//i?[now] where tags(3) = "x" return $i')
        with pytest.raises(UnsupportedError, match="Spark is not told"):
            mill.query(SEVERE, engine="spark")


@pytest.mark.spark
def test_tags_of_a_query_are_on_events_in_the_step_that_brings_them(
    tmp_path: Path, spark: SparkSession
) -> None:
    high = 'for $i in stream("a")//i?[now - PT2S, now] where tags($i) = "High" return $i/v/text()'
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        mill.create_stream("a", "nowhere", schema=DTD, types=TYPES, order_by="t")
        mill.subscribe("ATTACH TAG 'High' CONTINUOUSLY TO a WHERE v > 1", name="tagger")
        mill.subscribe(high, name="high")
        feed = DirectFeed(mill, "a")
        for start in (0, 4):
            feed.push([item(time) for time in range(start, start + 4)])
            assert sorted(current(mill, "high")) == ["2", "3"]
            assert sorted(mill.query(high).items) == ["2", "3"]
