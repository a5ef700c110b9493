"""What aggregates consist of on their way, and which give which."""

from __future__ import annotations

import pytest

from millstream.algebra.operators import AggregateFunction
from millstream.model.schema import ValueType
from millstream.sharing.partial_aggregates import served, travelling
from millstream.sharing.properties import AggregateOf
from tests.languages.streams import PHOTONS

INTEGER, DECIMAL = ValueType.INTEGER, ValueType.DECIMAL


def of(function: str, *path: str, type: ValueType = DECIMAL) -> AggregateOf:
    return AggregateOf(AggregateFunction(function), path, type)


def test_an_average_travels_as_a_sum_and_counts() -> None:
    assert travelling([of("avg", "en"), of("max", "en")], PHOTONS) == (
        of("count", "en", type=INTEGER),
        of("max", "en"),
        of("sum", "en"),
        of("values", "en", type=INTEGER),
    )


def test_the_sum_of_integers_is_one() -> None:
    assert of("sum", "phc", type=INTEGER) in travelling([of("avg", "phc")], PHOTONS)


def test_what_two_aggregates_need_travels_once() -> None:
    found = travelling([of("avg", "en"), of("sum", "en")], PHOTONS)
    assert [str(each) for each in found] == ["count(en)", "sum(en)", "values(en)"]


@pytest.mark.parametrize(
    ("asked", "flowing", "expected"),
    [
        (of("sum", "en"), [of("avg", "en"), of("sum", "en")], (of("sum", "en"),)),
        (of("sum", "en"), [of("avg", "en")], (of("avg", "en"),)),
        (of("count", "en"), [of("avg", "phc")], ()),
        (of("avg", "en"), [of("sum", "en"), of("count", "en")], ()),
        (of("min", "en"), [of("max", "en")], ()),
    ],
)
def test_which_aggregates_give_which(
    asked: AggregateOf, flowing: list[AggregateOf], expected: tuple[AggregateOf, ...]
) -> None:
    assert served(asked, flowing) == expected
