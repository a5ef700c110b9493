from __future__ import annotations

from decimal import Decimal

import pytest

from millstream.compiler.order import Order
from millstream.model.schema import ValueType
from millstream.runtime.watermark import Watermark, advance

START = Watermark("t", ValueType.INTEGER, Decimal(0))


def chunk(low: int, high: int, first: int, drawdown: int = 0) -> dict[str, int]:
    return {"min": low, "max": high, "first": first, "last": high, "drawdown": drawdown}


def test_highest_moves_over_the_chunks() -> None:
    assert advance(START, [chunk(1, 5, 1), chunk(5, 9, 5)]).after.highest == 9


def test_sorted_chunks_have_no_drawdown() -> None:
    assert not advance(START, [chunk(1, 5, 1), chunk(5, 9, 5)]).disordered(0)


def test_chunk_behind_the_one_before_it_is_disorder() -> None:
    assert advance(START, [chunk(1, 5, 1), chunk(3, 9, 3)]).drawdown == 2


def test_disorder_within_the_lateness_does_no_harm() -> None:
    assert not advance(START, [chunk(1, 5, 1, drawdown=2)]).disordered(2)


@pytest.mark.parametrize(
    ("drawdown", "order"),
    [
        (0, Order()),
        (2, Order(behind=2_000_000)),
        (3, Order(late=True, behind=3_000_000)),
        (9, Order(late=True, behind=3_000_000)),
    ],
)
def test_order_is_kept_disturbed_or_broken(drawdown: int, order: Order) -> None:
    assert advance(START, [chunk(1, 5, 1, drawdown)]).order(lateness=2) == order


def test_farthest_fall_is_remembered() -> None:
    fallen = advance(START, [chunk(1, 5, 1, drawdown=2)]).after
    assert advance(fallen, [chunk(5, 9, 5)]).after.fallen == 2


def test_what_is_not_known_of_the_past_stays_unknown() -> None:
    known = START.to_json()
    del known["fallen"]
    assert advance(Watermark.from_json(known), [chunk(1, 5, 1)]).after.fallen is None


def test_first_value_is_the_anchor_on_request() -> None:
    free = Watermark("t", ValueType.DECIMAL, None)
    assert advance(
        free, [{"min": 1.5, "max": 9.0, "first": 2.5, "drawdown": 1.0}]
    ).after.anchor == (Decimal("2.5"))


def test_ticks_of_times_are_seconds() -> None:
    mark = Watermark("t", ValueType.TIME, Decimal(0), Decimal(61_999_999))
    assert mark.highest_tick == 61


def test_tick_before_the_anchor_is_negative() -> None:
    assert Watermark("t", ValueType.DECIMAL, Decimal(10)).tick(Decimal("9.5")) == -1


def test_json_round_trip() -> None:
    mark = Watermark("a/b", ValueType.DECIMAL, Decimal("0.1"), Decimal("7.25"), Decimal(3))
    assert Watermark.from_json(mark.to_json()) == mark
