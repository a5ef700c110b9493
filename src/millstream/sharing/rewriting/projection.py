"""What is left of a schema when only some paths of its items are kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from millstream.model.schema import Content, Element, Path, Schema


def projected(schema: Schema, paths: Iterable[Path]) -> Schema:
    """The schema of items of which only some text-holding places are kept.

    A path to an element stands for all that it holds, if it holds more elements, and else for its
    text without its attributes. Elements on the way to what is kept stay as they are. Mixed and
    recursive content is kept or left out as a whole.
    """
    kept = frozenset(paths)
    if () in kept and schema.item.content is Content.NESTED and schema.item.children:
        return schema
    return replace(schema, item=_narrowed(schema.item, (), kept))


def _narrowed(element: Element, path: Path, kept: frozenset[Path]) -> Element:
    if element.content is Content.RAW:
        return element
    attributes = tuple(each for each in element.attributes if (*path, f"@{each.name}") in kept)
    children = tuple(
        child if _whole(child, below, kept) else _narrowed(child, below, kept)
        for child in element.children
        if _reached(below := (*path, child.name), kept)
    )
    return replace(element, attributes=attributes, children=children)


def _whole(element: Element, path: Path, kept: frozenset[Path]) -> bool:
    """True for an element that is asked for with all elements in it."""
    return path in kept and element.content is Content.NESTED and bool(element.children)


def _reached(path: Path, kept: frozenset[Path]) -> bool:
    return any(each[: len(path)] == path for each in kept)
