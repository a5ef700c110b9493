"""Contradictions are found, and never where there is none."""

from __future__ import annotations

from decimal import Decimal
from itertools import product

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from millstream.algebra.check import contradiction
from millstream.algebra.expressions import (
    TRUE,
    And,
    Arithmetic,
    Call,
    Compare,
    Expression,
    Literal,
    Or,
    PathTo,
    Step,
)
from millstream.algebra.operators import NodeBinding, ValueBinding
from millstream.model.schema import Attribute, Content, Element, Occurs, ValueType

ITEM = Element(
    "photon",
    content=Content.NESTED,
    children=(
        Element("en", type=ValueType.DECIMAL),
        Element("phc", type=ValueType.INTEGER),
        Element("flux", type=ValueType.DOUBLE),
        Element("name"),
        Element("seen", type=ValueType.TIME),
        Element("obs", Occurs.MANY, type=ValueType.DECIMAL),
    ),
    attributes=(Attribute("id", ValueType.INTEGER),),
)
BINDINGS = (
    NodeBinding("p", ITEM),
    NodeBinding("w", ITEM, many=True),
    ValueBinding("a", ValueType.DECIMAL),
)


def path(name: str, variable: str = "p") -> PathTo:
    return PathTo(variable, (Step(name),))


def compare(
    name: str, operator: str, value: int | Decimal | float | str, variable: str = "p"
) -> Compare:
    return Compare(operator, path(name, variable), Literal(value))


def both(*operands: Expression) -> And:
    return And(operands)


IMPOSSIBLE = [
    (
        both(compare("en", ">=", 140), compare("en", "<=", 130)),
        "no value of $p/en is ≥ 140 and ≤ 130",
    ),
    (both(compare("en", ">", 1), compare("en", "<", 1)), "no value of $p/en is > 1 and < 1"),
    (
        both(Compare("<", Literal(5), path("en")), compare("en", "=", Decimal("4.9"))),
        "no value of $p/en is > 5 and = 4.9",
    ),
    (both(compare("phc", ">", 3), compare("phc", "<", 4)), "no value of $p/phc is > 3 and < 4"),
    (both(compare("phc", "=", Decimal("3.5"))), "no value of $p/phc is = 3.5"),
    (both(compare("@id", "=", 1), compare("@id", "=", 2)), "no value of $p/@id is = 1 and = 2"),
    (both(compare("en", "=", 1), compare("en", "!=", 1)), "no value of $p/en is = 1 and ≠ 1"),
    (
        both(compare("name", "=", "a"), compare("name", "=", "b")),
        'no value of $p/name is = "a" and = "b"',
    ),
    (
        both(compare("name", "=", "a"), compare("name", "!=", "a")),
        'no value of $p/name is = "a" and ≠ "a"',
    ),
    (
        both(Compare(">", PathTo("a"), Literal(2)), Compare("<", PathTo("a"), Literal(1))),
        "no value of $a is > 2 and < 1",
    ),
    (
        both(compare("en", ">", 5), Or((compare("en", "<", 4), compare("en", "<", 3)))),
        "no value of $p/en is > 5 and < 4; and no value of $p/en is > 5 and < 3",
    ),
    (
        Or((both(compare("en", ">", 5), compare("en", "<", 4)), Literal(False))),
        "no value of $p/en is > 5 and < 4; and one of its parts is false",
    ),
]

