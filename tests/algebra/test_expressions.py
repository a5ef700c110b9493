"""Equality of expressions is what makes sharing a lookup."""

from __future__ import annotations

from decimal import Decimal

from millstream.algebra.expressions import TRUE, Literal


def test_literals_of_different_types_differ() -> None:
    assert len({Literal(1), Literal(1.0), Literal(Decimal(1)), TRUE, Literal("1")}) == 5


def test_literals_of_one_type_and_value_are_equal() -> None:
    assert Literal(Decimal("1.30")) == Literal(Decimal("1.3"))
