"""All fillers of a space by id, by time, and by the holes that they stand in.

An index on the disk of this machine, made from the logs of the streams: steps bring it up to date
and commit it after themselves. If it is behind, it takes what is missing from the logs; if it is
lost, all of it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from millstream.history.body import cut_body
from millstream.history.filler_store import canonical
from millstream.model.filler import FillerKey
from millstream.model.tag_structure import TagStructure, TagType
from millstream.runtime.history.history_rows import HistoryRow

_TABLES = """
CREATE TABLE IF NOT EXISTS streams (number INTEGER PRIMARY KEY, name TEXT UNIQUE, step INTEGER);
CREATE TABLE IF NOT EXISTS fillers (stream INTEGER, tsid INTEGER, id INTEGER, valid INTEGER,
  arrival INTEGER, content TEXT, tags TEXT);
CREATE UNIQUE INDEX IF NOT EXISTS by_id ON fillers (stream, tsid, id, valid, arrival);
CREATE INDEX IF NOT EXISTS by_time ON fillers (stream, tsid, valid, id, arrival);
CREATE TABLE IF NOT EXISTS holes (stream INTEGER, tsid INTEGER, id INTEGER, arrival INTEGER,
  parent_tsid INTEGER, parent_id INTEGER, parent_valid INTEGER, place INTEGER,
  PRIMARY KEY (stream, tsid, id, arrival)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_parent ON holes (stream, arrival);
CREATE TABLE IF NOT EXISTS results (channel TEXT, key TEXT, value TEXT,
  PRIMARY KEY (channel, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS anchors (channel TEXT, anchor TEXT, key TEXT,
  PRIMARY KEY (channel, anchor, key)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_key ON anchors (channel, key);
"""
_ROW = "SELECT tsid, id, valid, arrival, content, tags FROM fillers WHERE stream = ? AND tsid = ?"
_FORM = 2
"""Of the tables; an index of another form is made anew."""
_SETTINGS = ("journal_mode = WAL", "synchronous = OFF", "cache_size = -65536")


class FillerIndex:
    """The index of one space."""

    def __init__(self, path: str) -> None:
        self._numbers: dict[str, int] = {}
        try:
            self.database = _opened(path)
        except sqlite3.DatabaseError:
            # Damaged, perhaps as the power went, or of an earlier form: there is nothing in it that
            # the logs do not say.
            for ending in ("", "-wal", "-shm"):
                Path(path + ending).unlink(missing_ok=True)
            self.database = _opened(path)

    def clear(self) -> None:
        """Forget everything."""
        self._numbers.clear()
        for table in ("streams", "fillers", "holes", "results", "anchors"):
            self.database.execute(f"DELETE FROM {table}")

    def close(self) -> None:
        self.database.close()

    # Steps.

    def begin(self) -> None:
        """Begin to change: nothing counts until it is committed."""
        if self.database.in_transaction:
            self.database.execute("ROLLBACK")
        self.database.execute("BEGIN")

    def commit(self) -> None:
        self.database.execute("COMMIT")

    def step(self, stream: str) -> int | None:
        """The last step of a stream that the index knows of; None if it knows nothing."""
        found = self.database.execute(
            "SELECT step FROM streams WHERE number = ?", (self.number(stream),)
        ).fetchone()
        return None if found is None else found[0]

    def set_step(self, stream: str, step: int) -> None:
        self.database.execute(
            "UPDATE streams SET step = ? WHERE number = ?", (step, self.number(stream))
        )

    def number(self, stream: str) -> int:
        """A number for the name of a stream."""
        if stream not in self._numbers:
            self.database.execute("INSERT OR IGNORE INTO streams (name) VALUES (?)", (stream,))
            row = self.database.execute("SELECT number FROM streams WHERE name = ?", (stream,))
            self._numbers[stream] = row.fetchone()[0]
        return self._numbers[stream]

    # Fillers.

    def add(
        self, stream: str, structure: TagStructure, rows: Iterable[HistoryRow]
    ) -> tuple[list[HistoryRow], set[FillerKey]]:
        """Take fillers in; those that are news, and the holes that came or went with them."""
        number = self.number(stream)
        news: list[HistoryRow] = []
        holes: set[FillerKey] = set()
        for row in rows:
            known = self._rows(number, row.tsid, "id = ? AND valid = ?", (row.id, row.valid))
            if any(_same(each.content, row.content) for each in known):
                continue
            if known and structure.tag(row.tsid).type is not TagType.EVENT:
                holes |= self._remove(number, known[0])
            holes |= self._insert(number, row)
            news.append(row)
        return news, holes

    def _insert(self, stream: int, row: HistoryRow) -> set[FillerKey]:
        self.database.execute(
            "INSERT OR REPLACE INTO fillers VALUES (?, ?, ?, ?, ?, ?, ?)", (stream, *row)
        )
        holes = cut_body(row.content).holes
        new = {hole for hole in holes if not self._has_hole(stream, hole)}
        parent = (row.tsid, row.id, row.valid)
        self.database.executemany(
            "INSERT OR REPLACE INTO holes VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (stream, hole.tsid, hole.id, row.arrival, *parent, place)
                for place, hole in enumerate(holes)
            ),
        )
        return new

    def _has_hole(self, stream: int, hole: FillerKey) -> bool:
        found = self.database.execute(
            "SELECT 1 FROM holes WHERE stream = ? AND tsid = ? AND id = ? LIMIT 1",
            (stream, hole.tsid, hole.id),
        )
        return found.fetchone() is not None

    def _remove(self, stream: int, row: HistoryRow) -> set[FillerKey]:
        self.database.execute(
            "DELETE FROM fillers WHERE stream = ? AND tsid = ? AND id = ? AND valid = ?",
            (stream, row.tsid, row.id, row.valid),
        )
        self.database.execute(
            "DELETE FROM holes WHERE stream = ? AND arrival = ?", (stream, row.arrival)
        )
        return set(cut_body(row.content).holes)

    def _rows(
        self, stream: int, tsid: int, condition: str, values: Sequence[int]
    ) -> list[HistoryRow]:
        sql = f"{_ROW} AND {condition} ORDER BY valid, arrival"
        found = self.database.execute(sql, (stream, tsid, *values))
        return [HistoryRow(*row) for row in found]

    def versions(self, stream: str, key: FillerKey) -> list[HistoryRow]:
        """All fillers of a key, in version order."""
        return self._rows(self.number(stream), key.tsid, "id = ?", (key.id,))

    def event(self, stream: str, key: FillerKey, valid: int, arrival: int) -> list[HistoryRow]:
        """One event, if it is there."""
        condition = "id = ? AND valid = ? AND arrival = ?"
        return self._rows(self.number(stream), key.tsid, condition, (key.id, valid, arrival))

    def between(self, stream: str, key: FillerKey, begin: int, end: int) -> list[HistoryRow]:
        """The events of a key between two instants, both included."""
        condition = "id = ? AND valid BETWEEN ? AND ?"
        return self._rows(self.number(stream), key.tsid, condition, (key.id, begin, end))

    def holding(self, stream: str, key: FillerKey, begin: int, end: int) -> list[HistoryRow]:
        """The versions of a key that hold between two instants, both included."""
        number = self.number(stream)
        first = self.database.execute(
            "SELECT max(valid) FROM fillers"
            " WHERE stream = ? AND tsid = ? AND id = ? AND valid <= ?",
            (number, key.tsid, key.id, begin),
        ).fetchone()[0]
        return self.between(stream, key, begin if first is None else first, end)

    def moments(self, stream: str, tsid: int, begin: int, end: int) -> Iterator[HistoryRow]:
        """The fillers of a tag whose validTime lies between two instants; without content."""
        found = self.database.execute(
            "SELECT tsid, id, valid, arrival, '' FROM fillers"
            " WHERE stream = ? AND tsid = ? AND valid BETWEEN ? AND ?",
            (self.number(stream), tsid, begin, end),
        )
        return (HistoryRow(*row) for row in found.fetchall())

    def all(self, stream: str) -> Iterator[HistoryRow]:
        """Every filler of a stream, in order of arrival."""
        found = self.database.execute(
            "SELECT tsid, id, valid, arrival, content, tags FROM fillers WHERE stream = ?"
            " ORDER BY arrival",
            (self.number(stream),),
        )
        return (HistoryRow(*row) for row in found)

    def parents(self, stream: str, key: FillerKey) -> list[tuple[HistoryRow, int]]:
        """The fillers with a hole for a key, in version order, and the place of the hole."""
        found = self.database.execute(
            "SELECT parent_tsid, parent_id, parent_valid, arrival, '', place FROM holes"
            " WHERE stream = ? AND tsid = ? AND id = ? ORDER BY parent_valid, arrival",
            (self.number(stream), key.tsid, key.id),
        )
        return [(HistoryRow(*row[:5]), row[5]) for row in found]

    def holes_of(self, stream: str, key: FillerKey) -> set[FillerKey]:
        """The holes in the fillers of a key."""
        return {hole for row in self.versions(stream, key) for hole in cut_body(row.content).holes}


def _opened(path: str) -> sqlite3.Connection:
    database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    for setting in _SETTINGS:
        database.execute(f"PRAGMA {setting}")
    (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (form,) = database.execute("PRAGMA user_version").fetchone()
    if tables and form != _FORM:
        database.close()
        raise sqlite3.DatabaseError(f"form {form} in place of {_FORM}")
    database.executescript(f"{_TABLES} PRAGMA user_version = {_FORM};")
    return database


def _same(one: str, other: str) -> bool:
    return one == other or canonical(one) == canonical(other)
