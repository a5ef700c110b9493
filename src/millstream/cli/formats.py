"""Results as XML, as JSON lines, or as a table of their leaves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from millstream.cli.console import emit, show
from millstream.rendering.tables import result_table

if TYPE_CHECKING:
    from millstream.mill import Subscription


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
