"""The index finds what a search through everything finds."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millstream.model.network import Network
from millstream.sharing.network import cube, grid, limited
from millstream.sharing.planner import Bypass, Options, Planner
from millstream.sharing.statistics import observe
from tests.languages.streams import SKY, SKY_ITEMS
from tests.sharing.planner.photon_planner import photon_planner, properties, random_query, register


def filled(
    chance: random.Random, count: int, options: Options, network: Network, rate: float = 3.0
) -> Planner:
    """A planner with random subscriptions."""
    planner = photon_planner(network, options, rate=rate)
    peers = [each.name for each in planner.network.peers]
    for number in range(count):
        register(planner, f"q{number}", random_query(chance), chance.choice(peers))
    return planner


@settings(max_examples=12)
@given(st.integers(0, 10**6), st.sampled_from(Bypass))
def test_the_index_finds_plans_as_cheap_as_the_search_through_everything(
    seed: int, bypass: Bypass
) -> None:
    chance = random.Random(seed)
    options = Options(bypass=bypass, admission=False)
    planner = filled(chance, 25, options, limited(cube(), bandwidth=100.0))
    for number in range(8):
        asked, peer = properties(random_query(chance)), f"SP{chance.randrange(8)}"
        fast = planner.plan(f"new{number}", asked, peer)
        full = planner.plan(f"new{number}", asked, peer, explain=True)
        assert fast.cost == pytest.approx(full.cost, rel=1e-9)


@settings(max_examples=12)
@given(st.integers(0, 10**6), st.sampled_from(Bypass))
def test_the_index_admits_what_the_search_through_everything_admits(
    seed: int, bypass: Bypass
) -> None:
    chance = random.Random(seed)
    network = limited(
        cube(), bandwidth=chance.uniform(300, 800), capacity=chance.choice((0.05, 0.012))
    )
    planner = filled(chance, 20, Options(bypass=bypass, admission=False), network, rate=30.0)
    planner._around.options = Options(bypass=bypass)
    for number in range(8):
        asked, peer = properties(random_query(chance)), f"SP{chance.randrange(8)}"
        fast = planner.plan(f"new{number}", asked, peer)
        full = planner.plan(f"new{number}", asked, peer, explain=True)
        assert (fast.refusal is None) == (full.refusal is None)
        assert fast.cost == pytest.approx(full.cost, rel=1e-9)


CONDITIONS = (
    (
        '$s/name = "Crab"',
        '$s/name = "Vela"',
        '($s/name = "Crab" or $s/name = "Vela")',
        '$s/name != "Crab"',
    ),
    ('$s/seen >= "2003-11-01"', '$s/seen >= "2003-12-01"', '$s/seen < "2004-12-01"'),
    ("$s/obs/flux >= 3", "$s/obs/flux >= 9", "$s/obs/flux = 9"),
    ('$s/obs/band = "r"', 'contains($s/name, "a")', "exists($s/site)"),
    ('$s/@id = "s1"',),
)


def sky_query(chance: random.Random) -> str:
    chosen = [chance.choice(each) for each in CONDITIONS if chance.random() < 0.4]
    where = f"where {' and '.join(chosen)}" if chosen else ""
    returned = chance.choice(("$s", "$s/name", "$s/name, $s/seen, $s/@id", "$s/obs, $s/name"))
    return f'for $s in stream("sky")/sky/source {where} return <r>{{ {returned} }}</r>'


@settings(max_examples=12)
@given(st.integers(0, 10**6))
def test_the_index_knows_all_kinds_of_conditions(seed: int) -> None:
    chance = random.Random(seed)
    planner = Planner(cube(), Options(admission=False))
    planner.add_stream("sky", SKY, "SP4", observe(SKY, SKY_ITEMS, 10.0))
    for number in range(40):
        asked, peer = properties(sky_query(chance)), f"SP{chance.randrange(8)}"
        fast = planner.plan(f"q{number}", asked, peer)
        full = planner.plan(f"q{number}", asked, peer, explain=True)
        assert fast.cost == pytest.approx(full.cost, rel=1e-9)
        planner.install(fast)


def test_texts_are_told_apart_without_looking_at_each() -> None:
    planner = Planner(cube(), Options(admission=False))
    planner.add_stream("sky", SKY, "SP4", observe(SKY, SKY_ITEMS, 10.0))
    for number in range(200):
        text = OBJECT % f"a common beginning {number}"
        planner.register(f"q{number}", properties(text), f"SP{number % 8}")
    before = planner._around.cache.computed
    planner.plan("new", properties(OBJECT % "a common beginning, and more"), "SP2")
    assert planner._around.cache.computed - before <= 2


OBJECT = 'for $s in stream("sky")/sky/source where $s/name = "%s" return <r>{ $s }</r>'


def test_few_flows_are_looked_at_however_many_there_are() -> None:
    chance = random.Random(4)
    planner = photon_planner(grid(4, 4), Options(admission=False), peer="SP5")
    for number in range(300):
        text = distinct_query(chance)
        register(planner, f"q{number}", text, f"SP{chance.randrange(16)}")
    before = planner._around.cache.computed
    for number in range(50):
        planner.plan(f"new{number}", properties(distinct_query(chance)), "SP9")
    assert planner._around.cache.computed - before <= 50 * 5


def distinct_query(chance: random.Random) -> str:
    west, south = chance.uniform(80, 140), chance.uniform(-60, -30)
    width = chance.uniform(2, 60)
    return (
        '<photons>{ for $p in stream("photons")/photons/photon'
        f" where $p/coord/cel/ra >= {west:.4f} and $p/coord/cel/ra <= {west + width:.4f}"
        f" and $p/coord/cel/dec >= {south:.4f} and $p/coord/cel/dec <= {south + width:.4f}"
        " return <r>{ $p/en }{ $p/coord/cel }</r> }</photons>"
    )
