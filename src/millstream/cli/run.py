"""millstream run"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from millstream.cli.arguments import JsonOption
from millstream.cli.console import emit_json, say
from millstream.cli.door import create_streams, open_mill
from millstream.cli.functions import register_files
from millstream.cli.progress import Tally, shown_progress
from millstream.cli.run_file import RunFile, SubscriptionRequest, is_scenario, read_run_file
from millstream.model.tags.vocabulary import tag_vocabulary

if TYPE_CHECKING:
    from millstream.mill import Mill, Until


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Streams and subscriptions.")],
    until: Annotated[
        str, typer.Option("--until", metavar="drained|SECONDS|forever", help="When to end.")
    ] = "forever",
    space: Annotated[
        Path | None,
        typer.Option("--space", help="Where to keep what a scenario leaves, instead of nowhere."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Run the streams and subscriptions of a TOML file, or of a scenario."""
    end = run_end(until)
    with installed(file, space) as mill:
        tally = turn(mill, end)
        if as_json:
            names = {"streams": list(mill.streams), "subscriptions": list(mill.subscriptions)}
            emit_json({**tally.facts(), **names})
    say(f"{tally} in {tally.seconds:.1f} s")


@contextmanager
def installed(file: Path, space: Path | None) -> Iterator[Mill]:
    """A mill with all that a file asks for."""
    if is_scenario(file):
        from millstream.cli import scenario_run
        from millstream.scenarios import read_scenario

        told = read_scenario(file)
        settings = {"strategy": told.settings.strategy, "gamma": told.settings.gamma}
        with open_mill(space, network=told.network, **settings) as mill:
            scenario_run.install(mill, told)
            yield mill
        return
    plan = read_run_file(file)
    if space is not None:
        raise typer.BadParameter("a run file says its space itself, under [space]")
    register_files([plan.space.functions] if plan.space.functions else None)
    limits: dict[str, Any] = {"memory": plan.space.memory, "cores": plan.space.cores}
    if plan.space.clock is not None:
        limits["clock"] = plan.space.clock
    if plan.space.thesaurus is not None:
        limits["vocabulary"] = tag_vocabulary(plan.space.thesaurus)
    with open_mill(plan.space.path, **limits) as mill:
        install(mill, plan)
        yield mill


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
