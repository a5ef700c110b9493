"""Sums of numbers that are no integers are computed in doubles, so constants are not moved."""

from __future__ import annotations

import pytest

from millstream.sharing.predicates import implies
from tests.sharing.predicates.things import follows, meets, predicate, thing


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        ("$p/d <= $p/e + 0.1", "$p/d <= $p/e + 0.2"),
        ("$p/d <= $p/e + 0.1", "$p/d <= 0.2 + $p/e"),
        ("$p/d <= $p/e - 0.2", "$p/d <= $p/e - 0.1"),
        ("$p/d <= $p/e", "$p/d <= $p/e + 0.1"),
        ("$p/d <= $p/e - 0.1", "$p/d <= $p/e"),
        ("$p/d <= $p/e + 0.1 and $p/e <= $p/f", "$p/d <= $p/f + 0.1"),
        ("$p/d <= $p/e + 170 and $p/e <= -40", "$p/d <= 130"),
        ("$p/d <= $p/e + 0.1 and $p/e <= 0.2", "$p/d <= 0.31"),
        ("$p/d + 0.5 <= 3", "$p/d <= 2.5"),
        ("$p/d <= 2.5", "$p/d + 0.5 <= 3"),
        ("$p/d - $p/e <= 0.3", "$p/d - $p/e <= 0.4"),
        ("$p/d >= 100.1 + 20.2", "$p/d >= 120"),
        ("$p/i + 0.5 <= 3", "$p/i <= 2"),
    ],
)
def test_what_holds_however_it_is_rounded(stronger: str, weaker: str) -> None:
    assert follows(stronger, weaker)


@pytest.mark.parametrize(
    ("stronger", "weaker", "item"),
    [
        ("$p/d = 0.8 and $p/e >= 0.7", "$p/d <= $p/e + 0.1", {"d": "0.8", "e": "0.7"}),
        (
            "$p/d <= $p/e + 0.1 and $p/e <= 0.2",
            "$p/d <= 0.3",
            {"d": "0.30000000000000004", "e": "0.2"},
        ),
        ("$p/d + 0.1 <= 0.8", "$p/d <= 0.7", {"d": "0.7000000000000001"}),
        ("$p/f <= $p/d - 1 and $p/d <= $p/f", "$p/f < $p/d", {"f": "1e19", "d": "1" + "0" * 19}),
    ],
)
def test_items_that_exact_sums_would_lose(stronger: str, weaker: str, item: dict[str, str]) -> None:
    one, other = predicate(stronger), predicate(weaker)
    assert meets(thing(item), one.expression())
    assert not meets(thing(item), other.expression())
    assert not implies(one, other).holds


def test_integers_are_added_without_loss() -> None:
    assert follows("$p/i <= $p/j + 1 and $p/j <= $p/k + 2", "$p/i <= $p/k + 3")


def test_exact_sums_on_request() -> None:
    stronger = predicate("$p/d <= $p/e + 0.1 and $p/e <= 0.2", rounded=False)
    assert implies(stronger, predicate("$p/d <= 0.3", rounded=False)).holds
