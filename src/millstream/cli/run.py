"""millstream run"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from millstream.cli.arguments import JsonOption
from millstream.cli.console import emit_json, say
from millstream.cli.door import create_streams, open_mill
from millstream.cli.progress import Tally, shown_progress
from millstream.cli.run_file import RunFile, SubscriptionRequest, read_run_file

if TYPE_CHECKING:
    from millstream.mill import Mill, Until


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Streams and subscriptions.")],
    until: Annotated[
        str, typer.Option("--until", metavar="drained|SECONDS|forever", help="When to end.")
    ] = "forever",
    as_json: JsonOption = False,
) -> None:
    """Run the streams and subscriptions of a TOML file."""
    end = run_end(until)
    plan = read_run_file(file)
    space = plan.space
    with open_mill(space.path, memory=space.memory, cores=space.cores) as mill:
        install(mill, plan)
        tally = turn(mill, end)
        if as_json:
            names = {"streams": list(mill.streams), "subscriptions": list(mill.subscriptions)}
            emit_json({**tally.facts(), **names})
    say(f"{tally} in {tally.seconds:.1f} s")


def run_end(until: str) -> Until:
    """When a run ends: a word or a number of seconds."""
    words: dict[str, Until] = {"drained": "drained", "forever": "forever"}
    if until in words:
        return words[until]
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


def turn(mill: Mill, until: Until) -> Tally:
    """Run a mill to its end, or until a signal asks it to stop; what it has done."""
    with shown_progress("run") as tally, _clean_interrupts(mill):
        try:
            mill.run(until=until, on_progress=tally)
        except KeyboardInterrupt:
            say("stopped; the next run goes on from the last committed step")
    return tally


@contextmanager
def _clean_interrupts(mill: Mill) -> Iterator[None]:
    """Let SIGINT and SIGTERM stop a mill between two steps."""
    # Starting Spark sets a handler of its own, which would cancel the step that is running.
    mill.spark()
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(each, signal.default_int_handler) for each in signals]
    try:
        yield
    finally:
        for each, handler in zip(signals, before, strict=True):
            signal.signal(each, handler)
