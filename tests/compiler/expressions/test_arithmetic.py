"""Arithmetic on integers and doubles, on nothing, on too much, and on zero."""

from __future__ import annotations

from decimal import Decimal

import pytest
from pyspark.sql import SparkSession

from millstream.algebra.expressions import Arithmetic, Call, Expression, Literal, Sequence
from tests.compiler.expressions.cases import Table, constant, expected, texts
from tests.compiler.expressions.samples import path

LEAST = -(2**63)


def on(left: object, operator: str, right: object) -> Arithmetic:
    return Arithmetic(operator, _operand(left), _operand(right))


def _operand(value: object) -> Expression:
    assert isinstance(value, int | Decimal | float | str | tuple)
    return Sequence(tuple(map(Literal, value))) if isinstance(value, tuple) else Literal(value)


CONSTANTS = (
    (on(7, "+", 3), "10"),
    (on(7, "-", 9), "-2"),
    (on(-7, "*", 3), "-21"),
    (on(-7, "idiv", 2), "-3"),
    (on(-7, "mod", 2), "-1"),
    (on(7, "mod", -2), "1"),
    (on(7, "div", 2), "3.5"),
    (on(6, "div", 2), "3"),
    (on(7, "idiv", 0), ""),
    (on(7, "mod", 0), ""),
    (on(7, "div", 0), "INF"),
    (on(-7, "div", 0), "-INF"),
    (on(0, "div", 0), "NaN"),
    (on(1.0, "div", -0.0), "-INF"),
    (on(5.5, "mod", 0), "NaN"),
    (on(-5.5, "mod", 2), "-1.5"),
    (on(5.5, "idiv", 2), "2"),
    (on(-5.5, "idiv", 2), "-2"),
    (on(5.5, "idiv", 0), ""),
    (on(1e300, "idiv", 1), "1.0E300"),
    (on(2**63 - 1, "+", 1), ""),
    (on(LEAST, "-", 1), ""),
    (on(LEAST, "idiv", -1), ""),
    (on(LEAST, "mod", -1), "0"),
    (on(LEAST, "*", -1), ""),
    (on(Decimal("0.5"), "+", 1), "1.5"),
    (on("12", "*", 2), "24"),
    (on("a dozen", "*", 2), ""),
    (on((), "+", 1), ""),
    (on((1, 2), "+", 1), ""),
    (on((1,), "+", 1), "2"),
    (Call("abs", (Literal(LEAST),)), ""),
    (Call("abs", (Literal(-3),)), "3"),
    (Call("abs", (Literal(-3.5),)), "3.5"),
    (Call("round", (Literal(2.5),)), "3"),
    (Call("round", (Literal(-2.5),)), "-2"),
    (Call("round", (Literal(0.49999999999999994),)), "0"),
    (Call("round", (Literal(1e300),)), "1.0E300"),
    (Call("round", (Literal(float("nan")),)), "NaN"),
    (Call("floor", (Literal(-0.5),)), "-1"),
    (Call("ceiling", (Literal(Decimal("1.1")),)), "2"),
    (Call("ceiling", (Literal(7),)), "7"),
    (Call("floor", (Literal("x"),)), ""),
)

PATHS: Table = {
    "integers": (Arithmetic("*", path("phc"), path("@n")), ["168", "", "", ""]),
    "decimal": (Arithmetic("+", path("en"), Literal(1)), ["2.3", "", "", "1"]),
    "one of several": (Arithmetic("+", path("size"), Literal(1)), ["", "", "5", "0"]),
    "below repeated": (Arithmetic("-", path("reading/quality"), Literal(1)), ["", "", "", ""]),
    "of an aggregate": (
        Arithmetic("idiv", Call("sum", (path("size"),)), Literal(3)), ["5", "0", "1", "0"]),
}  # fmt: skip


@pytest.mark.spark
def test_arithmetic_of_constants(spark: SparkSession) -> None:
    found = constant(spark, [expression for expression, _ in CONSTANTS])
    assert found == [value for _, value in CONSTANTS]


@pytest.mark.spark
def test_arithmetic_of_paths(spark: SparkSession) -> None:
    assert texts(spark, PATHS) == expected(PATHS)
