"""millstream quarantine"""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.table import Table

from millstream.cli.arguments import JsonOption, SpaceArgument
from millstream.cli.console import emit_json, show
from millstream.cli.door import existing_space, named


def quarantine(
    space: SpaceArgument,
    stream: Annotated[
        str | None, typer.Option("--stream", metavar="NAME", help="Of this stream only.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the items of a space that could not be used, with the reason and the raw text."""
    with existing_space(space) as mill:
        chosen = [stream] if stream else list(mill.streams)
        entries = [
            {"stream": name, **entry_facts(entry)}
            for name in chosen
            for entry in named(mill.streams, name, "stream").quarantine()
        ]
    if as_json:
        emit_json({"quarantine": entries})
    else:
        show(quarantine_table(entries))


def entry_facts(entry: Any) -> dict[str, Any]:
    """The fields of one entry as plain values."""
    fields = asdict(entry)
    if isinstance(fields.get("raw"), bytes):
        fields["raw"] = fields["raw"].decode("utf-8", errors="backslashreplace")
    return fields


def quarantine_table(entries: list[dict[str, Any]]) -> Table:
    """The entries as a table."""
    columns = list(entries[0]) if entries else ["stream"]
    table = Table()
    for column in columns:
        table.add_column(column, overflow="fold")
    for entry in entries:
        table.add_row(*(" ".join(str(entry[column]).split()) for column in columns))
    return table
