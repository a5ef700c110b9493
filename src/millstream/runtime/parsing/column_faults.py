"""What is wrong with items that came as columns: absent parts and characters XML cannot hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from millstream.model.schema import Content, Element, Occurs, Schema
from millstream.runtime.parsing.arrow_types import Column, compute, field_names, is_text
from millstream.runtime.parsing.chunk import Fault, Offsets
from millstream.runtime.parsing.json_values import raw_text

_FORBIDDEN = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x{FFFE}\x{FFFF}]"


@dataclass(frozen=True, slots=True)
class _Occurrences:
    """All occurrences of an element, with the row of the item that each belongs to."""

    element: Element
    path: str
    array: Column
    rows: Offsets


def column_faults(schema: Schema, items: Column) -> dict[int, str]:
    """Why, for each row whose item does not fit the schema."""
    reasons: dict[int, str] = {}
    item = _Occurrences(schema.item, schema.item.name, items, np.arange(len(items)))
    for row, reason in _faults(item):
        reasons.setdefault(row, reason)
    return reasons


def _faults(found: _Occurrences) -> Iterator[tuple[int, str]]:
    present = found.array.is_valid().to_numpy(zero_copy_only=False)
    if is_text(found.element):
        yield from _text_faults(found.array, found)
        return
    children = {child.name: child for child in found.element.children}
    required = set(_required(found.element))
    for name in field_names(found.element):
        part = compute.struct_field(found.array, [name])
        if name in required:
            absent = part.is_null().to_numpy(zero_copy_only=False) & present
            yield from _each(absent, found, f"{found.path}: missing {_named(name)}")
        if name in children:
            yield from _faults(_child(found, children[name], part))
        else:
            yield from _text_faults(part, found)


def _child(found: _Occurrences, child: Element, array: Column) -> _Occurrences:
    path = f"{found.path}/{child.name}"
    if not child.repeated:
        return _Occurrences(child, path, array, found.rows)
    rows = found.rows[compute.list_parent_indices(array).to_numpy()]
    return _Occurrences(child, path, array.flatten(), rows)


def _required(element: Element) -> Iterator[str]:
    yield from (f"@{each.name}" for each in element.attributes if each.required)
    yield from (c.name for c in element.children if c.occurs in (Occurs.ONE, Occurs.SOME))


def _named(field: str) -> str:
    return f"attribute '{field[1:]}'" if field.startswith("@") else f"child '{field}'"


def _text_faults(texts: Column, found: _Occurrences) -> Iterator[tuple[int, str]]:
    forbidden = compute.fill_null(compute.match_substring_regex(texts, _FORBIDDEN), False)
    mask = forbidden.to_numpy(zero_copy_only=False)
    yield from _each(mask, found, f"{found.path}: control character in the text")
    if found.element.content is Content.RAW:
        yield from _raw_faults(texts, found)


def _raw_faults(texts: Column, found: _Occurrences) -> Iterator[tuple[int, str]]:
    for row, text in zip(found.rows.tolist(), texts.to_pylist(), strict=True):
        try:
            if text is not None:
                raw_text(text, found.element.name, found.path)
        except Fault as fault:
            yield row, str(fault)


def _each(
    mask: np.ndarray[tuple[int], np.dtype[np.bool_]], found: _Occurrences, reason: str
) -> Iterator[tuple[int, str]]:
    return ((int(row), reason) for row in found.rows[mask])
