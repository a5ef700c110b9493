"""millstream materialize"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from millstream.cli.arguments import JsonOption
from millstream.cli.console import emit_json, say
from millstream.cli.history_arguments import (
    LISTED_ENTRIES,
    EventOption,
    RecursionOption,
    RootOption,
    TemporalOption,
    instant,
    listed,
    shown_count,
    structure_of,
    tell_quarantine,
)
from millstream.model.tag_structure_dtd import DEFAULT_RECURSION

if TYPE_CHECKING:
    from millstream.history.filler_store import FillerStore
    from millstream.history.history import History

SHOWN_HOLES = 5


def materialize(
    source: Annotated[
        Path, typer.Argument(metavar="DIR", help="A folder of fillers, or one file of them.")
    ],
    schema: Annotated[
        Path | None,
        typer.Option(
            "--schema",
            metavar="FILE",
            help="A tag structure, or a DTD; else the tag-structure.xml of the folder.",
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="TIME", help="The document as it stood then, or 'now'."),
    ] = None,
    begin: Annotated[
        str | None, typer.Option("--from", metavar="TIME", help="With --to: what changed since.")
    ] = None,
    end: Annotated[
        str | None, typer.Option("--to", metavar="TIME", help="With --from: what changed until.")
    ] = None,
    temporal: TemporalOption = None,
    event: EventOption = None,
    root: RootOption = None,
    recursion: RecursionOption = DEFAULT_RECURSION,
    as_json: JsonOption = False,
) -> None:
    """Put fillers together: all versions at once, or the document as it stood at an instant."""
    from millstream.history.history import read_history

    if (begin is None) != (end is None) or (begin is not None and at is not None):
        raise typer.BadParameter("--from and --to come together, and without --at")
    asked = _asked(at, begin, end)
    structure = structure_of(_schema_file(source, schema), temporal, event, root, recursion)
    with shown_count("materialize") as progress:
        history = read_history(source, structure, progress=progress)
    _tell(history)
    if as_json:
        pieces: list[str] = []
        asked.write(history.store, pieces.append)
        emit_json({**_facts(history), "document": "".join(pieces)})
    else:
        asked.write(history.store, sys.stdout.write)
        sys.stdout.write("\n")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What of a history is to be shown."""

    kind: Literal["view", "snapshot", "difference"]
    begin: datetime | None = None
    end: datetime | None = None
    """Without a time, now is meant."""

    def write(self, store: FillerStore, write: Callable[[str], object]) -> None:
        from millstream.history.difference import difference
        from millstream.history.temporal_view import write_snapshot, write_view

        if self.kind == "view" or store.now is None:
            write_view(store, write)
        elif self.kind == "snapshot":
            write_snapshot(store, write, self.end)
        else:
            found = difference(store, self.begin or store.now, self.end or store.now)
            write(found.to_xml())


def _asked(at: str | None, begin: str | None, end: str | None) -> _Asked:
    if begin is not None:
        return _Asked("difference", instant(begin, "--from"), instant(end, "--to"))
    return _Asked("view") if at is None else _Asked("snapshot", end=instant(at, "--at"))


def _schema_file(source: Path, schema: Path | None) -> Path:
    from millstream.history.filler_files import STRUCTURE_FILE

    if schema is not None:
        return schema
    folder = source if source.is_dir() else source.parent
    if not (folder / STRUCTURE_FILE).is_file():
        raise typer.BadParameter(f"--schema is missing: there is no {STRUCTURE_FILE} in '{folder}'")
    return folder / STRUCTURE_FILE


def _tell(history: History) -> None:
    tell_quarantine(history.quarantine)
    if history.unfilled:
        names = ", ".join(
            f"{hole.id} ({history.store.tag(hole).name})" for hole in history.unfilled[:SHOWN_HOLES]
        )
        more = ", …" if len(history.unfilled) > SHOWN_HOLES else ""
        say(f"holes that wait for their filler: {len(history.unfilled):,}: {names}{more}")


def _facts(history: History) -> dict[str, Any]:
    holes = [{"id": hole.id, "tsid": hole.tsid} for hole in history.unfilled[:LISTED_ENTRIES]]
    return {**history.facts(), "unfilled": holes, "quarantine": listed(history.quarantine)}
