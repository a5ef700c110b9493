"""The door to parsing: bytes of a format in, typed rows and rejected items out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from millstream.errors import UnsupportedError, did_you_mean
from millstream.model.schema import Schema
from millstream.runtime.parsing.arrow_types import arrow_schema
from millstream.runtime.parsing.chunk import ParsedChunk, Rejected
from millstream.runtime.parsing.csv_lines import CsvParser
from millstream.runtime.parsing.json_lines import JsonLinesParser
from millstream.runtime.parsing.tables import rows_from_table
from millstream.runtime.parsing.xml import XmlParser

__all__ = [
    "ItemParser",
    "ParsedChunk",
    "Rejected",
    "arrow_schema",
    "parser_for",
    "rows_from_table",
]


class ItemParser(Protocol):
    """Turns slices of a stream into rows."""

    def parse(self, data: bytes) -> ParsedChunk:
        """The rows of a slice that holds whole items, and its bad items."""
        ...


_PARSERS: dict[str, Callable[..., ItemParser]] = {
    "xml": XmlParser,
    "json": JsonLinesParser,
    "csv": CsvParser,
}


def parser_for(format: str, schema: Schema, **options: Any) -> ItemParser:
    """The parser of a stream's items.

    Options: max_item_bytes for every format; namespaces for xml, the prefixes that the stream's
    root declares; columns and delimiter for csv.
    """
    if format not in _PARSERS:
        help = did_you_mean(format, _PARSERS)
        raise UnsupportedError(f"items in format '{format}' cannot be read", help=help)
    arrow_schema(schema)  # refuses a schema that rows cannot have
    return _PARSERS[format](schema, **options)
