"""Values of a few items of a stream, in columns, and the share of items that a condition keeps."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from millstream.algebra.expressions import (
    And,
    Arithmetic,
    Call,
    Compare,
    Expression,
    Literal,
    Or,
    PathTo,
)
from millstream.model.schema import Path, ValueType
from millstream.model.values import parse_instant

Floats = NDArray[np.float64]
Owners = NDArray[np.int64]

UNKNOWN = 1 / 3
"""The share that is assumed for a condition that the sample cannot answer."""

LEAST = 0.5
"""A condition that no sampled item fulfils is taken to be fulfilled by so many of them."""

_COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "div": operator.truediv,
}


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """The values of one leaf, each with the number of the item that it stands in."""

    type: ValueType
    repeated: bool
    owners: Owners
    values: NDArray[Any]
    """Numbers as doubles, times as seconds since 1970, text as strings."""

    def dense(self, items: int) -> Floats:
        """One number for each item; NaN, which compares with nothing, where there is none."""
        filled = np.full(items, np.nan)
        filled[self.owners] = self.values
        return filled


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The leaf values of some items of a stream."""

    items: int
    columns: Mapping[Path, Column]

    def share(self, condition: Expression | None) -> float:
        """The share of items for which a condition is true; never 0, for a sample is small."""
        if condition is None:
            return 1.0
        if not self.items:
            return UNKNOWN
        return max(float(self._chances(condition).mean()), LEAST / self.items)

    def _chances(self, condition: Expression) -> Floats:
        """For each item the probability that a condition holds: 0 or 1 where it is known."""
        match condition:
            case And(operands):
                return self._together([self._chances(each) for each in operands])
            case Or(operands):
                return 1 - self._together([1 - self._chances(each) for each in operands])
            case Call("not", (operand,)):
                return 1 - self._chances(operand)
            case Literal(bool(value)):
                return np.full(self.items, float(value))
            case Compare(name, left, right):
                known = self._compared(name, left, right)
                return known if known is not None else self._unknown()
            case _:
                return self._unknown()

    def _together(self, chances: list[Floats]) -> Floats:
        """The probability that all hold, taken to be independent where they are not known."""
        return np.asarray(np.prod(chances, axis=0))

    def _unknown(self) -> Floats:
        return np.full(self.items, UNKNOWN)

    def _compared(self, name: str, left: Expression, right: Expression) -> Floats | None:
        if isinstance(left, Literal) and not isinstance(right, Literal):
            name, left, right = _SWAPPED[name], right, left
        column = self._column(left)
        if column is not None and isinstance(right, Literal):
            return self._against(column, _COMPARISONS[name], right)
        one, other = self._numbers(left), self._numbers(right)
        if one is None or other is None:
            return None
        chances: Floats = np.asarray(_COMPARISONS[name](one, other), dtype=np.float64)
        if name == "!=":
            chances = chances * ~(np.isnan(one) | np.isnan(other))
        return np.broadcast_to(chances, (self.items,))

    def _against(
        self, column: Column, comparison: Callable[[Any, Any], Any], literal: Literal
    ) -> Floats | None:
        """Items of which some value of a column stands in a relation to a constant."""
        constant = _constant(literal, column.type)
        if constant is None:
            return None
        chances = np.zeros(self.items)
        if len(column.values):
            chances[column.owners[comparison(column.values, constant)]] = 1.0
        return chances

    def _numbers(self, expression: Expression) -> Floats | None:
        """One number for each item, None where that cannot be said."""
        match expression:
            case Literal(int() | float() | Decimal() as value) if not isinstance(value, bool):
                return np.full(self.items, float(value))
            case PathTo():
                column = self._column(expression)
                if column is None or column.repeated or column.type is ValueType.TEXT:
                    return None
                return column.dense(self.items)
            case Arithmetic(name, left, right) if name in _ARITHMETIC:
                one, other = self._numbers(left), self._numbers(right)
                if one is None or other is None:
                    return None
                with np.errstate(divide="ignore", invalid="ignore"):
                    computed: Floats = _ARITHMETIC[name](one, other)
                return computed
            case _:
                return None

    def _column(self, expression: Expression) -> Column | None:
        if not isinstance(expression, PathTo) or any(each.predicates for each in expression.steps):
            return None
        path = tuple(each.name for each in expression.steps if each.name != "text()")
        return self.columns.get(path)


def _constant(literal: Literal, type: ValueType) -> float | str | None:
    """A constant as the values of a column are kept, None where the two do not compare."""
    value = literal.value
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        return _text_constant(value, type)
    return float(value) if type is not ValueType.TEXT else None


def _text_constant(value: str, type: ValueType) -> float | str | None:
    if type is ValueType.TEXT:
        return value
    if type is not ValueType.TIME:
        return None
    try:
        return seconds(parse_instant(value))
    except ValueError:
        return None


def seconds(instant: datetime) -> float:
    """An instant in seconds since 1970."""
    return (instant - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()
