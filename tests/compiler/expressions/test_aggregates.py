"""What a row contributes to a window, and the window's variables in expressions."""

from __future__ import annotations

from dataclasses import astuple
from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import SparkSession

from millstream.algebra.expressions import CONTEXT, Call, Compare, Each, Literal, PathTo, Sequence
from millstream.compiler.aggregates import partial
from millstream.compiler.columns import sql_type
from millstream.compiler.expressions import condition, render
from millstream.compiler.scope import NodeColumn, Scope, ValueColumn
from millstream.model.schema import ValueType
from tests.compiler.expressions.cases import SCOPE
from tests.compiler.expressions.rows import create_view, evaluate
from tests.compiler.expressions.samples import ITEMS, PHOTON, SCHEMA, path, step

INTEGER, DECIMAL, DOUBLE = ValueType.INTEGER, ValueType.DECIMAL, ValueType.DOUBLE
TIME, TEXT = ValueType.TIME, ValueType.TEXT
LEAST = -(2**63)
INF = float("inf")

# source, type → for each item: count, values, total, low, high
PARTIALS: dict[tuple[PathTo, ValueType], list[tuple[Any, ...]]] = {
    (path("phc"), INTEGER): [(1, 1, 24, 24, 24), (1, 1, 0, 0, 0), (1, 0, None, None, None),
        (1, 1, LEAST, LEAST, LEAST)],
    (path("phc"), DECIMAL): [(1, 1, 24, 24, 24), (1, 1, 0, 0, 0), (1, 0, None, None, None),
        (1, 1, LEAST, LEAST, LEAST)],
    (path("en"), DECIMAL): [(1, 1, *[Decimal("1.3")] * 3), (0, 0, None, None, None),
        (1, 0, None, None, None), (1, 1, *[Decimal("-1e-18")] * 3)],
    (path("flux"), DOUBLE): [(1, 1, 2.5e-7, 2.5e-7, 2.5e-7), (0, 0, None, None, None),
        (1, 1, "nan", "nan", "nan"), (1, 1, -INF, -INF, -INF)],
    (path("size"), INTEGER): [(3, 3, 16, 3, 10), (0, 0, None, None, None), (3, 1, 4, 4, 4),
        (1, 1, -1, -1, -1)],
    (path("reading/value"), DECIMAL): [(3, 3, 4, Decimal("0.7"), Decimal("2.2")),
        (0, 0, None, None, None), (2, 1, 3, 3, 3),
        (2, 2, Decimal("1e-18"), -12345678901234567,
         Decimal("12345678901234567.000000000000000001"))],
    (path("tag"), TEXT): [(3, 2, "x", "y & z"), (0, 0, None, None), (2, 2, "7", "x"),
        (1, 1, "é𝄞", "é𝄞")],
    (path(""), INTEGER): [(1,), (1,), (1,), (1,)],
}  # fmt: skip


@pytest.mark.spark
def test_contributions_of_a_row(spark: SparkSession) -> None:
    create_view(spark, "partials", SCHEMA, ITEMS)
    found = {}
    for (source, type), expected in PARTIALS.items():
        columns = [each for each in astuple(partial(source, SCOPE, type)) if each is not None]
        wanted = columns[: len(expected[0])]
        found[source, type] = _by_row(evaluate(spark, "partials", wanted))
    assert found == PARTIALS


def test_texts_and_times_have_no_sum() -> None:
    assert partial(path("tag"), SCOPE, TEXT).total is None
    assert partial(path("at"), SCOPE, TIME).total is None


def test_single_integer_is_read_from_its_view() -> None:
    found = partial(path("phc"), SCOPE, INTEGER)
    assert (found.values, found.low) == ("if(b.`=phc` IS NULL, 0L, 1L)", "b.`=phc`")


@pytest.mark.spark
def test_least_time_of_a_window_prints_as_it_was_written(spark: SparkSession) -> None:
    days = partial(path("day"), SCOPE, TIME)
    scope: Scope = {"low": ValueColumn("w.low", TIME), "high": ValueColumn("w.high", TIME)}
    shown = render(Sequence((PathTo("low"), Literal("to"), PathTo("high"))), scope)
    early = condition(Compare("<", PathTo("low"), Literal("2003-11-01T00:00:00Z")), scope)
    create_view(spark, "partials", SCHEMA, ITEMS)
    window = f"SELECT min({days.low}) AS low, max({days.high}) AS high FROM partials b"
    assert tuple(spark.sql(f"SELECT {shown}, {early} FROM ({window}) w").collect()[0]) == (
        "2003-10-31 to 2003-11-02",
        True,
    )


