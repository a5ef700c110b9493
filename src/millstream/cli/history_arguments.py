"""The arguments that the commands of history share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from millstream.cli.console import err_console, say
from millstream.errors import StateError
from millstream.model.reading import read_structure
from millstream.model.tag_structure import TagStructure
from millstream.model.tag_structure_dtd import DEFAULT_RECURSION
from millstream.model.values import parse_instant

if TYPE_CHECKING:
    from millstream.history.quarantine import Quarantine

SHOWN_ENTRIES = 5
"""Entries of a quarantine that are told on stderr."""

LISTED_ENTRIES = 100
"""Entries of a quarantine that --json lists."""

TemporalOption = Annotated[
    str | None,
    typer.Option("--temporal", metavar="NAME,…", help="With a DTD: elements that have versions."),
]
EventOption = Annotated[
    str | None,
    typer.Option("--event", metavar="NAME,…", help="With a DTD: elements valid at one instant."),
]
RootOption = Annotated[
    str | None, typer.Option("--root", metavar="NAME", help="With a DTD: the root element.")
]
RecursionOption = Annotated[
    int,
    typer.Option(
        "--recursion",
        min=1,
        metavar="N",
        help="With a DTD: how often a name may stand on one path.",
    ),
]


def structure_of(
    schema: Path,
    temporal: str | None = None,
    event: str | None = None,
    root: str | None = None,
    recursion: int = DEFAULT_RECURSION,
) -> TagStructure:
    """The tag structure in a file, or derived from the DTD in it."""
    return read_structure(
        _text_of(schema),
        temporal=_names(temporal),
        event=_names(event),
        root=root,
        recursion=recursion,
    )


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise StateError(f"cannot read the schema '{file}': {reason}") from None


def _names(listed: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in (listed or "").split(",") if name.strip())


def instant(text: str | None, option: str) -> datetime | None:
    """The instant that an option names; none for 'now' or without the option."""
    if text is None or text == "now":
        return None
    try:
        return parse_instant(text)
    except ValueError as error:
        raise typer.BadParameter(f"{option}: {error}") from None


def tell_quarantine(quarantine: Quarantine) -> None:
    """Say what was set aside: how much, and the first of it."""
    if not quarantine:
        return
    say(f"{len(quarantine):,} quarantined")
    for entry in list(quarantine)[:SHOWN_ENTRIES]:
        say(f"  {entry}")
    if len(quarantine) > SHOWN_ENTRIES:
        say(f"  … and {len(quarantine) - SHOWN_ENTRIES:,} more")


def listed(quarantine: Quarantine) -> list[dict[str, Any]]:
    """The first entries of a quarantine as plain values."""
    return [entry.facts() for entry in list(quarantine)[:LISTED_ENTRIES]]


@contextmanager
def shown_count(label: str, noun: str = "fillers") -> Iterator[Callable[[int], None]]:
    """A count of things, drawn if a person is looking."""
    console = err_console()
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task(label)
        yield lambda count: progress.update(task, description=f"{label}: {count:,} {noun}")
