"""Arithmetic on single values: integers stay integers, everything else is a double."""

from __future__ import annotations

from collections.abc import Callable

from millstream.algebra.expressions import Arithmetic
from millstream.compiler import conversions
from millstream.compiler.environment import Environment
from millstream.compiler.items import Value
from millstream.compiler.names import let
from millstream.compiler.sequences import Items, leaves, single
from millstream.errors import InternalError
from millstream.model.schema import ValueType

_EXACT_BEYOND = "9007199254740992D"
"""From here on every double is a whole number."""


def calculate(arithmetic: Arithmetic, environment: Environment) -> Value:
    """The result: null if a side is empty, no number or not a single value."""
    left, right = environment.items(arithmetic.left), environment.items(arithmetic.right)
    operator = arithmetic.operator
    if operator != "div" and is_integer(left) and is_integer(right):
        sql = _on_integers(operator, integer(left), integer(right))
        return Value(sql, ValueType.INTEGER)
    return Value(_on_doubles(operator, double(left), double(right)), ValueType.DOUBLE)


def is_integer(items: Items) -> bool:
    """True if all that the sequence may hold are integers."""
    types = [conversions.type_of(leaf) for leaf in leaves(items)]
    return bool(types) and all(type is ValueType.INTEGER for type in types)


def integer(items: Items) -> str:
    """The one integer, else null."""
    return single(items, conversions.integer, "BIGINT")


def double(items: Items) -> str:
    """The one value as a double, else null."""
    return single(items, conversions.double, "DOUBLE")


def floor(number: str) -> str:
    """The whole double at or below a double; a bigint would not hold all of them."""
    return let("number", number, lambda it: _if_fractional(it, f"CAST(floor({it}) AS DOUBLE)"))


def ceiling(number: str) -> str:
    """The whole double at or above a double."""
    return let("number", number, lambda it: _if_fractional(it, f"CAST(ceil({it}) AS DOUBLE)"))


def half_up(number: str) -> str:
    """The whole double nearest to a double; of two, the greater."""
    return let("number", number, _half_up)


def absolute(number: str) -> str:
    """A bigint without its sign; null if there is no such bigint."""
    return let("number", number, lambda it: f"if({it} < 0L, try_subtract(0L, {it}), {it})")


def _half_up(number: str) -> str:
    # Adding a half first would round 0.49999999999999994 up.
    below = f"CAST(floor({number}) AS DOUBLE)"
    return _if_fractional(number, f"{below} + if({number} - {below} >= 0.5D, 1D, 0D)")


def _if_fractional(number: str, sql: str) -> str:
    return f"if(abs({number}) < {_EXACT_BEYOND}, {sql}, {number})"


def _on_integers(operator: str, left: str, right: str) -> str:
    match operator:
        case "+":
            return f"try_add({left}, {right})"
        case "-":
            return f"try_subtract({left}, {right})"
        case "*":
            return f"try_multiply({left}, {right})"
        case "mod":
            return f"try_mod({left}, {right})"
        case "idiv":
            return let("divisor", right, lambda by: let("dividend", left, _quotient(by)))
        case _:
            raise InternalError(f"'{operator}' is no arithmetic operator")


def _quotient(divisor: str) -> Callable[[str], str]:
    """The quotient of bigints towards zero; Spark raises on 0, and on the least one by -1."""
    return lambda dividend: (
        f"if({divisor} = -1L, try_subtract(0L, {dividend}), {dividend} div nullif({divisor}, 0L))"
    )


def _on_doubles(operator: str, left: str, right: str) -> str:
    match operator:
        case "+" | "-" | "*":
            return f"({left} {operator} {right})"
        case "mod":
            return let("divisor", right, lambda by: _remainder(left, by))
        case "div":
            return _ratio(left, right)
        case "idiv":
            return let("quotient", _ratio(left, right), _truncated)
        case _:
            raise InternalError(f"'{operator}' is no arithmetic operator")


def _ratio(left: str, right: str) -> str:
    return let("divisor", right, lambda by: let("dividend", left, lambda it: _divided(it, by)))


def _divided(dividend: str, divisor: str) -> str:
    # Spark raises on division by zero; a power of the zero keeps its sign.
    by_zero = f"{dividend} * power({divisor}, -1D)"
    return f"if({divisor} = 0D, {by_zero}, try_divide({dividend}, {divisor}))"


def _remainder(dividend: str, divisor: str) -> str:
    undefined = f"{dividend} * double('NaN')"
    return f"if({divisor} = 0D, {undefined}, try_mod({dividend}, {divisor}))"


def _truncated(quotient: str) -> str:
    whole = f"CAST(if({quotient} < 0D, ceil({quotient}), floor({quotient})) AS DOUBLE)"
    return f"if(abs({quotient}) < double('Infinity'), {_if_fractional(quotient, whole)}, NULL)"
