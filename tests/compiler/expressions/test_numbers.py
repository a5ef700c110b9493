"""Numbers print as XQuery prints them, and are read from text as the model reads them."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from pyspark.sql import SparkSession

from millstream.compiler import names, numbers
from millstream.compiler.numbers import number_text
from millstream.model.schema import ValueType
from millstream.model.values import format_number, parse_value

DOUBLES = (
    *(0.0, -0.0, 1.0, -1.0, 0.1, 1.5, 100.0, 123456.789, 999999.0, 999999.9999999999),
    *(1e6, 1234567.0, 1234567.5, -2500000.0, 9999999.0, 1e7, 1.2345e20, 1.7976931348623157e308),
    *(1e-6, 1.5e-6, 9.999999e-7, 1e-7, 1.234e-4, 0.001, 0.000123456789012345, 2.5e-300),
    *(math.inf, -math.inf, math.nan, 1 / 3, -2 / 3, 65536.015625),
)
DECIMALS = tuple(
    map(Decimal, ("0", "24.00", "-1.50", "100", "0.000000000000000001", "1200000", "-0.10"))
)
TEXTS = (
    *("1", " 2.50\n", "+3", "-.5", "5.", "007", "1e3", "1E-2", "INF", "-INF", "+INF", "NaN"),
    *("", " ", ".", "+", "1d", "1f", "0x1p3", "1_000", "1,5", "inf", "nan", "Infinity", "١", "1 2"),
    *("99999999999999999999.5", "999999999999999999999", "0.1234567890123456789"),
    *("0.1234567890123456780", "00000000000000000000001", "9223372036854775808", "1L"),
)


@pytest.mark.spark
def test_doubles_print_as_in_xquery(spark: SparkSession) -> None:
    sql = [number_text(names.double(value), ValueType.DOUBLE) for value in DOUBLES]
    assert _row(spark, sql) == [format_number(value) for value in DOUBLES]


@pytest.mark.spark
def test_decimals_print_without_zeros_at_their_end(spark: SparkSession) -> None:
    sql = [number_text(names.exact(value), ValueType.DECIMAL) for value in DECIMALS]
    assert _row(spark, sql) == ["0", "24", "-1.5", "100", "0.000000000000000001", "1200000", "-0.1"]


@pytest.mark.spark
def test_integers_print_plainly_and_null_stays_null(spark: SparkSession) -> None:
    sums = f"CAST('{10**37}' AS DECIMAL(38,0))"
    sql = [number_text(each, ValueType.INTEGER) for each in ("-5L", "10000000L", sums)]
    sql += [number_text("CAST(NULL AS DOUBLE)", ValueType.DOUBLE)]
    assert _row(spark, sql) == ["-5", "10000000", str(10**37), None]


@pytest.mark.spark
@pytest.mark.parametrize(
    ("type", "read"),
    [
        (ValueType.INTEGER, numbers.integer_of),
        (ValueType.DECIMAL, numbers.exact_of),
        (ValueType.DOUBLE, numbers.double_of),
    ],
)
def test_text_is_read_as_the_model_reads_it(spark: SparkSession, type: ValueType, read) -> None:  # type: ignore[no-untyped-def]
    found = _row(spark, [read(names.string(text)) for text in TEXTS])
    expected = [_parsed(text, type) for text in TEXTS]
    assert list(map(repr, found)) == list(map(repr, _alike(found, expected)))


def _parsed(text: str, type: ValueType) -> object:
    try:
        return parse_value(text, type)
    except ValueError:
        return None


def _alike(found: list[object], expected: list[object]) -> list[object]:
    """The expected values, written as the found ones where they are equal numbers."""
    pairs = zip(found, expected, strict=True)
    return [one if isinstance(one, Decimal) and one == other else other for one, other in pairs]


def _row(spark: SparkSession, sql: list[str]) -> list[object]:
    return list(spark.sql("SELECT " + ", ".join(sql)).collect()[0])
