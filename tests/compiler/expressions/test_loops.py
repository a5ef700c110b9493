"""for, some, every, if and sequences inside one item: order, nesting, spaces between values."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pyspark.sql import SparkSession

from millstream.algebra.expressions import (
    CONTEXT,
    EMPTY,
    Arithmetic,
    Call,
    Compare,
    Each,
    If,
    Literal,
    NewElement,
    PathTo,
    Quantified,
    Sequence,
    Text,
)
from tests.compiler.expressions.cases import Table, expected, texts, truths
from tests.compiler.expressions.samples import path, step

F, T = False, True
READINGS = path("reading")
VALUE = path("value", "r")
ONE = Literal(1)


def data(text: str, variable: str = "p") -> Call:
    return Call("data", (path(text, variable),))


SEQUENCES: Table = {
    "values": (Sequence((ONE, Literal("<"), data("size"))), ["1 &lt; 3 10 3", "1 &lt;",
        "1 &lt; 1.5  4  99999999999999999999", "1 &lt; -1"]),
    "nodes between values": (Sequence((ONE, path("reading/quality"), Literal(2))), [
        "1<quality>1</quality><quality>3</quality>2", "1 2",
        "1<quality>0x1p3</quality><quality/>2", "1 2"]),
    "values beside nodes": (Sequence((data("size"), path("mark"), data("phc"), ONE)), [
        '3 10 3<mark by="me">5</mark>24 1', "0 1",
        "1.5  4  99999999999999999999<mark>1f</mark>many 1",
        '-1<mark by="">-3</mark>-9223372036854775808 1']),
    "empty values": (Sequence((Literal(""), Literal(""), path("nothing"))),
        [" <nothing/>", " ", " ", " "]),
    "nothing": (EMPTY, ["", "", "", ""]),
    "choice of values": (Sequence((ONE, If(path("note"), data("note"), EMPTY), ONE)),
        ["1  a &lt; b &amp; c  1", "1 1", "1 12 1", "1  1"]),
    "choice of nodes": (If(path("note"), path("phc"), path("@id")),
        ["<phc>24</phc>", "", "<phc>many</phc>", "<phc>-9223372036854775808</phc>"]),
    "choice of both": (Sequence((ONE, If(path("en"), path("en"), Literal(2)), ONE)),
        ["1<en>1.30</en>1", "1 2 1", "1<en/>1", "1<en>-0.000000000000000001</en>1"]),
}  # fmt: skip

LOOPS: Table = {
    "nodes": (Each("r", READINGS, VALUE),
        ["<value>1.10</value><value>2.2</value><value>0.7</value>", "",
         "<value>1d</value><value>3</value>",
         "<value>12345678901234567.000000000000000001</value><value>-12345678901234567</value>"]),
    "condition": (Each("r", READINGS, VALUE, Compare("<", VALUE, Literal(2))),
        ["<value>1.10</value><value>0.7</value>", "", "", "<value>-12345678901234567</value>"]),
    "values": (Each("r", READINGS, Arithmetic("*", VALUE, Literal(2))),
        ["2.2 4.4 1.4", "", "6", "2.4691357802469136E16 -2.4691357802469136E16"]),
    "several a round": (Each("r", READINGS, Sequence((data("value", "r"), path("flag", "r"), ONE))),
        ["1.10<flag>f</flag><flag>g</flag>1 2.2 1 0.7<flag>g</flag>1", "", "1d 1 3 1",
         "12345678901234567.000000000000000001 1 -12345678901234567 1"]),
    "constructed": (Each("r", READINGS, NewElement("v", (), (path("@unit", "r"), VALUE))),
        ['<v unit="keV"><value>1.10</value></v><v><value>2.2</value></v>'
         '<v unit="eV"><value>0.7</value></v>', "",
         '<v unit="&lt;"><value>1d</value></v><v><value>3</value></v>',
         "<v><value>12345678901234567.000000000000000001</value></v>"
         "<v><value>-12345678901234567</value></v>"]),
    "nested": (Each("r", READINGS, Each("f", path("flag", "r"),
        NewElement("x", (), (data("", "f"), Text(":"), data("value", "r"))))),
        ["<x>f:1.10</x><x>g:1.10</x><x>g:0.7</x>", "", "", ""]),
    "two loops over one path": (Each("a", path("size"), Each("b", path("size"),
        Call("concat", (PathTo("a"), PathTo("b"))), Compare("<", PathTo("a"), PathTo("b")))),
        ["310 310", "", "", ""]),
    "over one node": (Each("e", path("en"), Sequence((PathTo("e"), ONE))),
        ["<en>1.30</en>1", "", "<en/>1", "<en>-0.000000000000000001</en>1"]),
    "over values": (
        Each("n", Sequence((ONE, Literal(2), path("phc"))), Arithmetic("+", PathTo("n"), ONE)),
        ["2 3 25", "2 3 1", "2 3", "2 3 -9223372036854775807"]),
    "over what is computed": (
        Each("n", Call("sum", (path("size"),)), Sequence((PathTo("n"), PathTo("n")))),
        ["16 16", "0 0", "4 4", "-1 -1"]),
    "over distinct values": (Each("s", Call("distinct-values", (path("size"),)),
        Call("count", (PathTo("p", (step("size", Compare("=", PathTo(CONTEXT), PathTo("s"))),)),))),
        ["2 1", "", "0 1 0", "1"]),
}  # fmt: skip

QUANTIFIERS: Table = {
    "some": (Quantified(F, "r", READINGS, Compare(">", VALUE, Literal(2))), [T, F, T, T]),
    "every": (Quantified(T, "r", READINGS, path("quality", "r")), [F, T, T, F]),
    "some of one": (Quantified(F, "e", path("en"), Compare(">", PathTo("e"), ONE)), [T, F, F, F]),
    "every of none": (Quantified(T, "e", path("en"), Literal(F)), [F, T, F, F]),
    "nested": (Quantified(F, "r", READINGS, Quantified(T, "f", path("flag", "r"),
        Compare("=", PathTo("f"), Literal("g")))), [T, F, T, T]),
    "with the outer variable": (Quantified(F, "r", READINGS,
        Compare("=", path("quality", "r"), path("size"))), [T, F, F, F]),
    "choice": (If(path("note"), path("raw"), Literal(T)), [T, T, T, F]),
}  # fmt: skip


@pytest.mark.spark
@pytest.mark.parametrize("table", [SEQUENCES, LOOPS], ids=["sequences", "loops"])
def test_sequences_print(spark: SparkSession, table: Table) -> None:
    assert texts(spark, table) == expected(table)


@pytest.mark.spark
def test_quantifiers(spark: SparkSession) -> None:
    assert truths(spark, QUANTIFIERS) == expected(QUANTIFIERS)


@pytest.mark.spark
def test_not_of_a_quantifier_is_its_opposite(spark: SparkSession) -> None:
    opposite: Table = {
        name: (replace(each, condition=Call("not", (each.condition,)), every=not each.every), [])
        for name, (each, _) in QUANTIFIERS.items()
        if isinstance(each, Quantified)
    }
    found = truths(spark, opposite)
    wanted = {name: [not one for one in QUANTIFIERS[name][1]] for name in opposite}
    assert found == wanted
