"""Results as XML, as JSON lines, or as a table of their leaves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lxml import etree
from rich.table import Table

from millstream.cli.console import emit, show

if TYPE_CHECKING:
    from millstream.mill import Subscription

WHOLE_ITEM = "item"
"""The column of what is not an element: a value that a query returns bare."""


def write_subscription(subscription: Subscription, format: str) -> None:
    """Write the results of a subscription; tuples and tags have JSON lines of their own."""
    if subscription.tagged and format == "json":
        for line in subscription.wire("json"):
            emit(line)
        return
    write_results(subscription.opening, subscription.results(), subscription.closing, format)


def write_results(opening: str, items: Iterable[str], closing: str, format: str) -> None:
    """Write a result stream as data."""
    match format:
        case "table":
            show(result_table(items))
        case "json":
            for item in items:
                emit(json.dumps({"item": item}, ensure_ascii=False))
        case _:
            for line in xml_lines(opening, items, closing):
                emit(line)


def xml_lines(opening: str, items: Iterable[str], closing: str) -> Iterator[str]:
    """The document of a result stream, one item a line."""
    if opening:
        yield opening
    yield from items
    if closing:
        yield closing


def result_table(items: Iterable[str]) -> Table:
    """A table with a column for each leaf that occurs, in order of first appearance."""
    rows = [leaves_of(item) for item in items]
    paths = list(dict.fromkeys(path for row in rows for path in row))
    table = Table()
    for heading in headings(paths):
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*(row.get(path, "") for path in paths))
    return table


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
