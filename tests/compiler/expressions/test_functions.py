"""The function library over clean and dirty items."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from millstream.algebra.expressions import Call, Expression, Literal, NewElement, Sequence
from millstream.algebra.functions import FUNCTIONS as LIBRARY
from millstream.compiler.expressions import render
from millstream.compiler.functions import FUNCTIONS
from millstream.errors import UnsupportedError
from tests.compiler.expressions.cases import Table, constant, expected, texts
from tests.compiler.expressions.samples import path


def call(function: str, *arguments: Expression | str | int | float) -> Call:
    given = (
        each if not isinstance(each, str | int | float) else Literal(each) for each in arguments
    )
    return Call(function, tuple(given))


AGGREGATES: Table = {
    "count": (call("count", path("size")), ["3", "0", "3", "1"]),
    "count below": (call("count", path("reading/flag")), ["3", "0", "0", "0"]),
    "count of one": (call("count", path("en")), ["1", "0", "1", "1"]),
    "count of a list": (call("count", Sequence((path("en"), path("tag")))), ["4", "0", "3", "2"]),
    "sum": (call("sum", path("size")), ["16", "0", "4", "-1"]),
    "sum, exactly": (call("sum", path("reading/value")), ["4", "0", "3", "0.000000000000000001"]),
    "sum of text": (call("sum", path("tag")), ["0", "0", "7", "0"]),
    "avg": (call("avg", path("size")), ["5.333333333333333333", "", "4", "-1"]),
    "avg, half up": (call("avg", path("reading/value")),
        ["1.333333333333333333", "", "3", "0.000000000000000001"]),
    "min": (call("min", path("size")), ["3", "", "4", "-1"]),
    "max": (call("max", path("reading/value")),
        ["2.2", "", "3", "12345678901234567.000000000000000001"]),
    "max of a double": (call("max", path("flux")), ["2.5E-7", "", "NaN", "-INF"]),
    "min of times": (call("min", path("day")), ["2003-10-31", "", "2003-11-01T10:00+0200", ""]),
    "max of times": (call("max", path("day")), ["2003-11-02", "", "2003-11-01T10:00+0200", ""]),
    "max of texts": (call("max", path("tag")), ["y &amp; z", "", "x", "é𝄞"]),
}  # fmt: skip

VALUES: Table = {
    "string": (call("string", path("en")), ["1.30", "", "", "-0.000000000000000001"]),
    "string of raw": (call("string", path("raw")), ["some bold text", "", "&amp;", ""]),
    "string of several": (call("string", path("tag")), ["", "", "", "é𝄞"]),
    "number": (call("number", path("coord/cel/dec")), ["-45", "NaN", "NaN", "NaN"]),
    "data": (call("data", path("size")), ["3 10 3", "", "1.5  4  99999999999999999999", "-1"]),
    "distinct numbers": (call("distinct-values", path("size")),
        ["3 10", "", "1.5  4  99999999999999999999", "-1"]),
    "distinct texts": (call("distinct-values", path("reading/flag")), ["f g", "", "", ""]),
    "distinct times": (call("distinct-values", path("day")), ["2003-11-02 2003-10-31", "",
        "yesterday 2003-11-1 2003-11-01T10:00+0200", ""]),
    "name": (call("name", path("coord")), ["coord", "", "coord", "coord"]),
    "name of the first": (call("name", path("*")), ["phc"] * 4),
    "name of an attribute": (call("name", path("@id")), ["id", "", "id", "id"]),
    "zero-or-one": (call("zero-or-one", path("en")),
        ["<en>1.30</en>", "", "<en/>", "<en>-0.000000000000000001</en>"]),
    "string-length": (call("string-length", path("tag/text()")), ["0", "0", "0", "2"]),
    "normalize-space": (call("normalize-space", path("note")), ["a &lt; b &amp; c", "", "12", ""]),
    "contains": (call("contains", path("note"), " < "), ["true", "false", "false", "false"]),
    "empty": (call("empty", path("en")), ["false", "true", "false", "false"]),
    "exists": (call("exists", path("reading/@unit")), ["true", "false", "true", "false"]),
}  # fmt: skip

CONSTANTS = (
    (call("concat", "a", Sequence(()), 1, True), "a1true"),
    (call("starts-with", "abc", "ab"), "true"),
    (call("ends-with", "abc", "ab"), "false"),
    (call("contains", "abc", ""), "true"),
    (call("upper-case", "éa"), "ÉA"),
    (call("lower-case", "AB"), "ab"),
    (call("substring", "12345", 2), "2345"),
    (call("substring", "12345", 2, 3), "234"),
    (call("substring", "12345", 0, 3), "12"),
    (call("substring", "12345", 1.5, 2.6), "234"),
    (call("substring", "12345", -42, float("inf")), "12345"),
    (call("substring", "12345", float("nan"), 3), ""),
    (call("substring", "12345", 1, float("nan")), ""),
    (call("substring", "12345", 7, -2), ""),
    (call("string-join", Sequence((Literal("a"), Literal(1.0))), "-"), "a-1"),
    (call("local-name", NewElement("m:a")), "a"),
    (call("name", NewElement("m:a")), "m:a"),
    (call("string", NewElement("a", (), (Literal("x<"), NewElement("b")))), "x&lt;"),
    (call("not", call("true")), "false"),
    (call("not", call("false")), "true"),
    (call("exactly-one", 5), "5"),
)


@pytest.mark.spark
@pytest.mark.parametrize("table", [AGGREGATES, VALUES], ids=["aggregates", "values"])
def test_functions_of_paths(spark: SparkSession, table: Table) -> None:
    assert texts(spark, table) == expected(table)


@pytest.mark.spark
def test_functions_of_constants(spark: SparkSession) -> None:
    assert constant(spark, [each for each, _ in CONSTANTS]) == [value for _, value in CONSTANTS]


def test_the_whole_library_runs() -> None:
    assert set(LIBRARY) <= FUNCTIONS


def test_other_functions_are_unsupported() -> None:
    with pytest.raises(UnsupportedError, match=r"doc\(\)"):
        render(call("doc", "x"), {})
