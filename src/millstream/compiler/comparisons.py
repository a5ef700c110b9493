"""General comparisons: true if some pair of values is so related."""

from __future__ import annotations

import math
from enum import Enum

from millstream.algebra.expressions import Compare
from millstream.compiler import conversions, names
from millstream.compiler.environment import Environment
from millstream.compiler.items import Item, Value
from millstream.compiler.sequences import loops, some
from millstream.model.schema import ValueType

_SQL_OPERATORS = {"=": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def compare(comparison: Compare, environment: Environment) -> str:
    """The comparison as SQL that is never null."""
    left = environment.items(comparison.left)
    # The right side is compiled as if inside the loops of the left: their variables must differ.
    right = environment.inside(loops(left)).items(comparison.right)
    operator = comparison.operator
    return some(left, lambda one: some(right, lambda other: related(operator, one, other)))


def related(operator: str, left: Item, right: Item) -> str:
    """True if two items are comparable and so related; never null."""
    match compared_as(left, right):
        case ComparedAs.TRUTHS:
            return _holds(operator, conversions.truth(left), conversions.truth(right))
        case ComparedAs.INTEGERS:
            return _holds(operator, whole(left), whole(right))
        case ComparedAs.DOUBLES:
            return _compare_doubles(operator, left, right)
        case ComparedAs.TIMES:
            return _holds(operator, conversions.instant(left), conversions.instant(right))
        case ComparedAs.TEXTS:
            return _holds(operator, conversions.trimmed(left), conversions.trimmed(right))


class ComparedAs(Enum):
    """What two items become before they are compared."""

    TRUTHS = "truths"
    INTEGERS = "integers"
    DOUBLES = "doubles"
    TIMES = "times"
    TEXTS = "texts"


def compared_as(left: Item, right: Item) -> ComparedAs:
    """What two items are compared as."""
    if _is_truth(left) or _is_truth(right):
        return ComparedAs.TRUTHS
    if _are_integers(left, right):
        return ComparedAs.INTEGERS
    if _are_numbers(left, right):
        return ComparedAs.DOUBLES
    return ComparedAs.TIMES if _are_times(left, right) else ComparedAs.TEXTS


def _is_truth(item: Item) -> bool:
    return conversions.type_of(item) is None


def _is_number(item: Item) -> bool:
    """True for a number that is no text of the data."""
    return isinstance(item, Value) and _is_numeric(item)


def _is_numeric(item: Item) -> bool:
    type = conversions.type_of(item)
    return type is not None and type.numeric


def _are_integers(left: Item, right: Item) -> bool:
    integer = ValueType.INTEGER
    return conversions.type_of(left) is integer and conversions.type_of(right) is integer


def _are_numbers(left: Item, right: Item) -> bool:
    if _is_number(left) or _is_number(right):
        return True
    return _is_numeric(left) and _is_numeric(right)


def _are_times(left: Item, right: Item) -> bool:
    return (_is_time(left) and _may_be_time(right)) or (_is_time(right) and _may_be_time(left))


def _is_time(item: Item) -> bool:
    return conversions.type_of(item) is ValueType.TIME


def _may_be_time(item: Item) -> bool:
    return isinstance(item, Value) or _is_time(item)


def whole(item: Item) -> str:
    """An integer as it compares."""
    # A sum may be wider than a bigint, and compares exactly as it is.
    return item.sql if isinstance(item, Value) else conversions.integer(item)


def _compare_doubles(operator: str, left: Item, right: Item) -> str:
    suspect = _suspect(operator, left, right)
    guard = f"isnan({conversions.double(suspect)})" if suspect else ""
    return _holds(operator, conversions.double(left), conversions.double(right), guard)


def _suspect(operator: str, left: Item, right: Item) -> Item | None:
    """The side that must not be NaN, which Spark holds to be equal to itself and the greatest."""
    if operator in ("=", "!="):
        return left if _may_be_nan(left) and _may_be_nan(right) else None
    greater = left if operator in (">", ">=") else right
    return greater if _may_be_nan(greater) else None


def _may_be_nan(item: Item) -> bool:
    if isinstance(item, Value) and item.literal is not None:
        value = item.literal.value
        return isinstance(value, float) and math.isnan(value)
    return conversions.type_of(item) not in (ValueType.INTEGER, ValueType.DECIMAL)


def _holds(operator: str, left: str, right: str, nan: str = "") -> str:
    test = f"{left} {_SQL_OPERATORS[operator]} {right}"
    if nan and operator == "!=":
        test = f"if({nan}, {right} IS NOT NULL, {test})"
    elif nan:
        test = f"{test} AND NOT {nan}"
    if not all(names.is_reference(side) or names.is_constant(side) for side in (left, right)):
        return f"coalesce({test}, false)"
    # Said this way, Spark can push the test down to where the rows are read.
    known = [side for side in dict.fromkeys((left, right)) if not names.is_constant(side)]
    return f"({' AND '.join([*(f'{side} IS NOT NULL' for side in known), test])})"
