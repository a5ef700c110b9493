"""millstream coordinate"""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from millstream.cli.console import say
from millstream.cli.door import open_mill
from millstream.cli.peer import SpaceOption, shared_space

if TYPE_CHECKING:
    from millstream.coordination import Situation


def coordinate(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE|NAME",
            help="A scenario: network, streams and queries; none if all is there already.",
        ),
    ] = None,
    space: SpaceOption = None,
    once: Annotated[bool, typer.Option("--once", help="Register, and do not watch.")] = False,
    away: Annotated[
        float, typer.Option("--away", min=2, help="Seconds after which a silent peer is away.")
    ] = 15.0,
) -> None:
    """Register what a scenario asks for, plan it for peers, and watch over these."""
    from millstream.coordination import Coordinator

    place = shared_space(file, space)
    if file is not None:
        register(file, place)
    if once:
        return
    stop = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stop.set())
    coordinator = Coordinator(place, away)
    while not stop.wait(1.0):
        situation = coordinator.look()
        if situation is not None:
            _tell(situation)


def register(file: Path, space: Path) -> None:
    """Create what a scenario asks for and the space does not have yet."""
    from millstream.cli.scenario_run import install
    from millstream.scenarios import scenario

    told = scenario(str(file))
    settings = {"strategy": told.settings.strategy, "gamma": told.settings.gamma}
    with open_mill(space, network=told.network, peers=True, **settings) as mill:
        install(mill, told)
        names = ", ".join(each.name for each in told.network.peers)
        say(f"{len(mill.subscriptions)} subscriptions at {space}; its peers: {names}")


def _tell(situation: Situation) -> None:
    if situation.away:
        say(f"away: {', '.join(situation.away)}")
    say(f"present: {', '.join(situation.present) or 'none'}")
    for each in situation.rerouted:
        say(
            f"flow {each.flow} goes by {', '.join(each.after)} now, not by {', '.join(each.before)}"
        )
    for name in situation.moved:
        say(f"subscription {name} is planned anew, and its results are made anew from the log")
    for name, peers in situation.waiting.items():
        say(f"subscription {name} waits for {', '.join(peers)}")
    for peer, trouble in situation.troubles.items():
        say(f"{peer}: {trouble}")
