"""A scenario at work: its plans run, and what links carry and peers do is counted."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from millstream.cli.console import say
from millstream.cli.door import open_mill
from millstream.cli.scenario_plan import Planned, link_ends, name
from millstream.errors import InternalError, QueryError
from millstream.scenarios import Scenario, ScenarioStream, written
from millstream.scenarios.scenario import PhotonSource

if TYPE_CHECKING:
    from millstream.mill import Mill


def measured(scenario: Scenario, outcome: Planned, limit: int | None) -> dict[str, Any]:
    """What the queries that found room use and give, by one strategy."""
    with tempfile.TemporaryDirectory(prefix="millstream-scenario-") as folder:
        say(f"running {len(outcome.plans)} queries by {outcome.strategy.value}")
        with open_mill(
            None,
            network=scenario.network,
            strategy=outcome.strategy.value,
            gamma=scenario.settings.gamma,
        ) as mill:
            for stream in scenario.streams:
                create(mill, limited(stream, limit), Path(folder))
            for each in scenario.queries:
                if each.name in outcome.plans:
                    mill.subscribe(each.text, name=each.name, peer=each.peer)
            report = mill.run(until="drained")
            return {**_used(mill), "wall_seconds": round(report.seconds, 3), **results_of(mill)}


def install(mill: Mill, scenario: Scenario) -> None:
    """Create what a scenario asks for and the space does not have yet; tell what finds no room."""
    folder = Path(mill.space.folder("sources"))
    for stream in scenario.streams:
        if stream.name not in mill.streams:
            create(mill, stream, folder)
    for each in scenario.queries:
        if each.name not in mill.subscriptions:
            try:
                mill.subscribe(each.text, name=each.name, peer=each.peer)
            except QueryError as error:
                if error.code != "overload":
                    raise
                say(error.message)


def check_equal(runs: Mapping[str, dict[str, Any]]) -> None:
    """An error if a query that several strategies ran did not get the same from all."""
    answers: dict[str, tuple[str, str]] = {}
    for strategy, run in runs.items():
        for query, digest in run["digests"].items():
            other, known = answers.setdefault(query, (strategy, digest))
            if known != digest:
                raise InternalError(f"{query} has other results by {strategy} than by {other}")


def limited(stream: ScenarioStream, limit: int | None) -> ScenarioStream:
    source = stream.source
    if limit is None or not isinstance(source, PhotonSource):
        return stream
    return replace(stream, source=replace(source, count=min(limit, source.count)))


def create(mill: Mill, stream: ScenarioStream, folder: Path) -> None:
    mill.create_stream(
        stream.name,
        written(stream, folder),
        schema=stream.schema,
        item=stream.item,
        order_by=stream.order_by,
        finite=True,
        peer=stream.peer,
        rate=stream.rate,
    )


def _used(mill: Mill) -> dict[str, Any]:
    network = mill.plans.network
    sent = {name(ends): 0 for ends in link_ends(network)}
    for (source, target), use in mill.traffic().items():
        sent[name(network.ends(source, target))] += use.bytes
    busy = {peer.name: 0.0 for peer in network.peers}
    for peer, work in mill.work().items():
        busy[peer] += round(work.seconds, 3)
    return {"bytes": sent, "seconds": busy, "bytes_times_hops": sum(sent.values())}


def results_of(mill: Mill) -> dict[str, Any]:
    counts, digests = {}, {}
    for each, subscription in mill.subscriptions.items():
        digest, count = hashlib.sha256(), 0
        for value in subscription.results():
            digest.update(value.encode() + b"\n")
            count += 1
        counts[each], digests[each] = count, digest.hexdigest()
    return {"results": counts, "digests": digests}
