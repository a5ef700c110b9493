"""What an intake must know: the source, the schema of its items, where to write, and limits."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from typing import Any

from millstream.errors import StateError
from millstream.model.schema import Schema
from millstream.model.schema_json import schema_from_json, schema_to_json
from millstream.runtime.intake.files import absolute
from millstream.runtime.intake.listing import AUTO, check_format

MEBIBYTE = 1 << 20
_PLACES = (
    "location",
    "log_directory",
    "quarantine_directory",
    "journal_directory",
    "spool_directory",
    "inbox_directory",
)


@dataclass(frozen=True, slots=True)
class IntakeSpec:
    """The intake of one stream; small enough to travel as one option of a data source."""

    stream: str
    location: str
    """A file, a directory or a glob; it need not exist yet."""
    schema: Schema
    log_directory: str
    quarantine_directory: str
    journal_directory: str
    spool_directory: str
    format: str = AUTO
    max_bytes_per_batch: int = 256 * MEBIBYTE
    max_items_per_batch: int | None = None
    chunk_bytes: int = 16 * MEBIBYTE
    max_item_bytes: int = 16 * MEBIBYTE
    finite: bool = False
    """Everything that is there is final."""
    delimiter: str = ","
    columns: tuple[str, ...] = ()
    """The columns of CSV files without a header line; empty when they have one."""
    structure: str = ""
    """For a stream of fillers: its tag structure, as text."""
    passing: bool = False
    """True when the files of the source are ours, and go when they have been read for good."""
    inbox_directory: str = ""
    """Where items are put that somebody gives to the stream again, each file whole at once."""
    tagged: bool = False
    """True when tags stand between the items."""

    def __post_init__(self) -> None:
        check_format(self.format)
        for name in ("max_bytes_per_batch", "max_items_per_batch", "chunk_bytes", "max_item_bytes"):
            limit = getattr(self, name)
            if limit is not None and limit < 1:
                raise StateError(f"{name} of stream '{self.stream}' must be at least 1: {limit}")

    def absolute(self) -> IntakeSpec:
        """This spec with places that mean the same in every process."""
        given = {name: getattr(self, name) for name in _PLACES}
        places: dict[str, Any] = {name: absolute(each) for name, each in given.items() if each}
        return replace(self, **places)

    def to_json(self) -> str:
        """The spec as one JSON document."""
        content = {each.name: getattr(self, each.name) for each in fields(self)}
        return json.dumps(content | {"schema": schema_to_json(self.schema)})

    @staticmethod
    def from_json(text: str) -> IntakeSpec:
        """The spec that `to_json` wrote."""
        try:
            content: dict[str, Any] = json.loads(text)
            content["schema"] = schema_from_json(content["schema"])
            content["columns"] = tuple(content.get("columns", ()))
            return IntakeSpec(**content)
        except (ValueError, KeyError, TypeError) as error:
            raise StateError(f"the intake of a stream cannot be read: {error}") from error
