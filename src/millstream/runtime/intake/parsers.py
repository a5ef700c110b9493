"""The parsers of a process: one for each kind of file of a stream, made once."""

from __future__ import annotations

import csv
import re
from functools import lru_cache
from typing import Any

from millstream.errors import SchemaError
from millstream.model.schema import Schema
from millstream.runtime.intake.spec import IntakeSpec
from millstream.runtime.parsing.parser import ItemParser, parser_for

_NAMESPACE = re.compile(r"""\sxmlns:([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


def parser(format: str, header: str, spec: IntakeSpec) -> ItemParser:
    """The parser of the text files of a stream that have this header."""
    delimiter, columns = (spec.delimiter, spec.columns) if format == "csv" else ("", ())
    return _made(format, spec.schema, spec.max_item_bytes, header, delimiter, columns)


@lru_cache(maxsize=64)
def _made(
    format: str,
    schema: Schema,
    max_item_bytes: int,
    header: str,
    delimiter: str,
    columns: tuple[str, ...],
) -> ItemParser:
    options: dict[str, Any] = {"max_item_bytes": max_item_bytes}
    if format == "csv":
        names = columns or columns_of(header, delimiter)
        options |= {"columns": names, "delimiter": delimiter}
    if format == "xml" and header:
        options["namespaces"] = namespaces_of(header)
    return parser_for(format, schema, **options)


def columns_of(header: str, delimiter: str) -> tuple[str, ...]:
    """The names of the columns of a CSV file."""
    try:
        names = next(csv.reader([header], delimiter=delimiter), [])
    except csv.Error as error:
        raise SchemaError(f"the header line cannot be read: {error}") from error
    return tuple(name.strip() for name in names)


def namespaces_of(tag: str) -> dict[str, str]:
    """The prefixes that a start tag declares, each with its namespace."""
    return {prefix: double or single for prefix, double, single in _NAMESPACE.findall(tag)}
