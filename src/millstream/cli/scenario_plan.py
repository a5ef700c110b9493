"""A scenario planned by one strategy, without running it: who gets what, and what that takes."""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from millstream.errors import QueryError, did_you_mean
from millstream.languages.xquery import compile_text
from millstream.model.network import EndPoints, Network
from millstream.model.schema import Schema
from millstream.scenarios import Scenario, items, schema_of
from millstream.sharing.planner import Options, Plan, Planner, Strategy
from millstream.sharing.reading_properties import properties_of
from millstream.sharing.statistics import StreamStatistics, observe

MILLISECONDS = 1000


@dataclass(frozen=True, slots=True)
class KnownStreams:
    """The schemas and statistics of a scenario's streams, the same for every strategy."""

    schemas: Mapping[str, Schema]
    statistics: Mapping[str, StreamStatistics]

    def names(self) -> Sequence[str]:
        return tuple(self.schemas)

    def schema(self, stream: str, /) -> Schema:
        if stream not in self.schemas:
            raise QueryError(
                f"there is no stream '{stream}'", help=did_you_mean(stream, self.schemas)
            )
        return self.schemas[stream]


@dataclass(frozen=True, slots=True)
class Planned:
    """What became of a scenario's queries under one strategy."""

    strategy: Strategy
    planner: Planner
    plans: Mapping[str, Plan]
    refused: Mapping[str, str]
    """The queries that found no room, and why."""
    seconds: tuple[float, ...]
    """How long each registration took, from its text to its installation or refusal."""

    def facts(self) -> dict[str, Any]:
        state, network = self.planner.state, self.planner.network
        links = {name(ends): state.used_bandwidth(ends) for ends in link_ends(network)}
        return {
            "traffic": {link: round(each * 8 / 1000, 3) for link, each in links.items()},
            "work": {
                peer.name: round(100 * state.used_load(peer.name) / peer.capacity, 3)
                for peer in network.peers
            },
            "bytes_per_second": round(sum(links.values()), 3),
            "flows": len(self.planner.flows),
            "registration": times(self.seconds),
            "refused": dict(self.refused),
        }


def known_streams(scenario: Scenario) -> KnownStreams:
    """What the first items of a scenario's streams tell."""
    schemas = {each.name: schema_of(each) for each in scenario.streams}
    return KnownStreams(
        schemas,
        {
            each.name: observe(schemas[each.name], items(each), each.rate)
            for each in scenario.streams
        },
    )


def planned(scenario: Scenario, strategy: Strategy, known: KnownStreams) -> Planned:
    """Register all queries of a scenario, one after the other."""
    planner = new_planner(scenario, strategy, known)
    plans: dict[str, Plan] = {}
    refused: dict[str, str] = {}
    seconds = []
    for each in scenario.queries:
        began = time.perf_counter()
        query = compile_text(each.text, known)
        try:
            plan = planner.plan(each.name, properties_of(query), each.peer, query=query)
            plans[each.name] = planner.install(plan)
        except QueryError as error:
            if error.code != "overload":
                raise
            refused[each.name] = str(plan.refusal)
        seconds.append(time.perf_counter() - began)
    return Planned(strategy, planner, plans, refused, tuple(seconds))


def new_planner(scenario: Scenario, strategy: Strategy, known: KnownStreams) -> Planner:
    """A planner of a scenario's network that knows its streams."""
    planner = Planner(scenario.network, Options(strategy, scenario.settings.gamma))
    for each in scenario.streams:
        planner.add_stream(
            each.name, known.schema(each.name), each.peer, known.statistics[each.name]
        )
    return planner


def link_ends(network: Network) -> list[EndPoints]:
    """The ends of all links, in the order of the network."""
    return [network.ends(each.source, each.target) for each in network.links]


def name(ends: EndPoints) -> str:
    """How a link is called in tables."""
    return "-".join(ends)


def times(seconds: Sequence[float]) -> dict[str, float]:
    """How long registrations took, in milliseconds."""
    if not seconds:
        return {"mean": 0.0, "least": 0.0, "most": 0.0}
    return {
        "mean": round(statistics.fmean(seconds) * MILLISECONDS, 3),
        "least": round(min(seconds) * MILLISECONDS, 3),
        "most": round(max(seconds) * MILLISECONDS, 3),
    }
