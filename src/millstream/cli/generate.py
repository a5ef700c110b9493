"""millstream generate"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from millstream.cli.arguments import JsonOption
from millstream.cli.console import emit_json, err_console, say
from millstream.cli.generate_auctions import auctions
from millstream.cli.generate_credit import credit
from millstream.cli.generate_events import packets, radars, roads
from millstream.cli.generate_tagged import moving_objects, offers, patients
from millstream.cli.progress import rate
from millstream.errors import StateError

generate = typer.Typer(help="Write made-up streams to files.")
for command in (auctions, credit, packets, radars, roads, patients, moving_objects, offers):
    generate.command()(command)


@generate.callback()
def kinds() -> None:
    """Write made-up streams to files."""


@generate.command()
def photons(
    count: Annotated[int, typer.Option("--count", min=1, help="How many photons.")],
    out: Annotated[Path, typer.Option("--out", help="A file, or with --files a folder.")],
    seed: Annotated[int, typer.Option("--seed", help="Equal seeds give equal photons.")] = 0,
    files: Annotated[int, typer.Option("--files", min=1, help="How many files.")] = 1,
    gzip: Annotated[bool, typer.Option("--gzip", help="Compress them.")] = False,
    disorder: Annotated[
        float, typer.Option("--disorder", min=0, max=1, help="The share of late photons.")
    ] = 0.0,
    dirt: Annotated[
        float, typer.Option("--dirt", min=0, max=1, help="The share of broken photons.")
    ] = 0.0,
    as_json: JsonOption = False,
) -> None:
    """Write photons as a telescope sees them."""
    from millstream.generators.photons import write

    started = time.monotonic()
    try:
        with _shown_writing(count) as progress:
            written = write(
                out,
                count,
                files=files,
                gzip=gzip,
                progress=progress,
                seed=seed,
                disorder=disorder,
                dirt=dirt,
            )
    except OSError as error:
        raise StateError(f"cannot write '{error.filename or out}': {error.strerror}") from None
    seconds = time.monotonic() - started
    if as_json:
        paths = [str(path) for path in written]
        emit_json({"photons": count, "files": paths, "seconds": round(seconds, 3)})
    say(f"{count:,} photons in {len(written)} files under {out}, {rate(count, seconds)}")


@contextmanager
def _shown_writing(count: int) -> Iterator[Callable[[int], None]]:
    console = err_console()
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("photons", total=count)
        yield lambda written: progress.update(task, completed=written)
