"""Paths through single and repeated elements, with predicates and positions."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from millstream.algebra.expressions import CONTEXT, Compare, Literal, PathTo
from millstream.compiler.expressions import condition, render
from millstream.errors import InternalError, UnsupportedError
from tests.compiler.expressions.cases import SCOPE, Table, expected, texts
from tests.compiler.expressions.samples import path, step

SECOND = Literal(2)
GOOD = Compare(">=", path("quality", CONTEXT), Literal(1))

PATHS: Table = {
    "leaf": (path("en"), ["<en>1.30</en>", "", "<en/>", "<en>-0.000000000000000001</en>"]),
    "nested": (path("coord/cel/ra"), ["<ra>130.50</ra>", "", "<ra>INF</ra>", ""]),
    "empty element": (path("nothing"), ["<nothing/>", "", "", ""]),
    "element without children": (path("coord/cel/*")
        , ["<ra>130.50</ra><dec>-45.0</dec>", "", "<ra>INF</ra><dec>1e3</dec>", ""]),
    "attribute": (path("@id"), ['a"1', "", "", "z"]),
    "leaf with attribute": (path("mark"),
        ['<mark by="me">5</mark>', "", "<mark>1f</mark>", '<mark by="">-3</mark>']),
    "attribute of a leaf": (path("mark/@by"), ["me", "", "", ""]),
    "text": (path("note/text()"), [" a &lt; b &amp; c ", "", "12", ""]),
    "raw": (path("raw"),
        ['<raw k="1">some <b>bold</b> text<i/></raw>', "", "<raw>&amp;</raw>", ""]),
    "attribute of raw": (path("raw/@k"), ["1", "", "", ""]),
    "repeated": (path("size"), ["<size>3</size><size>10</size><size>3</size>", "",
        "<size>1.5</size><size> 4 </size><size>99999999999999999999</size>", "<size>-1</size>"]),
    "below repeated": (path("reading/quality"),
        ["<quality>1</quality><quality>3</quality>", "", "<quality>0x1p3</quality><quality/>", ""]),
    "repeated below repeated": (path("reading/flag"),
        ["<flag>f</flag><flag>g</flag><flag>g</flag>", "", "", ""]),
    "attribute below repeated": (path("reading/@unit"), ["keVeV", "", "&lt;", ""]),
    "unknown name": (path("photon/ray"), ["", "", "", ""]),
    "below a leaf": (path("en/ray"), ["", "", "", ""]),
}  # fmt: skip

PREDICATES: Table = {
    "position": (PathTo("p", (step("tag", SECOND),)),
        ["<tag>y &amp; z</tag>", "", "<tag>7</tag>", ""]),
    "position beyond": (PathTo("p", (step("tag", Literal(9)),)), ["", "", "", ""]),
    "position zero": (PathTo("p", (step("tag", Literal(0)),)), ["", "", "", ""]),
    "first of one": (PathTo("p", (step("phc", Literal(1)),)),
        ["<phc>24</phc>", "<phc>0</phc>", "<phc>many</phc>", "<phc>-9223372036854775808</phc>"]),
    "second of one": (PathTo("p", (step("phc", SECOND),)), ["", "", "", ""]),
    "position below each": (PathTo("p", (step("reading"), step("flag", Literal(1)))),
        ["<flag>f</flag><flag>g</flag>", "", "", ""]),
    "condition": (PathTo("p", (step("reading", GOOD), step("value"))),
        ["<value>1.10</value><value>0.7</value>", "", "", ""]),
    "condition, then position": (PathTo("p", (step("reading", GOOD, SECOND), step("value"))),
        ["<value>0.7</value>", "", "", ""]),
    "position, then condition": (PathTo("p", (step("reading", SECOND, GOOD), step("value"))),
        ["", "", "", ""]),
    "existence": (PathTo("p", (step("reading", path("flag", CONTEXT)), step("value"))),
        ["<value>1.10</value><value>0.7</value>", "", "", ""]),
    "condition on one": (PathTo("p", (step("phc", Compare(">", PathTo(CONTEXT), Literal(3))),)),
        ["<phc>24</phc>", "", "", ""]),
    "any child at a position": (PathTo("p", (step("reading", Literal(1)), step("*", SECOND))),
        ["<quality>1</quality>", "", "<quality>0x1p3</quality>", ""]),
    "any child, repeated ones counted": (
        PathTo("p", (step("reading", Literal(3)), step("*", Literal(3)))),
        ["<flag>g</flag>", "", "", ""]),
    "any child with a condition": (
        PathTo("p", (step("*", Compare("=", PathTo(CONTEXT), Literal(3))),)),
        ["<size>3</size><size>3</size>", "", "<reading><value>3</value><quality/></reading>", ""]),
}  # fmt: skip


@pytest.mark.spark
@pytest.mark.parametrize("table", [PATHS, PREDICATES], ids=["plain", "predicates"])
def test_paths_reach_nodes_in_document_order(spark: SparkSession, table: Table) -> None:
    assert texts(spark, table) == expected(table)


def test_single_typed_leaf_is_read_from_its_view() -> None:
    sql = condition(Compare(">", path("coord/cel/ra"), Literal(120)), SCOPE)
    assert sql == "(b.`=coord/cel/ra` IS NOT NULL AND b.`=coord/cel/ra` > 120.0D)"


def test_path_into_raw_content_is_unsupported() -> None:
    with pytest.raises(UnsupportedError, match="cannot look for b inside raw"):
        render(path("raw/b"), SCOPE)


def test_unbound_variable_is_our_mistake() -> None:
    with pytest.raises(InternalError, match=r"\$q is not bound"):
        render(path("en", "q"), SCOPE)
