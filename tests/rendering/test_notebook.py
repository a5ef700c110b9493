"""Objects as notebooks show them."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree, html

import millstream
from millstream.mill import Mill
from millstream.rendering.html import facts, page, table
from millstream.runtime.session import SparkSession
from millstream.sharing.graphs import DependencyGraph
from millstream.sharing.network import cube

READINGS = """<readings>
  <reading><minute>1</minute><level>2.10</level><note>a &lt; b</note></reading>
  <reading><minute>4</minute><level>2.25</level><note>&lt;script&gt;</note></reading>
</readings>
"""
HIGH = 'for $r in stream("readings")/readings/reading where $r/level >= 2 return <a>{ $r/note }</a>'


def filled(mill: Mill, folder: Path) -> None:
    (folder / "readings.xml").write_text(READINGS)
    mill.create_stream("readings", folder / "readings.xml", order_by="minute", finite=True)
    mill.subscribe(HIGH, name="high")


def texts(shown: str, path: str) -> list[str]:
    """The texts at a path of what a notebook is given."""
    return [each.text_content() for each in html.fromstring(shown).xpath(path)]


def test_table_has_headings_and_rows() -> None:
    shown = table(("name", "count"), [("a<b", 1234), (None, 0.5)])
    assert texts(shown, "//th") == ["name", "count"]
    assert texts(shown, "//td") == ["a<b", "1,234", "", "0.5"]


def test_empty_table_says_so() -> None:
    assert texts(page("x", table(("a",), [], empty="nothing yet")), "//em") == ["nothing yet"]
    assert facts({"items": 1200, "name": "<x>"}) == "items 1,200 · name &lt;x&gt;"


def test_graph_is_a_picture() -> None:
    drawn = DependencyGraph.of(("a", "b"), [("a", "b")])._repr_svg_()
    assert etree.fromstring(drawn.encode()).tag.endswith("svg")


def test_new_mill_shows_what_there_is(tmp_path: Path) -> None:
    with millstream.open(None) as mill:
        assert texts(mill._repr_html_(), "//em") == ["no streams yet", "no subscriptions yet"]
        filled(mill, tmp_path)
        shown = mill._repr_html_()
        assert texts(shown, "//td")[:2] == ["readings", "0"] and "high" in texts(shown, "//td")
        assert html.fromstring(shown).xpath("//img/@src")[0].startswith("data:image/svg+xml")
        explained = mill.explain(HIGH)._repr_html_()
        assert texts(explained, "//summary")[:2] == ["Algebra", "Properties"]
        assert "no results yet" in mill.subscriptions["high"]._repr_html_()
        assert "nothing has come yet" in mill.streams["readings"]._repr_html_()
        assert "what high costs" in mill.costs("high")._repr_html_()


def test_network_is_drawn_where_there_is_one(tmp_path: Path) -> None:
    with Mill(tmp_path / "space", network=cube()) as mill:
        filled(mill, tmp_path)
        drawn = etree.fromstring(mill.network_svg().encode())
        pictures = html.fromstring(mill._repr_html_()).xpath("//img/@alt")
    assert len(drawn.findall(".//{*}circle")) == 8 and len(drawn.findall(".//{*}line")) == 12
    assert pictures == ["who is made from whom", "the network, by load"]


@pytest.mark.spark
@pytest.mark.long
def test_results_and_items_are_tables(tmp_path: Path, spark: SparkSession) -> None:
    with millstream.open(None, spark=spark) as mill:
        filled(mill, tmp_path)
        mill.run()
        results = mill.subscriptions["high"]._repr_html_()
        items = mill.streams["readings"]._repr_html_()
        savings = mill.savings()._repr_html_()
        frame = mill.subscriptions["high"].dataframe().toPandas()
    assert texts(results, "//td") == ["a < b", "<script>"]
    assert texts(items, "//td")[:3] == ["1", "2.10", "a < b"]
    assert texts(savings, "//td")[:3] == ["items parsed", "2", "2"]
    assert list(frame["value"]) == [
        "<a><note>a &lt; b</note></a>",
        "<a><note>&lt;script&gt;</note></a>",
    ]
