"""Times of elements, as numbers and as instants."""

from __future__ import annotations

import pytest
from hypothesis import given

from millstream.model.schema import ValueType
from millstream.model.tags.event_time import TimeForm, format_time, parse_time
from tests.model.tags.samples import TIMES


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        ("12.5", TimeForm.SECONDS, 12_500_000),
        ("-1e3", TimeForm.SECONDS, -1_000_000_000),
        ("1.0000019", TimeForm.SECONDS, 1_000_001),
        ("1970-01-01T00:00:01", TimeForm.INSTANT, 1_000_000),
        ("1969-12-31T23:59:59Z", TimeForm.INSTANT, -1_000_000),
    ],
)
def test_time_is_read(text: str, form: TimeForm, expected: int) -> None:
    assert parse_time(text, form) == expected


@pytest.mark.parametrize("text", ["soon", "INF", "NaN", "1e300", "2003-10-23T12:00:00"])
def test_bad_seconds_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        parse_time(text, TimeForm.SECONDS)


def test_number_is_no_instant() -> None:
    with pytest.raises(ValueError, match="not a date or time"):
        parse_time("12.5", TimeForm.INSTANT)


@pytest.mark.parametrize("form", TimeForm)
@given(microseconds=TIMES)
def test_printed_time_is_read_again(form: TimeForm, microseconds: int) -> None:
    assert parse_time(format_time(microseconds, form), form) == microseconds


def test_form_follows_the_type_of_the_order() -> None:
    forms = [TimeForm.of_type(type) for type in (ValueType.TIME, ValueType.DECIMAL)]
    assert forms == [TimeForm.INSTANT, TimeForm.SECONDS]
