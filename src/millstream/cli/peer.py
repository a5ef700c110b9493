"""millstream peer"""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import Annotated

import typer

from millstream.cli.console import say
from millstream.cli.run import run_end

NetworkOption = Annotated[
    Path | None,
    typer.Option("--network", metavar="FILE", help="The file that the network was made from."),
]
SpaceOption = Annotated[
    Path | None,
    typer.Option("--space", help="The space that the peers share; else it lies beside the file."),
]


def peer(
    name: Annotated[str, typer.Option("--name", metavar="PEER", help="Which super-peer to be.")],
    network: NetworkOption = None,
    space: SpaceOption = None,
    until: Annotated[
        str, typer.Option("--until", metavar="drained|SECONDS|forever", help="When to end.")
    ] = "forever",
    memory: Annotated[str, typer.Option("--memory", help="What Spark may take.")] = "512m",
    cores: Annotated[int, typer.Option("--cores", min=1, help="Tasks at a time.")] = 1,
) -> None:
    """Be a super-peer: turn the streams of a shared space that are at its place."""
    from millstream.peer import Peer

    end = run_end(until)
    place = shared_space(network, space)
    stop = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stop.set())
    with Peer(place, name, memory=memory, cores=cores) as own:
        say(f"{name} turns its part of {place}")
        own.turn(end, stop)
    say(f"{name} stopped; it goes on from its last committed step")


def shared_space(network: Path | None, space: Path | None) -> Path:
    """Where peers meet: the space that is named, or the one beside the file of the network."""
    if space is not None:
        return space
    if network is None:
        raise typer.BadParameter("name the space with --space, or its network with --network")
    return network.with_suffix(".space")
