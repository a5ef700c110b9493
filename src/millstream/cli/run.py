"""millstream run"""

from __future__ import annotations

import signal
import time
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from millstream.cli.arguments import JsonOption
from millstream.cli.console import emit_json, say
from millstream.cli.door import create_streams, open_mill
from millstream.cli.progress import counts, shown_progress
from millstream.cli.run_file import RunFile, SubscriptionRequest, read_run_file

if TYPE_CHECKING:
    from millstream.mill import Mill, RunReport

DRAINED, FOREVER = "drained", "forever"


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Streams and subscriptions.")],
    until: Annotated[
        str, typer.Option("--until", metavar="drained|SECONDS|forever", help="When to end.")
    ] = FOREVER,
    as_json: JsonOption = False,
) -> None:
    """Run the streams and subscriptions of a TOML file."""
    end = run_end(until)
    plan = read_run_file(file)
    space = plan.space
    with open_mill(space.path, memory=space.memory, cores=space.cores) as mill:
        install(mill, plan)
        started = time.monotonic()
        report = turn(mill, end)
        seconds = time.monotonic() - started
        if as_json:
            emit_json(facts(mill, report, seconds))
    say(f"{counts(report, seconds) if report else 'nothing'} in {seconds:.1f} s")


def run_end(until: str) -> str | float:
    """When a run ends: a word or a number of seconds."""
    if until in (DRAINED, FOREVER):
        return until
    try:
        seconds = float(until)
    except ValueError:
        seconds = 0
    if not 0 < seconds < float("inf"):
        raise typer.BadParameter(f"'{until}' is neither drained, forever nor a number of seconds")
    return seconds


def install(mill: Mill, plan: RunFile) -> None:
    """Create what a file asks for and the space does not have yet."""
    create_streams(mill, (each for each in plan.streams if each.name not in mill.streams))
    for request in plan.subscriptions:
        if request.name not in mill.subscriptions:
            _subscribe(mill, request)


def _subscribe(mill: Mill, request: SubscriptionRequest) -> None:
    mill.subscribe(
        request.text,
        name=request.name,
        end=request.end,
        empty=request.empty,
        start=request.start,
        sinks=request.sinks,
    )


def turn(mill: Mill, until: str | float) -> RunReport | None:
    """Run a mill to its end, or until a signal asks it to stop; what it has done."""
    last: RunReport | None = None
    with shown_progress("run") as draw:

        def on_progress(report: RunReport) -> None:
            nonlocal last
            last = report
            draw(report)

        signal.signal(signal.SIGTERM, _interrupt)
        try:
            return mill.run(until=until, on_progress=on_progress)
        except KeyboardInterrupt:
            # A step is committed whole or not at all, so there is nothing to mend here.
            say("stopped; the next run goes on from the last committed step")
            return last


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def facts(mill: Mill, report: RunReport | None, seconds: float) -> dict[str, Any]:
    """What a run has done."""
    return {
        "items": report.items if report else 0,
        "steps": report.steps if report else 0,
        "results": report.results if report else 0,
        "quarantined": report.quarantined if report else 0,
        "seconds": round(seconds, 3),
        "streams": list(mill.streams),
        "subscriptions": list(mill.subscriptions),
    }