@pytest.mark.spark
def test_values_of_a_window_print_as_numbers(spark: SparkSession) -> None:
    values = {
        "count": (ValueColumn("3L", INTEGER), "3"),
        "sum": (ValueColumn("CAST('12345678901234567890123' AS DECIMAL(38,0))", INTEGER),
            "12345678901234567890123"),
        "avg": (ValueColumn("CAST(1.50 AS DECIMAL(38,18))", DECIMAL), "1.5"),
        "mean": (ValueColumn("1e7D", DOUBLE), "1.0E7"),
        "constant": (ValueColumn("1.3D", DECIMAL), "1.3"),
        "time": (ValueColumn("TIMESTAMP '2003-11-01 10:00:00'", TIME), "2003-11-01 10:00:00"),
        "text": (ValueColumn("'<'", TEXT), "&lt;"),
        "none": (ValueColumn("CAST(NULL AS DOUBLE)", DOUBLE), ""),
    }  # fmt: skip
    scope = {name: column for name, (column, _) in values.items()}
    sql = ", ".join(render(PathTo(name), scope) for name in values)
    assert list(spark.sql(f"SELECT {sql}").collect()[0]) == [text for _, text in values.values()]


@pytest.mark.spark
def test_constants_of_a_subscription_behave_like_literals(spark: SparkSession) -> None:
    scope: Scope = {
        **SCOPE,
        "i": ValueColumn("24L", INTEGER),
        "d": ValueColumn("1.3D", DOUBLE),
        "t": ValueColumn("'2003-11-01T10:00:00Z'", TEXT),
        "n": ValueColumn("CAST(NULL AS DOUBLE)", DOUBLE),
    }
    tests = [
        Compare("=", path("phc"), PathTo("i")),
        Compare("=", path("en"), PathTo("d")),
        Compare("=", path("until"), PathTo("t")),
        Compare("!=", path("en"), PathTo("n")),
    ]
    create_view(spark, "partials", SCHEMA, ITEMS)
    found = evaluate(spark, "partials", [condition(each, scope) for each in tests])
    assert [row[0] for row in found] == [True, True, True, False]


@pytest.mark.spark
def test_contents_of_a_window_are_a_sequence(spark: SparkSession) -> None:
    scope: Scope = {"w": NodeColumn("b.items", PHOTON, many=True)}
    dear = PathTo("w", (step("reading", Compare(">", path("value", CONTEXT), Literal(2))),))
    pairs = Each("a", PathTo("w"), Each("b", PathTo("w"), path("@id", "b"),
        Compare("<", path("phc", "a"), path("phc", "b"))))  # fmt: skip
    expected = {
        render(path("en", "w"), scope): "<en>1.30</en><en/><en>-0.000000000000000001</en>",
        render(Call("count", (PathTo("w"),)), scope): "4",
        render(Call("count", (dear,)), scope): "3",
        render(Call("sum", (path("size", "w"),)), scope): "19",
        render(pairs, scope): 'a"1a"1',
        render(Call("max", (path("phc", "w"),)), scope): "24",
        condition(Compare("=", path("reading/quality", "w"), Literal(3)), scope): True,
        condition(Compare("=", path("phc", "w"), Literal(5)), scope): False,
    }
    create_view(spark, "partials", SCHEMA, ITEMS)
    ordered = "transform(sort_array(collect_list(struct(position, item))), e -> e.item)"
    window = f"SELECT CAST({ordered} AS ARRAY<{sql_type(PHOTON)}>) AS items FROM partials"
    found = spark.sql(f"SELECT {', '.join(expected)} FROM ({window}) b").collect()[0]
    assert list(found) == list(expected.values())


def _by_row(columns: list[list[Any]]) -> list[tuple[Any, ...]]:
    plain = [["nan" if value != value else value for value in column] for column in columns]
    return list(zip(*plain, strict=True))
