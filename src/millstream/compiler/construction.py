"""Constructed elements as literal XML and the dynamic texts between.

Whether an element whose content is all dynamic is empty shows only in the data. Its opening tag
then ends with one mark and its closing tag begins with another, and the element is closed when
the text is put together: <a/> if nothing stands between the marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from millstream.algebra.expressions import Expression, NewAttribute, NewElement, Sequence, Text
from millstream.compiler import conversions, rendering
from millstream.compiler.environment import Environment
from millstream.compiler.items import Value, is_node
from millstream.compiler.leading import attribute_slot, split_attributes
from millstream.compiler.names import string
from millstream.compiler.sequences import Chain, Items, leaves

_OPEN, _CLOSE = "\x03", "\x04"
_EMPTY = f"{_OPEN}{_CLOSE}</[^>]*>"
_EMPTY_PATTERN = re.compile(_EMPTY)


@dataclass(frozen=True, slots=True)
class Slot:
    """A text that the data decides: SQL that is never null."""

    sql: str


Part = str | Slot


def parts_of(expression: Expression, environment: Environment) -> list[Part]:
    """What an expression prints as a result or as content: literal XML and slots."""
    match expression:
        case Text(value):
            return [_escape(value)]
        case NewElement():
            return _element(expression, environment)
        case Sequence(items) if _are_xml(items, environment):
            return [part for item in items for part in parts_of(item, environment)]
        case _:
            return [_enclosed(environment.items(expression))]


def text_of(parts: list[Part]) -> str:
    """The parts as one SQL text, never null."""
    whole = rendering.concatenated([_sql(part) for part in merged(parts)])
    return closed_elements(whole, [part for part in parts if isinstance(part, str)])


def closed_elements(whole: str, literals: Iterable[str]) -> str:
    """An SQL text put together from parts, with the marks of its literals turned into tags."""
    if not any(_OPEN in literal for literal in literals):
        return whole
    closed = f"regexp_replace({whole}, {string(_EMPTY)}, '/>')"
    return f"translate({closed}, {string(_OPEN + _CLOSE)}, '>')"


def close_elements(text: str) -> str:
    """A text put together from parts, with its marks turned into tags."""
    if _OPEN not in text:
        return text
    return _EMPTY_PATTERN.sub("/>", text).replace(_OPEN, ">").replace(_CLOSE, "")


def merged(parts: list[Part]) -> list[Part]:
    """The parts with neighbouring literal texts made one, and empty ones left out."""
    kept: list[Part] = []
    for part in parts:
        if isinstance(part, str) and kept and isinstance(kept[-1], str):
            kept[-1] += part
        elif part != "":
            kept.append(part)
    return kept


def _element(element: NewElement, environment: Environment) -> list[Part]:
    leading, rest = split_attributes(element, environment)
    opening: list[Part] = [f"<{element.name}"]
    for attribute in element.attributes:
        opening += _attribute(attribute, environment)
    opening += [Slot(attribute_slot(items)) for items in leading]
    content = merged([part for each in rest for part in parts_of(each, environment)])
    if not content:
        return [*opening, "/>"]
    if any(isinstance(part, str) for part in content):
        return [*opening, ">", *content, f"</{element.name}>"]
    return [*opening, _OPEN, *content, f"{_CLOSE}</{element.name}>"]


def _attribute(attribute: NewAttribute, environment: Environment) -> list[Part]:
    values: list[Part] = []
    for part in attribute.parts:
        if isinstance(part, Text):
            values.append(_escape(part.value).replace('"', "&quot;"))
            continue
        items = environment.items(part)
        static = _static(items)
        if static is None:
            values.append(Slot(rendering.attribute_value(items)))
        else:
            values.append(_escape(static).replace('"', "&quot;"))
    return [f' {attribute.name}="', *values, '"']


def _enclosed(items: Items) -> Part:
    static = _static(items)
    return Slot(rendering.finished(rendering.content(items))) if static is None else _escape(static)


def _static(items: Items) -> str | None:
    """The text of constants."""
    match items:
        case Value(literal=literal) if literal is not None:
            return conversions.literal_text(literal.value)
        case Chain(parts):
            texts = [text for part in parts if (text := _static(part)) is not None]
            return " ".join(texts) if len(texts) == len(parts) else None
        case _:
            return None


def _are_xml(expressions: tuple[Expression, ...], environment: Environment) -> bool:
    """True if all that the expressions give are nodes, between which no space is printed."""
    return all(is_node(leaf) for each in expressions for leaf in leaves(environment.items(each)))


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _sql(part: Part) -> str:
    return string(part) if isinstance(part, str) else part.sql
