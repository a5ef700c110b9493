"""What is concluded of predicates holds for items, as conditions are evaluated."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from millstream.algebra.expressions import Expression
from millstream.algebra.show import show
from millstream.sharing.predicates import conjunction, implies, predicate_of, residual
from millstream.testing.reference.nodes import ElementNode
from tests.sharing.predicates.random_conditions import Conditions
from tests.sharing.predicates.random_things import random_thing, thing_on_a_bound
from tests.sharing.predicates.things import RESOLVE, meets, predicate

QUICK = 120
LONG = 1_500
FEW = [random_thing(Random(number)) for number in range(120)]
MANY = [random_thing(Random(number)) for number in range(400)]
ON_BOUNDS = [thing_on_a_bound(Random(number)) for number in range(400)]

Items = list[ElementNode]
Check = Callable[[Expression, Expression, Items], bool]


def is_sound(stronger: Expression, weaker: Expression, items: Items) -> bool:
    """An implication that is claimed holds for all items."""
    one, other = predicate_of(stronger, RESOLVE), predicate_of(weaker, RESOLVE)
    if not implies(one, other).holds:
        return True
    return all(meets(item, weaker) for item in items if meets(item, stronger))


def is_rest_right(wanted: Expression, given: Expression, items: Items) -> bool:
    """Of items that meet what is given, those that meet the rest meet what is wanted."""
    one, other = predicate_of(wanted, RESOLVE), predicate_of(given, RESOLVE)
    rest = residual(one, other).expression()
    return all(meets(item, rest) is meets(item, wanted) for item in items if meets(item, given))


def is_minimal_form_right(one: Expression, other: Expression, items: Items) -> bool:
    """The minimal form of a conjunction is true of the same items, from any variable."""
    found = conjunction(predicate_of(one, RESOLVE), predicate_of(other, RESOLVE))
    minimal, rebased = found.expression(), found.expression("other")
    return all(
        (meets(item, one) and meets(item, other))
        is meets(item, minimal)
        is meets(item, rebased, "other")
        for item in items
    )


def is_impossible_right(one: Expression, other: Expression, items: Items) -> bool:
    """No item meets what is said to be impossible."""
    found = conjunction(predicate_of(one, RESOLVE), predicate_of(other, RESOLVE))
    return found.satisfiable or not any(meets(item, one) and meets(item, other) for item in items)


CHECKS = (is_sound, is_rest_right, is_minimal_form_right, is_impossible_right)


def violations(check: Check, conditions: Conditions, items: Items, count: int) -> list[str]:
    pairs = (conditions.pair() for _ in range(count))
    return [
        f"{show(one)}  |  {show(other)}" for one, other in pairs if not check(one, other, items)
    ]


def anything(seed: int) -> Conditions:
    return Conditions(Random(seed), alternatives=True, texts=True)


def sums(seed: int) -> Conditions:
    """Numbers that are rounded when a constant is added to them."""
    return Conditions(Random(seed), ("d", "e"))


@pytest.mark.parametrize("check", CHECKS)
def test_conclusions_hold(check: Check) -> None:
    assert violations(check, anything(21), FEW, QUICK) == []


@pytest.mark.parametrize("check", CHECKS)
def test_conclusions_hold_on_bounds(check: Check) -> None:
    assert violations(check, sums(22), ON_BOUNDS, QUICK) == []


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("check", CHECKS)
def test_many_conclusions_hold(check: Check) -> None:
    assert violations(check, anything(23), MANY, LONG) == []
    assert violations(check, sums(24), ON_BOUNDS, LONG) == []


def test_rounding_would_be_noticed() -> None:
    # With exact sums this would follow; as it is evaluated, 0.7 + 0.1 is less than 0.8.
    stronger, weaker = "$p/d = 0.8 and $p/e >= 0.7", "$p/d <= $p/e + 0.1"
    exact = [predicate(each, rounded=False) for each in (stronger, weaker)]
    rounded = [predicate(each) for each in (stronger, weaker)]
    assert (implies(*exact).holds, implies(*rounded).holds) == (True, False)
