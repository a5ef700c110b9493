"""Leaf text as values, and numbers as text."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millstream.model.schema import ValueType
from millstream.model.values import (
    format_number,
    parse_instant,
    parse_value,
    recognise,
    wider,
)


@pytest.mark.parametrize(
    ("text", "type", "expected"),
    [
        (" 42\n", ValueType.INTEGER, 42),
        ("+007", ValueType.INTEGER, 7),
        ("-9223372036854775808", ValueType.INTEGER, -(2**63)),
        ("-12.50", ValueType.DECIMAL, Decimal("-12.50")),
        (".5", ValueType.DECIMAL, Decimal("0.5")),
        ("1.5e3", ValueType.DOUBLE, 1500.0),
        ("-INF", ValueType.DOUBLE, -math.inf),
        (" as it is ", ValueType.TEXT, " as it is "),
        ("2003-10-23", ValueType.TIME, datetime(2003, 10, 23, tzinfo=UTC)),
    ],
)
def test_text_is_parsed_by_its_type(text: str, type: ValueType, expected: object) -> None:
    assert parse_value(text, type) == expected


@pytest.mark.parametrize(
    ("text", "type", "reason"),
    [
        ("", ValueType.INTEGER, "not an integer"),
        ("1.0", ValueType.INTEGER, "not an integer"),
        ("9223372036854775808", ValueType.INTEGER, "does not fit in 64 bits"),
        ("9" * 100_000, ValueType.INTEGER, "does not fit in 64 bits"),
        ("1e3", ValueType.DECIMAL, "not a decimal number"),
        ("1" * 21, ValueType.DECIMAL, "too many digits"),
        ("0." + "1" * 19, ValueType.DECIMAL, "too many digits"),
        ("inf", ValueType.DOUBLE, "not a number"),
        ("\u0662", ValueType.INTEGER, "not an integer"),
        ("\u00a05", ValueType.INTEGER, "not an integer"),
        ("2003-02-30", ValueType.TIME, "no such date"),
        ("yesterday", ValueType.TIME, "not a date"),
    ],
)
def test_unfit_text_is_refused_with_a_reason(text: str, type: ValueType, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_value(text, type)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2003-10-23T12:23:34", datetime(2003, 10, 23, 12, 23, 34, tzinfo=UTC)),
        ("2003-10-23 12:23", datetime(2003, 10, 23, 12, 23, tzinfo=UTC)),
        ("2003-10-23T12:23:34.5Z", datetime(2003, 10, 23, 12, 23, 34, 500_000, tzinfo=UTC)),
        ("2003-10-23T00:30:00+01:00", datetime(2003, 10, 22, 23, 30, tzinfo=UTC)),
        ("2003-10-23T00:30-0130", datetime(2003, 10, 23, 2, 0, tzinfo=UTC)),
        ("2003-12-31T24:00:00", datetime(2004, 1, 1, tzinfo=UTC)),
        ("2003-10-23T00:00:00.1234569", datetime(2003, 10, 23, 0, 0, 0, 123_456, tzinfo=UTC)),
    ],
)
def test_instants_are_in_utc(text: str, expected: datetime) -> None:
    assert parse_instant(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "2003-10-23T25:00:00",
        "2003-10-23T24:00:01",
        "2003-10-23T12:60",
        "2003-10-23T12:00:00+15:00",
        "2003-10-23Z",
        "20031023",
        "2003-1-1",
        "0001-01-01T00:00:00+05:00",
        "9999-12-31T24:00:00",
    ],
)
def test_what_is_no_instant_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="date or time"):
        parse_instant(text)


@given(st.datetimes(timezones=st.just(UTC)))
def test_every_instant_survives_iso_text(instant: datetime) -> None:
    assert parse_instant(instant.isoformat()) == instant


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, "0"),
        (-12, "-12"),
        (Decimal("24.00"), "24"),
        (Decimal("-12.50"), "-12.5"),
        (Decimal("1E+3"), "1000"),
        (Decimal("100"), "100"),
        (Decimal("-0.00"), "0"),
        (1.0, "1"),
        (0.1, "0.1"),
        (999999.5, "999999.5"),
        (1e6, "1.0E6"),
        (123456789.0, "1.23456789E8"),
        (1e-6, "0.000001"),
        (1.234e-7, "1.234E-7"),
        (-2.5e22, "-2.5E22"),
        (5e-324, "5.0E-324"),
        (-0.0, "-0"),
        (math.nan, "NaN"),
        (math.inf, "INF"),
        (-math.inf, "-INF"),
    ],
)
def test_numbers_print_as_in_xquery(value: int | Decimal | float, expected: str) -> None:
    assert format_number(value) == expected


@given(st.floats(allow_nan=False))
def test_every_double_survives_its_text(value: float) -> None:
    assert parse_value(format_number(value), ValueType.DOUBLE) == value


@given(st.decimals(min_value=-(10**19), max_value=10**19, places=18))
def test_every_decimal_survives_its_text(value: Decimal) -> None:
    assert parse_value(format_number(value), ValueType.DECIMAL) == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", None),
        (" \n", None),
        ("0", ValueType.INTEGER),
        ("-0", ValueType.INTEGER),
        ("9223372036854775808", ValueType.DECIMAL),
        ("1" * 21, ValueType.TEXT),
        ("0.5", ValueType.DECIMAL),
        ("5.", ValueType.DECIMAL),
        ("0." + "1" * 19, ValueType.DOUBLE),
        ("1e5", ValueType.DOUBLE),
        ("NaN", ValueType.DOUBLE),
        ("nan", ValueType.TEXT),
        ("007", ValueType.TEXT),
        ("-00.5", ValueType.TEXT),
        ("+1", ValueType.TEXT),
        ("0099-01-01", ValueType.TIME),
        ("2003-10-23T12:23:34Z", ValueType.TIME),
        ("true", ValueType.TEXT),
    ],
)
def test_the_narrowest_type_is_recognised(text: str, expected: ValueType | None) -> None:
    assert recognise(text) is expected


@given(st.integers(-(2**63), 2**63 - 1))
def test_64_bit_integers_are_recognised(value: int) -> None:
    assert recognise(str(value)) is ValueType.INTEGER


@given(st.text())
def test_what_is_recognised_can_be_parsed(text: str) -> None:
    type = recognise(text)
    assert type is None or parse_value(text, type) is not None


@given(st.sampled_from(ValueType), st.sampled_from(ValueType), st.sampled_from(ValueType))
def test_widening_depends_on_no_order(one: ValueType, two: ValueType, three: ValueType) -> None:
    assert wider(wider(one, two), three) is wider(one, wider(three, two))
