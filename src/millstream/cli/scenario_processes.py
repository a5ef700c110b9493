"""A scenario at work with every super-peer as a process of its own."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from millstream.cli.console import say
from millstream.cli.door import open_mill
from millstream.cli.scenario_plan import Planned, link_ends, name
from millstream.cli.scenario_run import create, limited, results_of
from millstream.errors import StateError
from millstream.runtime.peers.links import Links, Traffic
from millstream.runtime.storage import storage_at
from millstream.scenarios import Scenario
from millstream.scenarios.scenario import PhotonSource

PATIENCE = 1800.0
"""Seconds that the peers may take for all."""


def measured_by_peers(scenario: Scenario, outcome: Planned, limit: int | None) -> dict[str, Any]:
    """What the queries that found room give, and what went over the links."""
    with tempfile.TemporaryDirectory(prefix="millstream-peers-") as folder:
        space = Path(folder) / "space"
        peers = [each.name for each in scenario.network.peers]
        say(f"running {len(outcome.plans)} queries by {outcome.strategy.value}, {len(peers)} peers")
        settings = {"strategy": outcome.strategy.value, "gamma": scenario.settings.gamma}
        with open_mill(space, network=scenario.network, peers=True, **settings) as mill:
            for stream in scenario.streams:
                create(mill, limited(stream, limit), Path(folder))
            for each in scenario.queries:
                if each.name in outcome.plans:
                    mill.subscribe(each.text, name=each.name, peer=each.peer)
        _turn(space, peers)
        with open_mill(space) as mill:
            given = results_of(mill)
        seconds = max((_seconds(scenario, limit)), default=0.0)
        traffic = Links(storage_at(str(space))).traffic()
        return {**given, "traffic": traffic, "stream_seconds": seconds}


def compared(scenario: Scenario, outcome: Planned, run: dict[str, Any]) -> dict[str, Any]:
    """For each link what was planned for it, and what went over it."""
    network, state = scenario.network, outcome.planner.state
    links: dict[str, Any] = {}
    for ends in link_ends(network):
        went = Traffic()
        for hop in (ends, ends[::-1]):
            went += run["traffic"].get(hop, Traffic())
        planned = state.used_bandwidth(ends) * run["stream_seconds"]
        links[name(ends)] = {
            "planned": round(planned),
            "payload": went.payload,
            "ratio": round(went.payload / planned, 3) if planned else None,
            "bytes": went.bytes,
            "packets": went.packets,
        }
    return links


def _seconds(scenario: Scenario, limit: int | None) -> list[float]:
    """How long the streams take at the rates that plans reckon with."""
    streams = (limited(each, limit) for each in scenario.streams)
    return [
        each.source.count / each.rate
        for each in streams
        if isinstance(each.source, PhotonSource) and each.rate
    ]


def _turn(space: Path, peers: list[str]) -> None:
    """Start all peers, and wait until all that flows has ended."""
    command = [sys.executable, "-m", "millstream", "peer", "--until", "drained"]
    with ExitStack() as stack:
        started = {
            each: stack.enter_context(
                subprocess.Popen(
                    [*command, "--name", each, "--space", str(space)],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    text=True,
                )
            )
            for each in peers
        }
        try:
            for each, process in started.items():
                _, told = process.communicate(timeout=PATIENCE)
                if process.returncode:
                    raise StateError(f"peer {each} failed: {told.strip()[-2000:]}", code="peers")
        finally:
            for process in started.values():
                process.kill()
