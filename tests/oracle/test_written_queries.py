"""Queries written by hand, each for a construct, give what XQuery gives, by the oracle."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from millstream.languages.xquery import compile_text
from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType
from millstream.testing.reference import evaluate
from millstream.testing.saxon import canonical, run

LEVELS = Schema(
    "levels",
    Element(
        "level",
        Occurs.MANY,
        Content.NESTED,
        (
            Element("at", type=ValueType.INTEGER),
            Element("height", Occurs.OPTIONAL, type=ValueType.DECIMAL),
            Element("river"),
            Element(
                "gauge",
                Occurs.MANY,
                Content.NESTED,
                (Element("value", type=ValueType.DOUBLE), Element("remark", Occurs.MANY)),
                (Attribute("no", ValueType.INTEGER),),
            ),
        ),
        (Attribute("id"),),
    ),
)
ITEMS = (
    '<level id="a"><at>1</at><height>2.50</height><river>Isar</river>'
    '<gauge no="1"><value>2.25</value><remark>calm</remark><remark>clear</remark></gauge>'
    '<gauge no="2"><value>3.5</value></gauge></level>',
    "<level><at>2</at><river>Inn &amp; Salzach</river></level>",
    '<level id="c"><at>3</at><height>4</height><river>Inn</river>'
    '<gauge no="10"><value>4</value><remark/></gauge></level>',
    '<level id="d"><at>3</at><height>0.5</height><river/>'
    "<gauge><value>-1</value><remark>ice</remark></gauge></level>",
)


class Levels:
    """The one stream of these tests."""

    def schema(self, stream_name: str, /) -> Schema:
        return LEVELS

    def names(self) -> tuple[str, ...]:
        return ("levels",)


def written_queries() -> list[str]:
    """The queries of the file, which stand between empty lines."""
    text = (Path(__file__).parent / "written_queries.xq").read_text(encoding="utf-8")
    return text.strip().split("\n\n")


@pytest.mark.parametrize("text", written_queries())
def test_a_query_gives_what_xquery_gives(text: str) -> None:
    query = compile_text(text, Levels())
    arrivals = [("levels", item) for item in ITEMS]
    answer = query.opening + "".join(evaluate(query, arrivals).results) + query.closing
    oracle = "".join(run(text, {"levels": f"<levels>{''.join(ITEMS)}</levels>"}))
    assert canonical(answer, numbers=True) == canonical(oracle, numbers=True)


def test_each_is_answered_with_something() -> None:
    documents = {"levels": f"<levels>{''.join(ITEMS)}</levels>"}
    for text in written_queries():
        assert len(etree.fromstring(f"<all>{''.join(run(text, documents))}</all>")) > 0
