"""The results of continuous queries over histories: which hold, and how they came and went."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from millstream.runtime.history.filler_index import FillerIndex
from millstream.runtime.intake.parts import QUARANTINE_COLUMNS
from millstream.runtime.records import Segment
from millstream.runtime.segments import describe_file, read_segment
from millstream.runtime.storage import Storage

VERSION, ENDED = "version", "ended"
_FIELDS: list[tuple[str, Any]] = [
    ("role", pa.string()),
    ("channel", pa.int32()),
    ("tick", pa.int64()),
    ("ordering", pa.list_(pa.int64())),
    ("values", pa.list_(pa.string())),
    ("content", pa.string()),
]
_SCHEMA = pa.schema(_FIELDS)


@dataclass(frozen=True, slots=True)
class Change:
    """A new version of a result, or its end."""

    key: str
    """What was bound for it."""
    items: tuple[str, ...] | None
    """None where it has ended."""
    anchors: tuple[str, ...] = ()
    """The fillers that it depends on."""


@dataclass(frozen=True, slots=True)
class Made:
    """The changes that a step makes to the results of one channel, at an instant."""

    channel: int
    name: str
    now: int
    changes: tuple[Change, ...]


class CurrentResults:
    """The results that hold, by subscription, kept in the index."""

    def __init__(self, index: FillerIndex) -> None:
        self._database = index.database

    def touching(self, name: str, anchors: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The results of a subscription that depend on some anchors."""
        found: dict[str, tuple[str, ...]] = {}
        for anchor in anchors:
            rows = self._database.execute(
                "SELECT r.key, r.value FROM anchors a JOIN results r"
                " ON r.channel = a.channel AND r.key = a.key WHERE a.channel = ? AND a.anchor = ?",
                (name, anchor),
            )
            found |= {key: tuple(json.loads(value)) for key, value in rows}
        return found

    def all(self, name: str) -> dict[str, tuple[str, ...]]:
        """All results of a subscription that hold."""
        rows = self._database.execute("SELECT key, value FROM results WHERE channel = ?", (name,))
        return {key: tuple(json.loads(value)) for key, value in rows}

    def apply(self, name: str, change: Change) -> None:
        """Take note of a change."""
        self._database.execute(
            "DELETE FROM anchors WHERE channel = ? AND key = ?", (name, change.key)
        )
        if change.items is None:
            self._database.execute(
                "DELETE FROM results WHERE channel = ? AND key = ?", (name, change.key)
            )
            return
        self._database.execute(
            "INSERT OR REPLACE INTO results VALUES (?, ?, ?)",
            (name, change.key, json.dumps(change.items)),
        )
        self._database.executemany(
            "INSERT OR IGNORE INTO anchors VALUES (?, ?, ?)",
            ((name, anchor, change.key) for anchor in change.anchors),
        )


def write_changes(storage: Storage, folder: str, made: Sequence[Made], step: int) -> list[Segment]:
    """The changes of a step as a part of the result log."""
    rows = [
        {
            "role": ENDED if change.items is None else VERSION,
            "channel": each.channel,
            "tick": each.now,
            "ordering": [place],
            "values": [change.key, *(change.items or ())],
            "content": json.dumps(change.anchors),
        }
        for each in made
        for place, change in enumerate(each.changes)
    ]
    if not rows:
        return []
    storage.make_folder(f"{folder}/results")
    # The name is the same whenever the step runs again.
    name = f"{folder}/results/history-{step:012d}.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema=_SCHEMA), storage.address(name))
    return [describe_file(storage, name, step)]


def write_failures(
    storage: Storage, folder: str, stream: str, failures: Sequence[tuple[str, str]], step: int
) -> list[Segment]:
    """Set aside that queries failed, each given by its subscription and the reason."""
    if not failures:
        return []
    rows = [
        {"stream": stream, "reason": f"query-failed: {name}: {reason}", "raw": b"", "kind": "query"}
        for name, reason in failures
    ]
    storage.make_folder(f"{folder}/quarantine")
    name = f"{folder}/quarantine/query-{step:012d}.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema=QUARANTINE_COLUMNS), storage.address(name))
    return [describe_file(storage, name, step)]


@dataclass(frozen=True, slots=True)
class LoggedChange:
    """A change as the result log holds it."""

    step: int
    place: int
    now: int
    change: Change


def read_changes(
    storage: Storage, segments: Sequence[Segment], channel: int, after_step: int = 0
) -> Iterator[LoggedChange]:
    """The changes of a channel in the steps after a step, in order."""
    for segment in segments:
        if segment.last_step <= after_step:
            continue
        rows = read_segment(storage, segment, [channel]).to_pylist()
        for row in sorted(rows, key=lambda each: (each["step"], each["ordering"])):
            if row["step"] > after_step:
                yield LoggedChange(row["step"], row["ordering"][0], row["tick"], _change(row))


def _change(row: dict[str, Any]) -> Change:
    key, *items = row["values"]
    anchors = tuple(json.loads(row["content"] or "[]"))
    return Change(key, None if row["role"] == ENDED else tuple(items), anchors)
