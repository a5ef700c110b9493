"""Typed views agree with the model's own reading of every text."""

from __future__ import annotations

import math
from datetime import datetime

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millstream.model.schema import ValueType
from millstream.model.values import parse_value
from millstream.runtime.parsing.views import typed_view

TYPES = [type for type in ValueType if type is not ValueType.TEXT]
NUMBERS = st.one_of(
    st.from_regex(r"[+-]?[0-9]{0,22}(\.[0-9]{0,20})?([eE][+-]?[0-9]{1,4})?", fullmatch=True),
    st.integers().map(str),
    st.floats().map(repr),
    st.sampled_from(["INF", "-INF", "NaN", "inf", "nan", "0x1F", "1_000", "--1", "1.2.3", "٣"]),
)
TIMES = st.one_of(
    st.datetimes().map(datetime.isoformat),
    st.from_regex(
        r"[0-2][0-9]{3}-[01][0-9]-[0-3][0-9]"
        r"([T ][0-2][0-9]:[0-6][0-9](:[0-6][0-9](\.[0-9]{1,9})?)?(Z|[+-][01][0-9]:?[0-6][0-9])?)?",
        fullmatch=True,
    ),
    st.sampled_from(["2003-02-29", "2004-02-29T24:00:00", "2003-11-01Z", "0000-01-01", "now"]),
)
TEXTS = st.one_of(NUMBERS, TIMES, st.text(max_size=4), st.none())
PADDED = st.tuples(st.sampled_from(["", " ", "\t\n"]), TEXTS, st.sampled_from(["", " ", "\r"]))


def padded(parts: tuple[str, str | None, str]) -> str | None:
    before, text, after = parts
    return None if text is None else before + text + after


def viewed(text: str | None, type: ValueType) -> object:
    """What a row must show: a value, None, or the reason why there is none."""
    if text is None or not text.strip(" \t\r\n"):
        return None
    try:
        value = parse_value(text, type)
    except ValueError as error:
        return f"bad: {error}"
    return value if isinstance(value, int | datetime) else float(value)


@pytest.mark.parametrize("type", TYPES)
@given(texts=st.lists(PADDED.map(padded), max_size=8))
@settings(max_examples=120)
def test_view_is_the_parsed_value(type: ValueType, texts: list[str | None]) -> None:
    view, bad = typed_view(pa.array(texts, pa.string()), type)
    found = [
        f"bad: {bad[row]}" if row in bad else value for row, value in enumerate(view.to_pylist())
    ]
    expected = [viewed(text, type) for text in texts]
    assert [same(value) for value in found] == [same(value) for value in expected]


def same(value: object) -> object:
    if not isinstance(value, float):
        return value
    return "NaN" if math.isnan(value) else (value, math.copysign(1, value))


@pytest.mark.parametrize("type", TYPES)
def test_view_of_no_texts(type: ValueType) -> None:
    view, bad = typed_view(pa.array([], pa.string()), type)
    assert (len(view), bad) == (0, {})


def test_view_of_a_slice() -> None:
    texts = pa.array(["x", "1", None, "2", "y"], pa.string()).slice(1, 3)
    view, bad = typed_view(texts, ValueType.INTEGER)
    assert (view.to_pylist(), bad) == ([1, None, 2], {})


def test_a_bad_text_does_not_hide_the_others() -> None:
    texts = ["2003-01-31", "2003-02-30", "2003-03-01T10:00:00Z"]
    view, bad = typed_view(pa.array(texts), ValueType.TIME)
    assert list(bad) == [1]
    assert view.null_count == 1
