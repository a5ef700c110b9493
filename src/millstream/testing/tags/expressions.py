"""Values and conditions of TAG-QL, evaluated for one situation.

Every comparison with something absent is false, its negated spellings too; NOT turns it around.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal, DivisionByZero, InvalidOperation
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from millstream.languages.tagql import syntax
from millstream.model.tags.duration import SECOND
from millstream.model.tags.location import Point, distance, parse_location
from millstream.model.tags.vocabulary import TagFunction
from millstream.model.values import parse_instant
from millstream.testing.tags.relation import Datum
from millstream.testing.tags.situation import Situation

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": eq,
    "<>": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}


def evaluate(value: syntax.Value, situation: Situation) -> Datum:
    """What a value is; None where there is nothing."""
    match value:
        case syntax.StringLiteral(text):
            return text
        case syntax.NumberLiteral():
            return value.value
        case syntax.DurationLiteral(microseconds):
            return Decimal(microseconds) / SECOND
        case syntax.Name():
            return situation.value(value)
        case syntax.TagReference():
            return situation.tag_value(value)
        case syntax.Star():
            return 1
        case syntax.Negative(operand):
            return _arithmetic("-", 0, evaluate(operand, situation))
        case syntax.Arithmetic(operator, left, right):
            return _arithmetic(operator, evaluate(left, situation), evaluate(right, situation))
        case syntax.Call(function, arguments):
            values = [evaluate(each, situation) for each in arguments]
            if function in situation.functions:
                return _compared(situation.functions[function], values)
            return _call(function, values)


def _compared(function: TagFunction, values: list[Datum]) -> Datum:
    """What a user's function says of two contents."""
    one, other = values
    if not (isinstance(one, str) and isinstance(other, str)):
        return None
    found = function(one, other)
    return None if found is None else float(found)


def holds(condition: syntax.Condition, situation: Situation) -> bool:
    """Whether a condition is true."""
    match condition:
        case syntax.And(operands):
            return all(holds(each, situation) for each in operands)
        case syntax.Or(operands):
            return any(holds(each, situation) for each in operands)
        case syntax.Not(operand):
            return not holds(operand, situation)
        case syntax.ObjectIs(objects, negated):
            return any(map(situation.is_on, objects)) is not negated
        case syntax.Compare(operator, left, right):
            return compare(operator, evaluate(left, situation), evaluate(right, situation))
        case syntax.Equivalent() | syntax.Similar() | syntax.CoOccurs():
            return _alike(condition, situation)
        case syntax.IsNull(operand, negated):
            return (evaluate(operand, situation) is None) is not negated
        case _:
            return _tested(condition, situation)


def compare(operator: str, left: Datum, right: Datum) -> bool:
    """Whether two values are so related; values of different kinds are not."""
    if left is None or right is None:
        return False
    one, other = _comparable(left, right), _comparable(right, left)
    if one is None or other is None:
        return False
    return _COMPARISONS[operator](one, other)


def _comparable(value: Datum, other: Datum) -> Any:
    match value, other:
        case str(), datetime():
            return _instant(value)
        case datetime(), str():
            return value
        case ((int() | Decimal() | float()), (int() | Decimal() | float())):
            return float(value) if isinstance(other, float) else value
        case _ if type(value) is type(other):
            return value
    return None


def _instant(text: str) -> datetime | None:
    try:
        return parse_instant(text)
    except ValueError:
        return None


def _tested(
    condition: syntax.Like | syntax.In | syntax.Between | syntax.Within, situation: Situation
) -> bool:
    if isinstance(condition, syntax.Within):
        point = _point(evaluate(condition.location, situation))
        found = point is not None and within(point, condition.region)
        return found is not condition.negated and point is not None
    value = evaluate(condition.operand, situation)
    if value is None:
        return False
    match condition:
        case syntax.Like(_, pattern):
            return _like(value, pattern) is not condition.negated
        case syntax.In(_, choices):
            found = any(compare("=", value, evaluate(each, situation)) for each in choices)
            return found is not condition.negated
        case syntax.Between(_, low, high):
            bounds = evaluate(low, situation), evaluate(high, situation)
            if None in bounds:
                return False
            found = compare(">=", value, bounds[0]) and compare("<=", value, bounds[1])
            return found is not condition.negated


def _like(value: Datum, pattern: str) -> bool:
    if not isinstance(value, str):
        return False
    translated = re.escape(pattern).replace("%", ".*").replace("_", ".")
    return re.fullmatch(translated, value, re.DOTALL) is not None


def _alike(
    condition: syntax.Equivalent | syntax.Similar | syntax.CoOccurs, situation: Situation
) -> bool:
    one, other = evaluate(condition.left, situation), evaluate(condition.right, situation)
    if not isinstance(one, str) or not isinstance(other, str):
        return False
    match condition:
        case syntax.Equivalent():
            return situation.thesaurus.equivalent(one, other)
        case syntax.Similar(_, _, operator, threshold):
            share = situation.objects.jaccard(one, other)
            return _COMPARISONS[operator](share, Decimal(threshold))
        case syntax.CoOccurs(_, _, operator, count):
            return _COMPARISONS[operator](situation.objects.together(one, other), Decimal(count))


def within(point: Point, region: syntax.Region) -> bool:
    """Whether a point is in a region or on its edge."""
    numbers = tuple(map(float, region.values))
    match region.kind:
        case syntax.RegionKind.RECTANGLE:
            x1, y1, x2, y2 = numbers
            return x1 <= point[0] <= x2 and y1 <= point[1] <= y2
        case syntax.RegionKind.SQUARE:
            x, y, side = numbers
            return abs(point[0] - x) <= side / 2 and abs(point[1] - y) <= side / 2
        case syntax.RegionKind.CIRCLE:
            x, y, radius = numbers
            return distance(point, (x, y)) <= radius


def _point(value: Datum) -> Point | None:
    return parse_location(value) if isinstance(value, str) else _pair(value)


def _pair(value: Datum) -> Point | None:
    return value if isinstance(value, tuple) else None


def _call(function: str, arguments: list[Datum]) -> Datum:
    match function, arguments:
        case "POINT", [int() | float() | Decimal() as x, int() | float() | Decimal() as y]:
            return float(x), float(y)
        case "DIST", [one, other]:
            points = _point(one), _point(other)
            return None if None in points else distance(*points)  # type: ignore[arg-type]
        case "ABS", [number] if isinstance(number, int | float | Decimal):
            return _arithmetic("-", 0, number) if compare("<", number, 0) else number
        case (("LOWER" | "UPPER"), [str() as text]):
            return text.lower() if function == "LOWER" else text.upper()
    return None


def _arithmetic(operator: str, left: Datum, right: Datum) -> Datum:
    match left, right:
        case datetime(), datetime() if operator == "-":
            return Decimal((left - right) // timedelta(microseconds=1)) / SECOND
        case datetime(), (int() | Decimal()) if operator in "+-":
            shift = timedelta(seconds=float(right))
            return left + shift if operator == "+" else left - shift
        case ((int() | float() | Decimal()), (int() | float() | Decimal())):
            return _calculated(operator, left, right)
    return None


def _calculated(operator: str, left: int | float | Decimal, right: int | float | Decimal) -> Datum:
    if isinstance(left, float) or isinstance(right, float):
        one, other = float(left), float(right)
        return None if operator == "/" and not other else _OPERATIONS[operator](one, other)
    try:
        return _OPERATIONS[operator](Decimal(left), Decimal(right))
    except (DivisionByZero, InvalidOperation):
        return None


_OPERATIONS: dict[str, Callable[[Any, Any], Datum]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
}
