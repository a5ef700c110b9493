"""Typed columns as text, in the form that is canonical for the type of the leaf."""

from __future__ import annotations

from decimal import Decimal

import pyarrow as pa
import pyarrow.types as pt

from millstream.errors import SchemaError
from millstream.model.schema import ValueType
from millstream.model.values import format_number
from millstream.runtime.parsing.arrow_types import Column, compute

# Within these bounds Arrow writes numbers as XQuery does: digits, at most one point.
_PLAIN = r"^-?[0-9]{1,6}(\.[0-9]+)?$"


def canonical_texts(array: Column, type: ValueType, path: str) -> Column:
    """The text of each value; SchemaError for a column whose values have no text."""
    source = array.type
    if pt.is_dictionary(source):
        return canonical_texts(array.dictionary_decode(), type, path)
    if pt.is_floating(source) or pt.is_decimal(source):
        return _numbers(array, type)
    if pt.is_timestamp(source):
        return _instants(array)
    if pt.is_nested(source) or pt.is_binary(source) or pt.is_large_binary(source):
        raise SchemaError(f"column {path} of type {source} holds no text")
    try:
        return compute.cast(array, pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise SchemaError(f"column {path} of type {source} holds no text: {error}") from error


def _numbers(array: Column, type: ValueType) -> Column:
    texts = compute.cast(array, pa.string())
    exact = pt.is_decimal(array.type) or type in (ValueType.INTEGER, ValueType.DECIMAL)
    if pt.is_decimal(array.type):
        fraction = compute.replace_substring_regex(texts, r"(\.[0-9]*?)0+$", r"\1")
        texts = compute.replace_substring_regex(fraction, r"\.$", "")
    unusual = compute.invert(compute.match_substring_regex(texts, _PLAIN))
    if not compute.any(unusual).as_py():
        return texts
    written = [_number(text, exact) for text in texts.filter(unusual).to_pylist()]
    mask = compute.fill_null(unusual, False)
    return compute.replace_with_mask(texts, mask, pa.array(written, pa.string()))


def _number(text: str, exact: bool) -> str:
    value = Decimal(text)
    return format_number(value if exact and value.is_finite() else float(text))


def _instants(array: Column) -> Column:
    """Times in UTC, to the microsecond, without zeros at the end of a fraction."""
    zoned = compute.cast(array, pa.timestamp("us", tz="UTC"), safe=False)
    texts = compute.replace_substring(compute.cast(zoned, pa.string()), " ", "T")
    fraction = compute.replace_substring_regex(texts, r"(\.[0-9]*?)0+Z$", r"\1Z")
    return compute.replace_substring(fraction, ".Z", "Z")