POSSIBLE: list[Expression] = [
    TRUE,
    both(compare("en", ">=", 1), compare("en", "<=", 1)),
    both(compare("en", ">", 3), compare("en", "<", 4)),
    both(compare("en", "!=", 1), compare("en", "!=", 2)),
    both(compare("obs", ">", 5), compare("obs", "<", 4)),
    both(compare("en", ">", 5, "w"), compare("en", "<", 4, "w")),
    both(compare("en", ">", 5, "unknown"), compare("en", "<", 4, "unknown")),
    both(compare("name", ">", "b"), compare("name", "<", "a")),
    both(compare("name", "=", " a"), compare("name", "=", "a ")),
    both(compare("name", "=", 1), compare("name", "=", 2)),
    both(compare("en", "=", "1"), compare("en", "=", "1.0")),
    both(compare("seen", "=", "2003-11-01"), compare("seen", "=", "2003-11-01T00:00:00Z")),
    both(compare("en", ">", 5), Or((compare("en", "<", 4), compare("phc", "<", 4)))),
    both(compare("en", ">", 5), Call("not", (compare("en", ">", 4),))),
    both(Compare(">", Arithmetic("+", path("en"), Literal(1)), Literal(5)), compare("en", "<", 4)),
    both(
        compare("en", ">=", Decimal("0.10000000000000000001")), compare("en", "<=", Decimal("0.1"))
    ),
    both(compare("phc", ">", 2**60), compare("phc", "<", Decimal(2**60 + 2))),
    both(
        Compare("=", PathTo("p", (Step("obs", (Literal(1),)),)), Literal(1)),
        Compare("=", PathTo("p", (Step("obs", (Literal(1),)),)), Literal(2)),
    ),
]


@pytest.mark.parametrize(("predicate", "reason"), IMPOSSIBLE)
def test_contradictions_have_a_reason(predicate: Expression, reason: str) -> None:
    assert contradiction(predicate, BINDINGS) == reason


@pytest.mark.parametrize("predicate", POSSIBLE)
def test_what_may_be_true_is_no_contradiction(predicate: Expression) -> None:
    assert contradiction(predicate, BINDINGS) is None


def test_too_many_cases_are_given_up() -> None:
    choice = Or((compare("en", ">", 5), compare("en", ">", 6)))
    predicate = both(*(Or((*choice.operands, compare("phc", ">", n))) for n in range(20)))
    assert contradiction(both(predicate, compare("en", "<", 1)), BINDINGS) is None


CONSTANTS = st.integers(-3, 3) | st.sampled_from((Decimal("0.5"), Decimal("-1.5"), 1.5))
ATOMS = st.builds(
    compare,
    st.sampled_from(("en", "phc", "flux")),
    st.sampled_from(("=", "!=", "<", "<=", ">", ">=")),
    CONSTANTS,
)
PREDICATES = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=4).map(lambda each: And(tuple(each))),
        st.lists(inner, min_size=2, max_size=3).map(lambda each: Or(tuple(each))),
    ),
    max_leaves=8,
)
HALVES = [number / 4 for number in range(-20, 21)]
RELATIONS = {
    "=": lambda one, other: one == other,
    "!=": lambda one, other: one != other,
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
}


def holds(predicate: Expression, item: dict[str, float]) -> bool:
    match predicate:
        case And(operands):
            return all(holds(each, item) for each in operands)
        case Or(operands):
            return any(holds(each, item) for each in operands)
        case Compare(operator, PathTo(_, (Step(name),)), Literal(value)):
            return bool(RELATIONS[operator](item[name], float(value)))
    raise AssertionError(predicate)


ROWS = [
    {"en": en, "phc": phc, "flux": flux}
    for en, phc, flux in product(HALVES[::4], range(-4, 5), HALVES[::6])
]


@settings(max_examples=60, suppress_health_check=[HealthCheck.filter_too_much])
@given(PREDICATES)
def test_no_item_ever_meets_a_contradiction(predicate: Expression) -> None:
    assume(contradiction(predicate, BINDINGS) is not None)
    assert not any(holds(predicate, row) for row in ROWS)


@settings(max_examples=300)
@given(st.lists(ATOMS.filter(lambda atom: atom.left == path("en")), min_size=2, max_size=4))
def test_conjunctions_on_one_value_are_decided(atoms: list[Compare]) -> None:
    possible = any(holds(And(tuple(atoms)), {"en": value}) for value in HALVES)
    assert (contradiction(And(tuple(atoms)), BINDINGS) is None) == possible
