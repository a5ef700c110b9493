"""millstream fragment"""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from millstream.cli.arguments import JsonOption
from millstream.cli.console import emit_json, say
from millstream.cli.history_arguments import (
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
from millstream.errors import StateError
from millstream.model.tag_structure import TagStructure
from millstream.model.tag_structure_dtd import DEFAULT_RECURSION
from millstream.model.tag_structure_text import tag_structure_text

if TYPE_CHECKING:
    from millstream.model.filler import Filler


def fragment(
    document: Annotated[Path, typer.Argument(metavar="DOC", help="An XML document.")],
    schema: Annotated[
        Path, typer.Option("--schema", metavar="FILE", help="A tag structure, or a DTD.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder for the fillers.")],
    temporal: TemporalOption = None,
    event: EventOption = None,
    root: RootOption = None,
    recursion: RecursionOption = DEFAULT_RECURSION,
    valid_time: Annotated[
        str | None,
        typer.Option(
            "--valid-time", metavar="TIME", help="Since when the document is valid; else now."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Cut a document into fillers at the elements that have versions or are events."""
    from millstream.history.fragmenter import fragment as cut
    from millstream.history.quarantine import Quarantine

    structure = structure_of(schema, temporal, event, root, recursion)
    since = instant(valid_time, "--valid-time") or datetime.now(UTC).replace(microsecond=0)
    quarantine = Quarantine()
    started = time.monotonic()
    tally = _Tally(cut(document, structure, valid_time=since, reject=quarantine))
    files = _write(out, tally, structure)
    seconds = time.monotonic() - started
    tell_quarantine(quarantine)
    say(f"{tally.count:,} fillers in {len(files)} files under {out}, {seconds:.1f} s")
    if as_json:
        facts = {"fillers": tally.count, "files": [str(path) for path in files]}
        set_aside = {"quarantined": len(quarantine), "quarantine": listed(quarantine)}
        emit_json({**facts, **set_aside, "seconds": round(seconds, 3)})


class _Tally:
    """Fillers that are counted as they go by."""

    def __init__(self, fillers: Iterator[Filler]) -> None:
        self.count = 0
        self._fillers = fillers

    def __iter__(self) -> Iterator[Filler]:
        for filler in self._fillers:
            self.count += 1
            yield filler


def _write(out: Path, fillers: _Tally, structure: TagStructure) -> tuple[Path, ...]:
    from millstream.history.filler_files import STRUCTURE_FILE, write_fillers

    try:
        with shown_count("fragment") as progress:
            files = write_fillers(out, fillers, progress=progress)
        (out / STRUCTURE_FILE).write_text(tag_structure_text(structure), encoding="utf-8")
    except OSError as error:
        raise StateError(f"cannot write '{error.filename or out}': {error.strerror}") from None
    return files
