"""The first items of a source, for inferring what its stream looks like."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pyarrow.parquet as pq
from lxml import etree

from millstream.model.sample import Sample
from millstream.runtime.intake.listing import AUTO, format_of, look
from millstream.runtime.kafka.address import is_kafka
from millstream.runtime.tuning.station import Station, is_served

ITEMS = 1000
"""Of each file."""
FILES = 3
SHORT = 512 * 1024
"""What most files need not be read beyond."""
LONG = 8 * 1024 * 1024


def sample(location: str, format: str, delimiter: str = ",") -> list[Sample]:
    """Items, or documents that hold some, from the head of a source; empty if it is."""
    if is_kafka(location):
        return []  # whoever asks without Spark must do without
    if is_served(location):
        return _heard(Station(location))
    found: list[Sample] = []
    for file in look(location, format).files[:FILES]:
        kind = format_of(file.path) if format == AUTO else format
        found += _from_file(file.path, kind or "xml", delimiter)
    return found


def _heard(station: Station) -> list[Sample]:
    """The first items of a stream elsewhere."""
    root, items = station.root(), station.heard(None, ITEMS, 0.0).items
    found = _root(f"<{root}>{''.join(items)}</{root}>".encode()) if items else None
    return [] if found is None else [found.getroottree()]


def _from_file(path: str, kind: str, delimiter: str) -> list[Sample]:
    if kind == "parquet":
        batch = next(pq.ParquetFile(path).iter_batches(ITEMS), None)
        return [] if batch is None else [_textual(row) for row in batch.to_pylist()]
    if kind == "xml":
        return _documents(path)
    text = _head(path, LONG).decode("utf-8", "replace")
    if kind == "json":
        return list(_objects(text))
    rows = islice(csv.DictReader(io.StringIO(text), delimiter=delimiter), ITEMS)
    return [{str(name): value for name, value in row.items() if name} for row in rows]


def _opened(path: str) -> gzip.GzipFile | io.BufferedReader:
    with open(path, "rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return gzip.open(path) if packed else open(path, "rb")


def _head(path: str, size: int) -> bytes:
    with _opened(path) as file:
        return file.read(size)


def _documents(path: str) -> list[Sample]:
    """The document that a file holds, or its beginning, with as many children as are looked at."""
    for size in (SHORT, LONG):
        head = _head(path, size)
        root = _root(head)
        whole = len(head) < size
        if whole or (root is not None and len(root) > ITEMS):
            break
    if root is None:
        return []
    if not whole and len(root) > 1:
        root.remove(root[-1])
    for child in list(root)[ITEMS:]:
        root.remove(child)
    return [root.getroottree()]


def _root(head: bytes) -> etree._Element | None:
    """The root of the document whose beginning this is, closed where it breaks off."""
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        return etree.fromstring(head, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def _objects(text: str) -> Iterator[Sample]:
    for line in text.splitlines()[:ITEMS]:
        try:
            value: Any = json.loads(line, parse_float=str, parse_int=str)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def _textual(row: dict[str, Any]) -> dict[str, Any]:
    """The row with its numbers and times as text, as they will stand in items."""
    return json.loads(json.dumps(row, default=str), parse_float=str, parse_int=str)  # type: ignore[no-any-return]
