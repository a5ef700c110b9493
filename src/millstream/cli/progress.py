"""How far a run has come, drawn on stderr while it works."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from millstream.cli.console import err_console

if TYPE_CHECKING:
    from millstream.mill import RunReport

OnProgress = Callable[["RunReport"], None]


def rate(items: int, seconds: float) -> str:
    """Items per second in words."""
    return f"{items / seconds:,.0f} items/s" if seconds > 0 else "– items/s"


def counts(report: RunReport, seconds: float) -> str:
    """The line that stands beside the spinner and at the end of a run."""
    quarantined = f", {report.quarantined:,} quarantined" if report.quarantined else ""
    return (
        f"{report.items:,} items, {rate(report.items, seconds)}, {report.steps:,} steps, "
        f"{report.results:,} results{quarantined}"
    )


@contextmanager
def shown_progress(label: str) -> Iterator[OnProgress]:
    """A callback for a run; what it is told is drawn if a person is looking."""
    console = err_console()
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task(label)
        started = time.monotonic()

        def draw(report: RunReport) -> None:
            progress.update(
                task, description=f"{label}: {counts(report, time.monotonic() - started)}"
            )

        yield draw
