"""How long a registration takes on the 4 × 4 grid, the hundredth and the ten-thousandth.

A registration is everything from the text of a query to its installed plan. Times are those of the
processor, so that other work on the machine does not count. What is registered to be measured is
cancelled again, so that as many streams flow at the end as at the beginning. With constants from
small sets many subscriptions find their very stream at their own peer, so fewer streams flow than
there are subscriptions; with constants all different every subscription has a stream of its own.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rich.table import Table

from millstream.cli.scenario_plan import KnownStreams, known_streams, new_planner
from millstream.languages.xquery import compile_text
from millstream.scenarios import Scenario, ScenarioQuery, scenario
from millstream.scenarios.photon_pool import PHOTON_TEMPLATES, PHOTON_VALUES
from millstream.scenarios.pool import Choice, Pool
from millstream.sharing.planner import Options, Planner, Strategy
from millstream.sharing.reading_properties import properties_of

FEW, MANY = 100, 10_000
MEASURED = 400
QUICK_MANY, QUICK_MEASURED = 2_000, 150


def measure(quick: bool) -> dict[str, Any]:
    """Mean and 99th percentile, for constants from small sets and for constants all different."""
    grid = scenario("grid")
    known = known_streams(grid)
    many = QUICK_MANY if quick else MANY
    return {
        "few": FEW,
        "many": many,
        "unit": "ms of processor time",
        "first": round(_first(grid, known), 3),
        "constants": {
            name: _growth(grid, known, values, many, QUICK_MEASURED if quick else MEASURED)
            for name, values in (("small sets", _small), ("all different", _different))
        },
    }


def table(facts: dict[str, Any]) -> Table:
    """The facts for people."""
    drawn = Table(
        "constants", "subscriptions", "streams", "mean", "p99", "ratio of p99", title=facts["unit"]
    )
    for column in drawn.columns[1:]:
        column.justify = "right"
    drawn.add_row("the grid's own", "0 to 100", "", f"{facts['first']:.2f}", "", "")
    for name, each in facts["constants"].items():
        for size in ("few", "many"):
            drawn.add_row(
                name,
                f"{facts[size]:,}",
                f"{each[size]['flows']:,}",
                f"{each[size]['mean']:.2f}",
                f"{each[size]['p99']:.2f}",
                f"{each['ratio']:.2f}" if size == "many" else "",
            )
    return drawn


def _first(grid: Scenario, known: KnownStreams) -> float:
    """The mean over the hundred queries of the scenario, from an empty network on."""
    planner = new_planner(grid, Strategy.SHARING, known)
    return statistics.fmean(_timed(planner, known, each) for each in grid.queries)


Values = Callable[[random.Random], dict[str, tuple[Choice, ...]]]


def _growth(
    grid: Scenario, known: KnownStreams, values: Values, many: int, measured: int
) -> dict[str, Any]:
    draw = random.Random(5)
    planner = _roomy(grid, known)
    found: dict[str, Any] = {}
    number = 0
    for name, size in (("few", FEW), ("many", many)):
        while len(planner.subscriptions) < size:
            _register(planner, known, _query(grid, values, draw, number))
            number += 1
        times = []
        for extra in range(measured):
            query = _query(grid, values, draw, number + extra)
            times.append(_timed(planner, known, query))
            planner.cancel(query.name)
        number += measured
        found[name] = {
            "flows": len(planner.flows),
            "mean": round(statistics.fmean(times), 3),
            "p99": round(statistics.quantiles(times, n=100)[98], 3),
        }
    found["ratio"] = round(found["many"]["p99"] / found["few"]["p99"], 3)
    return found


def _roomy(grid: Scenario, known: KnownStreams) -> Planner:
    """A planner that refuses nothing: how long it takes to say no is not the question."""
    planner = Planner(grid.network, Options(admission=False))
    for each in grid.streams:
        planner.add_stream(
            each.name, known.schema(each.name), each.peer, known.statistics[each.name]
        )
    return planner


def _register(planner: Planner, known: KnownStreams, query: ScenarioQuery) -> None:
    compiled = compile_text(query.text, known)
    planner.register(query.name, properties_of(compiled), query.peer, query=compiled)


def _timed(planner: Planner, known: KnownStreams, query: ScenarioQuery) -> float:
    """The milliseconds of one registration."""
    began = time.process_time()
    _register(planner, known, query)
    return (time.process_time() - began) * 1000


def _query(grid: Scenario, values: Values, draw: random.Random, number: int) -> ScenarioQuery:
    streams = tuple(each.name for each in grid.streams)
    peers = tuple(each.name for each in grid.network.peers)
    pool = Pool(PHOTON_TEMPLATES, values(draw), streams, peers)
    return replace(pool.draw(1, draw.randrange(2**32))[0], name=f"N{number}")


def _small(draw: random.Random) -> dict[str, tuple[Choice, ...]]:
    return dict(PHOTON_VALUES)


def _different(draw: random.Random) -> dict[str, tuple[Choice, ...]]:
    west, south = draw.uniform(0, 300), draw.uniform(-90, 60)
    box: Choice = {
        "west": round(west, 3),
        "east": round(west + draw.uniform(1, 60), 3),
        "south": round(south, 3),
        "north": round(south + draw.uniform(1, 30), 3),
    }
    step = draw.randint(1, 60)
    window: Choice = {"size": step * draw.randint(1, 4), "step": step}
    return {
        **PHOTON_VALUES,
        "box": (box,),
        "energy": (round(draw.uniform(0.1, 2.4), 3),),
        "window": (window,),
    }
