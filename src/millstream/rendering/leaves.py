"""Result items as rows of their leaves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lxml import etree

WHOLE_ITEM = "item"
"""The column of what is not an element: a value that a query returns bare."""


@dataclass(frozen=True, slots=True)
class LeafRows:
    """Result items with a column for each leaf that occurs, in order of first appearance."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def leaf_rows(items: Iterable[str]) -> LeafRows:
    """The rows of some result items; a leaf that an item has not is empty."""
    found = [leaves_of(item) for item in items]
    paths = list(dict.fromkeys(path for row in found for path in row))
    rows = tuple(tuple(row.get(path, "") for path in paths) for row in found)
    return LeafRows(tuple(headings(paths)), rows)


def headings(paths: list[tuple[str, ...]]) -> list[str]:
    """The shortest ending of each path that no other path has."""
    return [_shortest(path, [other for other in paths if other != path]) for path in paths]


def _shortest(path: tuple[str, ...], others: list[tuple[str, ...]]) -> str:
    for length in range(1, len(path) + 1):
        ending = path[-length:]
        if all(other[-length:] != ending for other in others):
            return "/".join(ending)
    return "/".join(path)


def leaves_of(item: str) -> dict[tuple[str, ...], str]:
    """The text of each leaf and attribute of an item by its path; repeated ones are joined."""
    try:
        root = etree.fromstring(f"<_>{item}</_>")
    except etree.XMLSyntaxError:
        return {(WHOLE_ITEM,): item}
    found: dict[tuple[str, ...], list[str]] = {}
    if (root.text or "").strip():
        found[(WHOLE_ITEM,)] = [(root.text or "").strip()]
    for element in root:
        for path, text in _leaves(element, ()):
            found.setdefault(path, []).append(text)
    return {path: ", ".join(texts) for path, texts in found.items()}


def _leaves(
    element: etree._Element, above: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str]]:
    path = (*above, str(element.tag))
    for name, value in element.attrib.items():
        yield (*path, "@" + str(name)), str(value)
    text = (element.text or "").strip()
    if text or not len(element):
        yield path, text
    for child in element:
        yield from _leaves(child, path)
