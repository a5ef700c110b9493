"""Conditions on things as formulas that Z3 decides, over exact numbers."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import z3

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
from millstream.model.schema import ValueType
from millstream.model.values import parse_instant
from tests.sharing.predicates.random_conditions import TEXTS
from tests.sharing.predicates.things import REPEATED, TYPES

MOST_VALUES = 2
"""How often a repeated element may occur; what comparisons with constants tell apart needs two."""

Formula = Any


class Side:
    """The values that one side of a comparison may have, each under a condition."""

    def __init__(self, *values: tuple[Formula, Formula, Formula]) -> None:
        self.values = values
        """Whether it exists, whether it is a proper number, and the number."""


def implied(stronger: Expression, weaker: Expression) -> bool:
    """True if every thing that meets the one meets the other."""
    solver = z3.SolverFor("QF_LIRA")
    solver.add(formula(stronger), z3.Not(formula(weaker)))
    answer = solver.check()
    assert answer != z3.unknown
    return bool(answer == z3.unsat)


def formula(expression: Expression) -> Formula:
    """The condition as a formula."""
    match expression:
        case And(operands):
            return z3.And(*map(formula, operands))
        case Or(operands):
            return z3.Or(*map(formula, operands))
        case Call("not", (argument,)):
            return z3.Not(formula(argument))
        case Compare(operator, left, right):
            return z3.Or(
                *(
                    z3.And(one[0], other[0], _related(operator, one, other))
                    for one in _side(left).values
                    for other in _side(right).values
                )
            )
        case _:
            raise AssertionError(f"no formula for {expression}")


def _related(operator: str, left: tuple[Any, ...], right: tuple[Any, ...]) -> Formula:
    (_, one_proper, one), (_, other_proper, other) = left, right
    proper = z3.And(one_proper, other_proper)
    match operator:
        case "=":
            return z3.And(proper, one == other)
        case "!=":
            return z3.Or(z3.Not(proper), one != other)
        case "<":
            return z3.And(proper, one < other)
        case "<=":
            return z3.And(proper, one <= other)
        case ">":
            return z3.And(proper, one > other)
        case _:
            return z3.And(proper, one >= other)


def _side(expression: Expression) -> Side:
    match expression:
        case Literal(value):
            return Side((True, True, _constant(value)))
        case PathTo(_, steps):
            return _leaf(steps[0].name)
        case Arithmetic(operator, left, right):
            ((here, sound, one),) = _side(left).values
            ((there, fine, other),) = _side(right).values
            result = one + other if operator == "+" else one - other
            return Side((z3.And(here, there), z3.And(sound, fine), result))
        case _:
            raise AssertionError(f"no formula for {expression}")


def _leaf(name: str) -> Side:
    if name in REPEATED:
        return Side(*(_value(f"{name}{number}", REPEATED[name]) for number in range(MOST_VALUES)))
    return Side(_value(name, TYPES[name]))


def _value(name: str, type: ValueType) -> tuple[Formula, Formula, Formula]:
    exists = z3.Bool(f"{name} exists")
    proper = z3.Bool(f"{name} is a number") if type is ValueType.DOUBLE else z3.BoolVal(True)
    whole = type in (ValueType.INTEGER, ValueType.TEXT)
    return exists, proper, z3.Int(name) if whole else z3.Real(name)


def _constant(value: int | Decimal | float | str | bool) -> Formula:
    if isinstance(value, str):
        if value in TEXTS:
            return z3.IntVal(TEXTS.index(value))
        return z3.RealVal(str(Fraction(Decimal(str(parse_instant(value).timestamp())))))
    if isinstance(value, int):
        return z3.IntVal(value)
    return z3.RealVal(str(Fraction(Decimal(str(value)))))
