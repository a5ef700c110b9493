"""Texts that are equal where the values of an attribute are equal."""

from __future__ import annotations

from decimal import Decimal

import pyarrow as pa

from millstream.model.schema import ValueType
from millstream.model.values import XML_SPACE, parse_value
from millstream.runtime.parsing.arrow_types import Column, compute
from millstream.runtime.parsing.views import typed_view

_USUAL_DECIMAL = r"^-?(0|[1-9][0-9]{0,18})(\.[0-9]{1,18})?$"


def value_keys(texts: Column, type: ValueType) -> Column:
    """A key for each text; null where there is no value."""
    if type is ValueType.TEXT:
        return compute.utf8_trim(texts, XML_SPACE)
    if type is ValueType.DECIMAL:
        return _decimal_keys(texts)
    view, _ = typed_view(texts, type)
    if type is ValueType.TIME:
        return view.cast(pa.int64()).cast(pa.string())
    # Both zeros are one value.
    return (compute.add(view, 0.0) if type is ValueType.DOUBLE else view).cast(pa.string())


def _decimal_keys(texts: Column) -> Column:
    """Decimals without the zeros that do not count; a double could not tell all of them apart."""
    trimmed = compute.utf8_trim(texts, XML_SPACE)
    filled = compute.if_else(compute.equal(trimmed, ""), pa.scalar(None, pa.string()), trimmed)
    usual = compute.match_substring_regex(filled, _USUAL_DECIMAL)
    if not compute.all(usual, skip_nulls=True).as_py():
        return pa.array([_decimal_key(each) for each in filled.to_pylist()], pa.string())
    whole = compute.replace_substring_regex(filled, r"(\.[0-9]*?)0+$", r"\1")
    short = compute.replace_substring_regex(whole, r"\.$", "")
    return compute.if_else(compute.equal(short, "-0"), "0", short)


def _decimal_key(text: str | None) -> str | None:
    if text is None:
        return None
    value = parse_value(text, ValueType.DECIMAL)
    assert isinstance(value, Decimal), "a decimal is read as one"
    shortest = f"{value:f}"
    if "." in shortest:
        shortest = shortest.rstrip("0").rstrip(".")
    return "0" if shortest == "-0" else shortest
