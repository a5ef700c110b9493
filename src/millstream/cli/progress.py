"""How far a run has come, counted step by step and drawn on stderr while it works."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from millstream.cli.console import err_console

if TYPE_CHECKING:
    from millstream.runtime.shared_batch import StepReport


class Tally:
    """The sum of the steps of a run; called with the report of each."""

    def __init__(self, label: str, progress: Progress) -> None:
        self.steps = self.items = self.results = self.quarantined = 0
        self._label = label
        self._progress = progress
        self._task = progress.add_task(label)
        self._started = time.monotonic()

    def __call__(self, step: StepReport) -> None:
        self.steps += 1
        self.items += step.items
        self.results += step.results
        self.quarantined += step.rejected
        self._progress.update(self._task, description=f"{self._label}: {self}")

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._started

    def facts(self) -> dict[str, Any]:
        """The counts as plain values."""
        return {
            "items": self.items,
            "steps": self.steps,
            "results": self.results,
            "quarantined": self.quarantined,
            "seconds": round(self.seconds, 3),
        }

    def __str__(self) -> str:
        quarantined = f", {self.quarantined:,} quarantined" if self.quarantined else ""
        return (
            f"{self.items:,} items, {rate(self.items, self.seconds)}, {self.steps:,} steps, "
            f"{self.results:,} results{quarantined}"
        )


def rate(items: int, seconds: float) -> str:
    """Items per second in words."""
    return f"{items / seconds:,.0f} items/s" if seconds > 0 else "– items/s"


@contextmanager
def shown_progress(label: str) -> Iterator[Tally]:
    """A tally for a run, drawn if a person is looking."""
    console = err_console()
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        yield Tally(label, progress)
