"""Planners with a stream of photons, and random subscriptions to it."""

from __future__ import annotations

import random
from functools import cache

from millstream.algebra.operators import Query
from millstream.generators.photon_queries import AVERAGE_20, AVERAGE_60, RXJ, VELA
from millstream.generators.photons import generate
from millstream.languages.xquery import compile_text
from millstream.model.network import Network
from millstream.sharing.network import cube
from millstream.sharing.planner import Options, Plan, Planner
from millstream.sharing.properties import Properties
from millstream.sharing.reading_properties import properties_of
from millstream.sharing.statistics import StreamStatistics, observe
from tests.languages.streams import PHOTONS, Streams

SEED_QUERIES = {"Q1": (VELA, "SP1"), "Q2": (RXJ, "SP7"), "Q3": (AVERAGE_20, "SP3")} | {
    "Q4": (AVERAGE_60, "SP2")
}
"""The four subscriptions of the seed and where they are registered."""

OUTPUTS = (
    "coord/cel/ra coord/cel/dec phc en det_time",
    "coord/cel/ra coord/cel/dec en det_time",
    "en det_time",
    "phc en",
)
WINDOWS = ("20 step 10", "20 step 20", "40 step 10", "40 step 20", "60 step 20", "60 step 40")


@cache
def photon_statistics(rate: float = 3.0) -> StreamStatistics:
    """Statistics of generated photons."""
    return observe(PHOTONS, generate(1000), rate)


@cache
def compiled(text: str) -> Query:
    """A query on photons."""
    return compile_text(text, Streams())


@cache
def properties(text: str) -> Properties:
    """The properties of a query on photons."""
    return properties_of(compiled(text))


def photon_planner(
    network: Network | None = None,
    options: Options | None = None,
    *,
    peer: str = "SP4",
    rate: float = 3.0,
) -> Planner:
    """A planner that knows the stream of photons."""
    planner = Planner(network or cube(), options)
    planner.add_stream("photons", PHOTONS, peer, photon_statistics(rate))
    return planner


def register(planner: Planner, name: str, text: str, peer: str) -> Plan:
    """Plan and install a query."""
    return planner.register(name, properties(text), peer, query=compiled(text))


def register_seed_queries(planner: Planner, count: int = 4) -> dict[str, Plan]:
    """Register the first queries of the seed, one after another."""
    chosen = list(SEED_QUERIES.items())[:count]
    return {name: register(planner, name, *query) for name, query in chosen}


def random_query(chance: random.Random) -> str:
    """A selection with projection, or an aggregation, with constants from small sets."""
    west, south = chance.choice((115, 120, 125)), chance.choice((-50, -48, -46))
    width = chance.choice((8, 12, 16, 20))
    box = [
        f"coord/cel/ra >= {west}.0",
        f"coord/cel/ra <= {west + width}.0",
        f"coord/cel/dec >= {south}.0",
        f"coord/cel/dec <= {south + width // 2}.0",
    ]
    if chance.random() < 0.4:
        box.append(f"en >= {chance.choice(('0.5', '1.0', '1.3'))}")
    if chance.random() < 0.2:
        box.append(f"phc != {chance.choice((7, 8))}")
    if chance.random() < 0.2:
        box.append(f"coord/det/dx <= {chance.choice((100, 200))}")
    if chance.random() < 0.6:
        return _selection(box, chance.choice(OUTPUTS).split())
    return _aggregation(
        box, chance.choice(WINDOWS), chance.choice(("avg", "sum", "count", "max")), chance
    )


def _selection(conditions: list[str], outputs: list[str]) -> str:
    where = " and ".join(f"$p/{each}" for each in conditions)
    returned = " ".join(f"{{ $p/{each} }}" for each in outputs)
    return (
        f'<photons>{{ for $p in stream("photons")/photons/photon where {where}'
        f" return <r>{returned}</r> }}</photons>"
    )


def _aggregation(conditions: list[str], window: str, function: str, chance: random.Random) -> str:
    where = "where $a >= 1.0" if chance.random() < 0.3 else ""
    return (
        f'<photons>{{ for $w in stream("photons")/photons/photon[{" and ".join(conditions)}]'
        f"|det_time diff {window}| let $a := {function}($w/en) {where}"
        f" return <r>{{ $a }}</r> }}</photons>"
    )
