"""Random mixes of windows that come and go, over items that come late: all share, none can tell."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

import millstream
from millstream.mill import Mill
from millstream.model.window import EndRule
from millstream.runtime import fold_views, shared_batch
from millstream.runtime.session import SparkSession
from millstream.testing.direct_feed import DirectFeed
from millstream.testing.reference import StreamSettings, evaluate
from millstream.testing.saxon import canonical
from tests.runtime.window_subscriptions import DTD, TYPES, Stay, items, stays

SUBSCRIPTIONS = 12
BATCHES = 4
EXAMPLES = int(os.environ.get("MILLSTREAM_EXAMPLES", "1"))


@dataclass(frozen=True)
class Case:
    """Subscriptions, and the batches they see."""

    stays: tuple[Stay, ...]
    batches: tuple[tuple[str, ...], ...]
    lateness: int

    @property
    def named(self) -> dict[str, Stay]:
        return {f"s{number}": each for number, each in enumerate(self.stays)}


@st.composite
def cases(draw: st.DrawFn) -> Case:
    found = draw(items(draw(st.integers(10, 50)), draw(st.sampled_from((0, 2, 6)))))
    cuts = sorted(draw(st.integers(0, len(found))) for _ in range(BATCHES - 1))
    batches = tuple(tuple(found[a:b]) for a, b in itertools.pairwise((0, *cuts, len(found))))
    subscriptions = st.lists(stays(BATCHES), min_size=SUBSCRIPTIONS, max_size=SUBSCRIPTIONS)
    return Case(tuple(draw(subscriptions)), batches, draw(st.sampled_from((0, 3))))


def run(mill: Mill, case: Case) -> None:
    feed = DirectFeed(mill, "items")
    for index in range(BATCHES + 1):
        for name, stay in case.named.items():
            if stay.comes == index:
                mill.subscribe(stay.text, name=name, end=stay.end, empty=stay.empty)
            if stay.goes == index:
                mill.cancel(name)
        if index < BATCHES:
            feed.push(case.batches[index])
    feed.end()


def alone(mill: Mill, name: str, stay: Stay, case: Case) -> tuple[str, ...]:
    """What the subscription gives by itself, by the reference evaluator."""
    seen: Sequence[Sequence[str]] = case.batches[: stay.goes]
    return evaluate(
        mill.subscriptions[name].query,
        [("items", item) for batch in seen for item in batch],
        settings={"items": StreamSettings(lateness=case.lateness)},
        registered_after=sum(len(each) for each in case.batches[: stay.comes]),
        ended=stay.goes is None,
        end=EndRule(stay.end) if stay.end else None,
        empty=stay.empty,
    ).results


def normal(results: Sequence[str]) -> list[str]:
    return [canonical(each, numbers=True) for each in results]


@pytest.mark.spark
@pytest.mark.timeout(3600)
@settings(
    max_examples=EXAMPLES,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    derandomize=EXAMPLES <= 1,
)
@pytest.mark.parametrize("together", [False, True])
@given(case=cases())
def test_windows_that_come_and_go(spark: SparkSession, together: bool, case: Case) -> None:
    with (
        pytest.MonkeyPatch.context() as patched,
        millstream.open(None, spark=spark) as mill,
    ):
        patched.setattr(shared_batch, "FULL_AFTER", 3)
        patched.setattr(fold_views, "_groups", lambda *_: 10 if together else None)
        mill.create_stream("items", "nowhere", schema=DTD, types=TYPES, lateness=case.lateness)
        run(mill, case)
        for name, stay in case.named.items():
            found = list(mill.subscriptions[name].results())
            expected = alone(mill, name, stay, case)
            if found != list(expected):
                note(f"{name}: {stay}")
                assert normal(found) == normal(expected)
