"""How many bytes items take as XML text, without writing the text."""

from __future__ import annotations

from millstream.model.schema import TEXT_FIELD, Content, Element, ValueType
from millstream.runtime.parsing.arrow_types import Column, compute

_IN_TEXT = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_IN_ATTRIBUTE = {**_IN_TEXT, '"': "&quot;"}


def serialized_size(items: Column, element: Element) -> int:
    """The bytes of all items of a column, each written as results are."""
    present = _present(items)
    if not present:
        return 0
    if element.content is Content.RAW:
        return _total(items)
    name = len(element.name.encode())
    if element.plain_leaf:
        return _leaf(items, items, element, name, 0)
    attributes = sum(
        _attribute(_field(items, f"@{each.name}"), each.name) for each in element.attributes
    )
    if element.content is Content.LEAF:
        return _leaf(items, _field(items, TEXT_FIELD), element, name, attributes)
    return _nested(items, element, name) + attributes


def _leaf(items: Column, texts: Column, element: Element, name: int, attributes: int) -> int:
    """<name>text</name>, or <name/> without text."""
    present = _present(items)
    full = _count(compute.greater(compute.binary_length(texts), 0))
    markup = full * (2 * name + 5) + (present - full) * (name + 3)
    escapes = _escapes(texts, _IN_TEXT) if element.type is ValueType.TEXT else 0
    return markup + attributes + _total(texts) + escapes


def _nested(items: Column, element: Element, name: int) -> int:
    present = _present(items)
    size, filled = 0, None
    for child in element.children:
        values = _field(items, child.name)
        if child.repeated:
            here = compute.greater(compute.fill_null(compute.list_value_length(values), 0), 0)
            size += serialized_size(values.flatten(), child)
        else:
            here = values.is_valid()
            size += serialized_size(values, child)
        filled = here if filled is None else compute.or_(filled, here)
    full = 0 if filled is None else _count(filled)
    return size + full * (2 * name + 5) + (present - full) * (name + 3)


def _attribute(values: Column, name: str) -> int:
    """A space, the name, and the value in quotes, where there is one."""
    present = _present(values)
    return present * (len(name.encode()) + 4) + _total(values) + _escapes(values, _IN_ATTRIBUTE)


def _field(items: Column, name: str) -> Column:
    return compute.struct_field(items, [name])


def _present(items: Column) -> int:
    return len(items) - int(items.null_count)


def _total(texts: Column) -> int:
    return int(compute.sum(compute.binary_length(texts)).as_py() or 0)


def _escapes(texts: Column, escapes: dict[str, str]) -> int:
    """What is added by the characters that cannot stand for themselves."""
    return sum(
        (len(written) - 1) * int(compute.sum(compute.count_substring(texts, each)).as_py() or 0)
        for each, written in escapes.items()
    )


def _count(truths: Column) -> int:
    return int(compute.sum(truths).as_py() or 0)
