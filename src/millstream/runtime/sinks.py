"""Where results go besides the result log: files and the console; topics have a room of their own.

A sink remembers up to which step it has delivered and how long its file was then, so that a
delivery that a crash cut off is undone and made again.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from millstream.errors import UnsupportedError
from millstream.runtime.kafka.address import is_kafka, result_topic
from millstream.runtime.results import Result
from millstream.runtime.storage import Storage

FORMATS = ("xml", "json", "parquet", "console")


@dataclass(frozen=True, slots=True)
class Sink:
    """A file, a folder of Parquet files, a topic by its address, or the console."""

    format: str
    path: str = ""

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise UnsupportedError(
                f"no sink writes '{self.format}'", help=f"known: {', '.join(FORMATS)}"
            )
        if self.format != "console" and not self.path:
            raise UnsupportedError(f"a sink of format {self.format} needs a path")
        if is_kafka(self.path):
            self._check_topic()

    def _check_topic(self) -> None:
        if self.format not in ("xml", "json"):
            raise UnsupportedError(
                f"a topic takes no results in format {self.format}", help="known: xml, json"
            )
        result_topic(self.path, "subscription")

    @staticmethod
    def of(given: Sink | dict[str, Any]) -> Sink:
        """A sink, however it was given."""
        return Sink(**given) if isinstance(given, dict) else given

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Delivery:
    """What a sink is asked to write: all results after a step, and what encloses them."""

    opening: str
    closing: str
    step: int
    """The last step that is committed."""
    ended: bool
    results: Callable[[int], Iterable[Result]]
    lines: Callable[[int], Iterable[str]] | None = None
    """Lines of JSON after a step, for results that have a form of their own there."""


def deliver(storage: Storage, subscription: str, sink: Sink, delivery: Delivery) -> None:
    """Write what is new to a sink, and remember that it was."""
    name = memory_name(subscription, sink.format, os.path.abspath(sink.path))
    memory: dict[str, Any] = json.loads(storage.read(name) or b"{}")
    done = memory.get("step", 0)
    if memory.get("closed") or (done >= delivery.step and not delivery.ended):
        return
    length = _WRITERS[sink.format](sink, delivery, done, memory.get("length", 0))
    now = {"step": delivery.step, "length": length, "closed": delivery.ended}
    storage.write(name, json.dumps(now).encode())


def memory_name(subscription: str, format: str, place: str) -> str:
    """Where it is remembered what a sink has had; no two places share it."""
    return f"sinks/{subscription}/{format}-{hashlib.sha256(place.encode()).hexdigest()[:16]}.json"


def _write_xml(sink: Sink, delivery: Delivery, done: int, length: int) -> int:
    head = f"{delivery.opening}\n" if length == 0 and delivery.opening else ""
    lines = (f"{each.value}\n" for each in delivery.results(done))
    tail = f"{delivery.closing}\n" if delivery.ended and delivery.closing else ""
    return _append(sink.path, length, head, lines, tail)


def _write_json(sink: Sink, delivery: Delivery, done: int, length: int) -> int:
    if delivery.lines is not None:
        lines = (f"{each}\n" for each in delivery.lines(done))
        return _append(sink.path, length, "", lines, "")
    lines = (f"{each}\n" for each in json_lines(delivery.results(done)))
    return _append(sink.path, length, "", lines, "")


def json_lines(results: Iterable[Result]) -> Iterator[str]:
    """Results as lines of JSON, without their line breaks."""
    for each in results:
        yield json.dumps({"step": each.step, "item": each.value}, ensure_ascii=False)


def _append(path: str, length: int, head: str, lines: Iterable[str], tail: str) -> int:
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "ab") as file:
        file.truncate(length)
        file.seek(length)
        file.write(head.encode())
        for line in lines:
            file.write(line.encode())
        file.write(tail.encode())
        file.flush()
        os.fsync(file.fileno())
        return file.tell()


def _write_parquet(sink: Sink, delivery: Delivery, done: int, length: int) -> int:
    rows = [{"step": each.step, "value": each.value} for each in delivery.results(done)]
    if rows:
        os.makedirs(sink.path, exist_ok=True)
        schema = pa.schema([("step", pa.int64()), ("value", pa.string())])
        file = os.path.join(sink.path, f"part-{done + 1:012d}.parquet")
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), f"{file}.tmp")
        os.replace(f"{file}.tmp", file)
    return length + len(rows)


def _write_console(sink: Sink, delivery: Delivery, done: int, length: int) -> int:
    for each in delivery.results(done):
        sys.stdout.write(f"{each.value}\n")
        length += 1
    sys.stdout.flush()
    return length


_WRITERS = {
    "xml": _write_xml,
    "json": _write_json,
    "parquet": _write_parquet,
    "console": _write_console,
}
