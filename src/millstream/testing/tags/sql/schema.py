"""Tagged streams as tables of SQLite: tuples, tags, their objects, and later what they mark."""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Iterable, Mapping
from decimal import Decimal

from millstream.model.tags import Placed, Stix, StreamShape, StreamTuple, Thesaurus, TickTag
from millstream.model.values import Value

TABLES = """
CREATE TABLE tags (
    stream TEXT, position INTEGER, tagger TEXT, content TEXT, type TEXT, sign TEXT,
    lifespan INTEGER, mode TEXT, time INTEGER, streams TEXT, tuples TEXT);
CREATE TABLE objects (stream TEXT, tag INTEGER, attribute TEXT, of_value INTEGER);
CREATE TABLE elements (stream TEXT, position INTEGER, is_tuple INTEGER);
CREATE TABLE tuples (stream TEXT, position INTEGER, time INTEGER, id TEXT);
CREATE TABLE attributes (stream TEXT, number INTEGER, attribute TEXT);
CREATE TABLE facts (stream TEXT, position INTEGER, attribute TEXT, value);
CREATE TABLE thesaurus (word TEXT, meaning TEXT);
CREATE TABLE marks (
    stream TEXT, position INTEGER, attribute TEXT, granularity TEXT, tag INTEGER);
PRAGMA case_sensitive_like = ON;
"""


def open_database(
    streams: Mapping[str, tuple[StreamShape, Iterable[Placed]]], thesaurus: Thesaurus
) -> sqlite3.Connection:
    """A database with some streams, in memory, and the functions that SQL lacks."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(TABLES)
    connection.create_function("matches", 2, _matches, deterministic=True)
    connection.create_function("root", 1, _root, deterministic=True)
    connection.create_function("east", 1, lambda text: _coordinate(text, 0), deterministic=True)
    connection.create_function("north", 1, lambda text: _coordinate(text, 1), deterministic=True)
    words = [(word, thesaurus.group(word)) for word in thesaurus.words()]
    connection.executemany("INSERT INTO thesaurus VALUES (?, ?)", words)
    for shape, elements in streams.values():
        _load(connection, shape, list(elements))
    return connection


def quoted(name: str) -> str:
    """A name between the quotes of SQL."""
    return '"' + name.replace('"', '""') + '"'


def _load(connection: sqlite3.Connection, shape: StreamShape, elements: list[Placed]) -> None:
    columns = ", ".join(quoted(name) for name in shape.names)
    connection.execute(f"CREATE TABLE {quoted(shape.name)} (position, time, {columns})")
    attributes = [(shape.name, number, name) for number, name in enumerate(shape.names)]
    connection.executemany("INSERT INTO attributes VALUES (?, ?, ?)", attributes)
    for placed in elements:
        match placed.element:
            case StreamTuple():
                _load_tuple(connection, shape, placed.position, placed.element)
            case TickTag():
                _load_tag(connection, shape.name, placed.position, placed.element)
            case Stix():
                raise TypeError("an index of tags is not part of the relation")


def _load_tuple(
    connection: sqlite3.Connection, shape: StreamShape, position: int, element: StreamTuple
) -> None:
    values = [
        _stored(attribute.value(text))
        for attribute, text in zip(shape.attributes, element.texts, strict=True)
    ]
    places = ", ".join("?" * (len(values) + 2))
    row = (position, element.time, *values)
    connection.execute(f"INSERT INTO {quoted(shape.name)} VALUES ({places})", row)
    connection.execute("INSERT INTO elements VALUES (?, ?, 1)", (shape.name, position))
    known = (shape.name, position, element.time, element.id)
    connection.execute("INSERT INTO tuples VALUES (?, ?, ?, ?)", known)
    facts = [
        (shape.name, position, name, value)
        for name, value in zip(shape.names, values, strict=True)
        if value is not None
    ]
    connection.executemany("INSERT INTO facts VALUES (?, ?, ?, ?)", facts)


def _load_tag(connection: sqlite3.Connection, stream: str, position: int, tag: TickTag) -> None:
    row = (
        *(stream, position, tag.tagger, tag.content, tag.type.value, tag.sign.value, tag.lifespan),
        *(tag.mode.name, tag.timestamp, tag.applicability.streams.text),
        tag.applicability.tuples.text,
    )
    connection.execute(f"INSERT INTO tags VALUES ({', '.join('?' * len(row))})", row)
    connection.execute("INSERT INTO elements VALUES (?, ?, 0)", (stream, position))
    objects = [
        (stream, position, each.attribute, int(each.of_value)) for each in tag.applicability.objects
    ]
    connection.executemany("INSERT INTO objects VALUES (?, ?, ?, ?)", objects)


def _stored(value: Value | None) -> int | float | str | None:
    return float(value) if isinstance(value, Decimal) else value  # type: ignore[return-value]


def _matches(pattern: str, name: str) -> bool:
    return pattern == "*" or re.fullmatch(pattern, name) is not None


def _root(number: float | None) -> float | None:
    return None if number is None else math.sqrt(number)


def _coordinate(text: str | None, number: int) -> float | None:
    try:
        return float((text or "").split()[number])
    except (ValueError, IndexError):
        return None
