"""The record of a stream of fillers: of a stream whose schema is a tag structure."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from millstream.errors import SchemaError
from millstream.history.filler_files import FILE_PREFIX, STRUCTURE_FILE
from millstream.model.reading import is_tag_structure
from millstream.model.tag_structure_text import read_tag_structure
from millstream.runtime.history.filler_parser import FILLER_ITEMS
from millstream.runtime.records import StreamRecord

_OF_ITEMS = ("item", "order_by", "types", "key", "delimiter", "retention")
"""What a stream of fillers does not have."""


def structure_beside(location: str) -> str | None:
    """The tag structure that lies in the folder of a source, if there is one."""
    if "://" in location:
        return None
    try:
        text = (Path(location) / STRUCTURE_FILE).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return text if is_tag_structure(text) else None


def new_filler_stream(
    name: str,
    location: str,
    structure: str,
    options: Mapping[str, Any],
    *,
    finite: bool,
    max_bytes_per_batch: int | None,
    max_items_per_batch: int | None,
) -> StreamRecord:
    """The record of a new stream of fillers; SchemaError where an option is one of items."""
    read_tag_structure(structure.removeprefix("\ufeff"))
    for option in _OF_ITEMS:
        if options.get(option) not in (None, {}, "all"):
            raise SchemaError(
                f"stream '{name}' is a history, which has no {option.replace('_', ' ')}"
            )
    if options.get("format") not in (None, "auto", "xml"):
        raise SchemaError(f"stream '{name}' is a history: fillers come as xml")
    source, notes = _source(location)
    return StreamRecord(
        name=name,
        source=source,
        format="xml",
        layout=StreamRecord.layout_of(FILLER_ITEMS),
        finite=finite,
        max_bytes_per_batch=max_bytes_per_batch,
        max_items_per_batch=max_items_per_batch,
        notes=notes,
        structure=structure.removeprefix("\ufeff"),
    )


def _source(location: str) -> tuple[str, tuple[str, ...]]:
    """Where fillers are read: in a folder that holds other files too, those called fillers…"""
    if "://" in location or not os.path.isdir(location):
        return location, ()
    names = os.listdir(location)
    if STRUCTURE_FILE in names or any(each.startswith(FILE_PREFIX) for each in names):
        return f"{location}/{FILE_PREFIX}*", (f"files called {FILE_PREFIX}… are read",)
    return location, ()
