"""Implication, checked by a solver that decides the same formulas over exact numbers."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from millstream.algebra.expressions import Expression
from millstream.algebra.show import show
from millstream.model.schema import ValueType
from millstream.sharing.predicates import implies, predicate_of
from tests.sharing.predicates.random_conditions import (
    DECIMALS,
    INTEGERS,
    NUMERIC,
    Conditions,
)
from tests.sharing.predicates.things import RESOLVE, TYPES
from tests.sharing.predicates.z3_oracle import implied

QUICK = 300
LONG = 10_000

Kind = Callable[[Random], Conditions]


def both_integers(one: str, other: str) -> bool:
    return TYPES[one] is TYPES[other] is ValueType.INTEGER


def anything(random: Random) -> Conditions:
    return Conditions(random, NUMERIC, alternatives=True, texts=True)


def differences(random: Random) -> Conditions:
    return Conditions(random, (*INTEGERS, *DECIMALS))


def safe_differences(random: Random) -> Conditions:
    """Integers with integers added, and other numbers with nothing: no sum is rounded."""
    return Conditions(random, (*INTEGERS, *DECIMALS), both_integers, fractions=False)


class Tally:
    """Compares answers, and counts them."""

    def __init__(self, conditions: Conditions, rounded: bool) -> None:
        self.conditions = conditions
        self.rounded = rounded
        self.yes = self.no = 0
        self.wrong: list[str] = []
        self.missed: list[str] = []

    def run(self, count: int) -> Tally:
        for _ in range(count):
            self._check(*self.conditions.pair())
        print(f"{count} pairs: {self.yes} yes, {self.no} no, {len(self.missed)} not known")
        return self

    def _check(self, stronger: Expression, weaker: Expression) -> None:
        one, other = (
            predicate_of(each, RESOLVE, rounded=self.rounded) for each in (stronger, weaker)
        )
        found, expected = implies(one, other).holds, implied(stronger, weaker)
        text = f"{show(stronger)}  =>  {show(weaker)}"
        if found and not expected:
            self.wrong.append(text)
        if expected and not found:
            self.missed.append(text)
        self.yes += expected
        self.no += not expected


def test_no_wrong_yes() -> None:
    assert Tally(anything(Random(1)), rounded=True).run(QUICK).wrong == []


def test_differences_are_decided() -> None:
    tally = Tally(differences(Random(2)), rounded=False).run(QUICK)
    assert (tally.wrong, tally.missed) == ([], [])


def test_differences_that_are_not_rounded_are_decided() -> None:
    tally = Tally(safe_differences(Random(3)), rounded=True).run(QUICK)
    assert (tally.wrong, tally.missed) == ([], [])


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("rounded", [True, False])
def test_no_wrong_yes_among_many(rounded: bool) -> None:
    assert Tally(anything(Random(11)), rounded).run(LONG).wrong == []


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("kind", "rounded"), [(differences, False), (safe_differences, True)], ids=["exact", "rounded"]
)
def test_many_differences_are_decided(kind: Kind, rounded: bool) -> None:
    tally = Tally(kind(Random(13)), rounded).run(LONG)
    assert (tally.wrong, tally.missed) == ([], [])
