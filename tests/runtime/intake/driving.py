"""Drives an intake as Spark does, without Spark: offsets, partitions, tasks, commits."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql.streaming.datasource import ReadLimit

from millstream.model.schema import Content, Element, Schema, ValueType
from millstream.runtime.intake.source import IntakeReader
from millstream.runtime.intake.spec import IntakeSpec

NUMBERS = Schema(
    "numbers",
    Element(
        "number",
        content=Content.NESTED,
        children=(Element("n", type=ValueType.INTEGER), Element("note")),
    ),
)


def number(n: int, note: str = "") -> str:
    """An item with a number and a note."""
    return f"<number><n>{n}</n><note>{note}</note></number>"


def document(*items: str) -> str:
    """A whole document with items on lines of their own."""
    return '<?xml version="1.0"?>\n<numbers>\n' + "\n".join(items) + "\n</numbers>\n"


@dataclass
class Intake:
    """An intake over a directory of its own, driven by hand."""

    directory: Path
    options: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.source = self.directory / "source"
        self.source.mkdir(parents=True, exist_ok=True)
        space = self.directory / "space"
        spec = IntakeSpec(
            stream="numbers",
            location=str(self.source),
            schema=NUMBERS,
            log_directory=str(space / "log"),
            quarantine_directory=str(space / "quarantine"),
            journal_directory=str(space / "intake"),
            spool_directory=str(space / "spool"),
        )
        self.spec = replace(spec, **self.options)
        self.restart()
        self.offset = self.reader.initialOffset()
        self.rows: list[dict[str, Any]] = []
        """The rows that Spark got."""

    def restart(self) -> None:
        """A new process takes over."""
        self.reader = IntakeReader(self.spec.to_json())

    def put(self, name: str, content: str | bytes) -> Path:
        """Write a file of the source."""
        path = self.source / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def grow(self, name: str, content: str | bytes) -> None:
        """Write more to a file of the source."""
        with (self.source / name).open("ab") as file:
            file.write(content.encode() if isinstance(content, str) else content)

    def zip(self, name: str, content: str | bytes) -> Path:
        data = content.encode() if isinstance(content, str) else content
        return self.put(name, gzip.compress(data))

    def step(self, limit: ReadLimit | None = None) -> int:
        """Run one batch; the number of its chunks."""
        end = self.reader.latestOffset(self.offset, limit or self.reader.getDefaultReadLimit())
        end = json.loads(json.dumps(end))
        if end == self.offset:
            return 0
        rows = self.read(self.offset, end)
        self.reader.commit(end)
        self.offset = end
        self.rows += rows
        return len(rows)

    def read(self, start: dict[str, int], end: dict[str, int]) -> list[dict[str, Any]]:
        """The rows of a range of offsets."""
        names = [each.split()[0] for each in _columns()]
        return [
            dict(zip(names, row, strict=True))
            for partition in self.reader.partitions(start, end)
            for row in self.reader.read(partition)
        ]

    def drain(self) -> Intake:
        """Run batches until there is nothing more."""
        while self.step():
            pass
        return self

    def table(self, rows: list[dict[str, Any]] | None = None) -> pa.Table:
        """The log parts of rows, one after the other."""
        parts = [each["part"] for each in (self.rows if rows is None else rows) if each["part"]]
        tables = [pq.read_table(Path(self.spec.log_directory) / part) for part in parts]
        return pa.concat_tables(tables) if tables else pa.table({"position": [], "=n": []})

    def items(self, rows: list[dict[str, Any]] | None = None) -> list[tuple[int, int]]:
        """The position and the number of each item."""
        table = self.table(rows)
        return list(zip(table["position"].to_pylist(), table["=n"].to_pylist(), strict=True))

    def numbers(self) -> list[int]:
        """The numbers of the items, in order."""
        return [n for _, n in self.items()]

    def quarantine(self) -> list[dict[str, Any]]:
        """The entries of the quarantine, in order."""
        parts = [each["quarantine"] for each in self.rows if each["quarantine"]]
        directory = Path(self.spec.quarantine_directory)
        return [entry for part in parts for entry in pq.read_table(directory / part).to_pylist()]

    def reasons(self) -> list[str]:
        return [entry["reason"] for entry in self.quarantine()]


def _columns() -> list[str]:
    from millstream.runtime.intake.source import CHUNK_COLUMNS

    return CHUNK_COLUMNS.split(", ")
