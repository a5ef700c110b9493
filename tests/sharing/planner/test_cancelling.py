"""Cancelling: flows live on while others depend on them, and nothing else does."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from millstream.errors import QueryError
from millstream.sharing.planner import Options, Planner, Strategy
from tests.sharing.planner.photon_planner import (
    SEED_QUERIES,
    photon_planner,
    random_query,
    register,
    register_seed_queries,
)


def everything(planner: Planner) -> tuple[object, ...]:
    """All that a planner has installed."""
    flows = {each.name: each for each in planner.flows}
    return planner.state.snapshot(), flows, set(planner.subscriptions)


def test_flows_that_others_depend_on_live_on() -> None:
    planner = photon_planner()
    register_seed_queries(planner)
    cancelled = planner.cancel("Q1")
    assert cancelled.uninstalled == ()
    assert cancelled.living == ("Q1",)
    assert set(cancelled.dependents) == {"Q2", "Q3", "Q4"}


def test_flows_of_cancelled_subscriptions_end_with_their_last_dependent() -> None:
    planner = photon_planner()
    before = everything(planner)
    register_seed_queries(planner, 2)
    planner.cancel("Q1")
    cancelled = planner.cancel("Q2")
    assert cancelled.uninstalled == ("Q2", "Q1")
    assert everything(planner) == before


def test_dependents_are_told() -> None:
    planner = photon_planner()
    register_seed_queries(planner)
    assert set(planner.dependents("Q1")) == {"Q2", "Q3", "Q4"}
    assert planner.dependents("Q3") == ("Q4",)
    assert planner.dependents("Q4") == ()


def test_a_name_can_be_used_again_while_the_old_flow_lives_on() -> None:
    planner = photon_planner()
    register_seed_queries(planner, 2)
    planner.cancel("Q1")
    plan = register(planner, "Q1", *SEED_QUERIES["Q4"])
    assert [each.name for each in plan.flows] == ["Q1~2"]


def test_an_unknown_subscription_cannot_be_cancelled() -> None:
    with pytest.raises(QueryError) as error:
        photon_planner().cancel("Q9")
    assert error.value.code == "unknown-subscription"


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from(Strategy))
def test_what_is_registered_and_cancelled_leaves_nothing_behind(
    seed: int, strategy: Strategy
) -> None:
    chance = random.Random(seed)
    planner = photon_planner(options=Options(strategy=strategy, admission=False))
    states = [everything(planner)]
    living: list[str] = []
    for number in range(25):
        if living and chance.random() < 0.4:
            planner.cancel(living.pop(chance.randrange(len(living))))
        else:
            living.append(f"q{number}")
            register(planner, living[-1], random_query(chance), f"SP{chance.randrange(8)}")
    chance.shuffle(living)
    for name in living:
        planner.cancel(name)
    assert everything(planner) == states[0]


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_cancelling_the_latest_is_undoing_it(seed: int) -> None:
    chance = random.Random(seed)
    planner = photon_planner(options=Options(admission=False))
    states = []
    for number in range(15):
        states.append(everything(planner))
        register(planner, f"q{number}", random_query(chance), f"SP{chance.randrange(8)}")
    for number in reversed(range(15)):
        planner.cancel(f"q{number}")
        assert everything(planner) == states[number]
