"""Typed views of leaf text, a column at a time.

What a text stands for is decided by the model's parse_value alone. Texts of the usual shapes, for
which Arrow's own casts are known to give the same, are cast by Arrow; only the others are parsed
one by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import numpy as np
import pyarrow as pa

from millstream.model.schema import ValueType
from millstream.model.values import XML_SPACE, parse_value
from millstream.runtime.parsing.arrow_types import VIEW_TYPES, Column, compute

# So many characters can neither exceed 64 bits nor the digits of a decimal.
_SAFE_LENGTH = 18
_CLOCK = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_DATE = r"[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_ZONE = r"(Z|[+-](0[0-9]|1[0-3]):[0-5][0-9])"
_USUAL: Mapping[ValueType, str] = {
    ValueType.INTEGER: r"^-?[0-9]{1,18}$",
    ValueType.DECIMAL: r"^-?[0-9]{1,18}(\.[0-9]{1,18})?$",
    ValueType.DOUBLE: r"^-?[0-9]{1,18}(\.[0-9]{1,18})?([eE][+-]?[0-9]{1,2})?$",
    ValueType.TIME: rf"^{_DATE}([T ]{_CLOCK}(:[0-5][0-9](\.[0-9]{{1,6}})?)?{_ZONE}?)?$",
}


def _table(characters: bytes) -> np.ndarray[Any, np.dtype[np.bool_]]:
    table = np.zeros(256, np.bool_)
    table[list(characters)] = True
    return table


_PLAIN_BYTES = {
    ValueType.INTEGER: _table(b"0123456789-"),
    ValueType.DECIMAL: _table(b"0123456789-."),
    ValueType.DOUBLE: _table(b"0123456789-."),
}


def typed_view(texts: Column, type: ValueType) -> tuple[Column, dict[int, str]]:
    """The values of a column of texts, and why for each row whose text has no value.

    Absent, empty and blank texts have a null for value.
    """
    view = _plain_view(texts, type)
    if view is not None:
        return view, {}
    trimmed = compute.utf8_trim(texts, XML_SPACE)
    filled = compute.if_else(compute.equal(trimmed, ""), pa.scalar(None, pa.string()), trimmed)
    usual = compute.match_substring_regex(filled, _USUAL[type])
    view, unusual = _usual_view(filled, usual, type)
    return _with_unusual(view, filled, unusual, type)


def _plain_view(texts: Column, type: ValueType) -> Column | None:
    """The cast column when every text is short and made of digits, sign and point alone."""
    plain = _PLAIN_BYTES.get(type)
    if plain is None:
        return None
    ends, characters = text_buffers(texts)
    if len(texts) and np.diff(ends).max() > _SAFE_LENGTH:
        return None
    if not plain[characters].all():
        return None
    try:
        return compute.cast(texts, VIEW_TYPES[type])
    except pa.ArrowInvalid:
        return None


def text_buffers(texts: Column) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Where the texts of a column begin and end, and all their bytes."""
    _, offsets, values = texts.buffers()
    if offsets is None or not len(texts):
        return np.zeros(1, np.int32), np.empty(0, np.uint8)
    ends = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    characters = np.frombuffer(values, np.uint8) if values else np.empty(0, np.uint8)
    return ends, characters[ends[0] : ends[-1]]


def _usual_view(filled: Column, usual: Column, type: ValueType) -> tuple[Column, Column]:
    """The cast of the usual texts, null elsewhere, and which texts it leaves out."""
    texts = compute.if_else(usual, filled, pa.scalar(None, pa.string()))
    if type is ValueType.TIME:
        texts = _with_zone(texts)
    try:
        return compute.cast(texts, VIEW_TYPES[type]), compute.invert(usual)
    except pa.ArrowInvalid:  # a date such as 2023-02-30: find it text by text
        return pa.nulls(len(filled), VIEW_TYPES[type]), compute.is_valid(filled)


def _with_zone(texts: Column) -> Column:
    """Times written so that Arrow reads them: with a clock and a zone."""
    dates = compute.equal(compute.utf8_length(texts), 10)
    zoned = compute.match_substring_regex(texts, rf":[0-9.]+{_ZONE}$")
    suffix = compute.if_else(dates, "T00:00Z", compute.if_else(zoned, "", "Z"))
    return compute.binary_join_element_wise(texts, suffix, "")


def _with_unusual(
    view: Column, filled: Column, unusual: Column, type: ValueType
) -> tuple[Column, dict[int, str]]:
    rows = np.flatnonzero(compute.fill_null(unusual, False).to_numpy(zero_copy_only=False))
    if not len(rows):
        return view, {}
    values: list[int | float | datetime | None] = []
    reasons: dict[int, str] = {}
    for row, text in zip(rows.tolist(), filled.take(pa.array(rows)).to_pylist(), strict=True):
        try:
            values.append(_viewed(text, type))
        except ValueError as error:
            values.append(None)
            reasons[row] = str(error)
    mask = compute.fill_null(unusual, False)
    return compute.replace_with_mask(view, mask, pa.array(values, view.type)), reasons


def _viewed(text: str, type: ValueType) -> int | float | datetime:
    value = parse_value(text, type)
    if isinstance(value, int | datetime):
        return value
    return float(value)
