"""Minimal forms, contradictions and residuals."""

from __future__ import annotations

from fractions import Fraction

import pytest

from millstream.algebra.expressions import Literal
from millstream.algebra.show import show
from millstream.sharing.predicates import (
    TRUE,
    Bounds,
    GraphEdge,
    conjunction,
    implies,
    predicate_of,
    residual,
)
from tests.sharing.predicates.things import RESOLVE, predicate


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$p/i < 5 and $p/i <= 4 and $p/i <= 10", "i <= 4"),
        ("$p/d >= 1 and $p/d >= 2.0 and $p/d > 1.9", "d >= 2.0"),
        ("$p/i <= $p/j and $p/j <= $p/k and $p/i <= $p/k", "i <= j and j <= k"),
        # round a cycle all are equal: none of its three edges may go
        ("$p/i <= $p/j and $p/j <= $p/k and $p/k <= $p/i", "i <= j and j <= k and k <= i"),
        ("$p/i = $p/j and $p/j = $p/k and $p/k = $p/i", "j = k and i = k"),
        ("$p/i = $p/j and $p/i <= 3 and $p/j <= 3", "i = j and j <= 3"),
        ("$p/i = 3 and $p/j <= $p/i and $p/j <= 3", "i = 3 and j <= 3"),
        ('$p/s = "a" and $p/s != "b"', 's = "a"'),
        ("$p/r >= 3 and $p/r >= 5 and $p/r <= 9", "r >= 5 and r <= 9"),
        ("($p/i < 1 or $p/d > 5) and $p/i < 0", "i < 0"),
        ("($p/i < 1 or $p/d > 5) and $p/i = 3", "i = 3 and d > 5"),
        ("$p/i > 3 or $p/i > 5", "i > 3"),
        ("($p/i > 3 or $p/j > 5) and $p/d = 1", "d = 1 and (i > 3 or j > 5)"),
        (
            "($p/i > 3 or $p/j > 5) and ($p/i > 2 or $p/d > 5)",
            "(i > 3 or j > 5) and (i > 2 or d > 5)",
        ),
        ("($p/i > 3 or $p/j > 5) and ($p/i > 2 or $p/j > 4 or $p/d > 5)", "i > 3 or j > 5"),
        ("true()", "true"),
        ("$p/i > 1 or true()", "true"),
        ("not($p/i > 3) and $p/i < 2", "i < 2"),
        ("$p/i = $p/i and $p/i < 3", "i < 3"),
        ("$p/i = $p/i", "i = i"),
        ("$p/d + 0.5 <= 3 and $p/d <= 2", "d <= 2"),
    ],
)
def test_minimal_form(text: str, expected: str) -> None:
    assert str(predicate(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$p/d >= 2 and $p/i > 3 and $p/d < 1", "d >= 2 and d < 1"),
        ("$p/d >= 1 and $p/d < 1", "d >= 1 and d < 1"),
        ("$p/i > 3 and $p/i < 4", "i > 3 and i < 4"),
        ("$p/i = 2.5", "i = 2.5"),
        ("$p/i < $p/j and $p/j < $p/k and $p/k < $p/i + 2", "i < j and j < k and k < i + 2"),
        ('$p/s = "a" and $p/s = "b"', 's = "a" and s = "b"'),
        ("$p/s = $p/t and $p/s != $p/t", "s = t and s != t"),
        (
            'contains($p/s, "a") and not(contains($p/s, "a"))',
            'contains(s, "a") and not(contains(s, "a"))',
        ),
        ("($p/i < 1 or $p/i > 5) and $p/i = 3", "(i < 1 or i > 5) and i = 3"),
        ("$p/i > 1 and false()", "false()"),
        ("$p/i > 3 and empty($p/i)", "i > 3 and not(exists(i))"),
        ("$p/r = 3 and not($p/r > 2)", "r = 3 and not(r > 2)"),
        (
            "$p/i >= 0 and $p/i <= 1 and $p/j >= 0 and $p/j <= 1 and $p/k >= 0 and $p/k <= 1"
            " and $p/i != $p/j and $p/j != $p/k and $p/i != $p/k",
            "i >= 0 and i <= 1 and j >= 0 and j <= 1 and k >= 0 and k <= 1"
            " and i != j and j != k and i != k",
        ),
    ],
)
def test_contradiction(text: str, expected: str) -> None:
    found = predicate(text)
    assert not found.satisfiable
    assert found.contradiction == expected
    assert found.expression() == Literal(False)


@pytest.mark.parametrize(
    "text",
    [
        "$p/d >= 1 and $p/d <= 1",
        "$p/d > 3 and $p/d < 4",
        "$p/r > 3 and $p/r < 2",
        '$p/w = "a" and $p/w = "b"',
        "not($p/i >= 1) and not($p/i < 1)",
        "$p/f != 3 and not($p/f < 3) and not($p/f > 3)",
        '$p/s < "a" and $p/s > "b"',
    ],
)
def test_satisfiable(text: str) -> None:
    assert predicate(text).satisfiable
    assert predicate(text).contradiction is None


@pytest.mark.parametrize(
    ("wanted", "given", "expected"),
    [
        ("$p/d >= 3 and $p/i < 5", "$p/d >= 2 and $p/i < 5", "d >= 3"),
        ("$p/d >= 3", "$p/d >= 3", "true"),
        ("$p/d >= 3", "$p/d > 2", "d >= 3"),
        ("$p/i <= $p/j and $p/j <= 5 and $p/d = 1", "$p/i <= 5", "i <= j and j <= 5 and d = 1"),
        ("$p/i <= $p/j and $p/j <= 5", "$p/i <= $p/j", "j <= 5"),
        ("$p/i = 1 and ($p/d > 1 or $p/e > 1)", "$p/d > 1 or $p/e > 1", "i = 1"),
        ("$p/i = 1 and $p/d > 1", "$p/d > 1 or $p/e > 1", "i = 1 and d > 1"),
        ('contains($p/s, "x") and $p/i = 1', 'contains($p/s, "x")', "i = 1"),
        ("$p/i = 4", "$p/i >= 4", "i = 4"),
    ],
)
def test_residual(wanted: str, given: str, expected: str) -> None:
    one, other = predicate(wanted), predicate(given, "p")
    rest = residual(one, other)
    assert str(rest) == expected
    assert implies(conjunction(other, rest), one).holds


def test_residual_is_over_the_paths_of_what_is_wanted() -> None:
    rest = residual(predicate("$new/d >= 3 and $new/i < 5", "new"), predicate("$old/i < 5", "old"))
    expression = rest.expression()
    assert expression is not None
    assert show(expression) == "$new/d >= 3"


def test_true() -> None:
    assert predicate_of(None, RESOLVE) == TRUE
    assert TRUE.expression() is None
    assert TRUE.satisfiable
    assert implies(predicate("$p/i = 1"), TRUE).holds
    assert not implies(TRUE, predicate("$p/i = 1")).holds


def test_expressions_keep_the_kind_of_their_constants() -> None:
    expression = predicate(
        "$p/i < 5 and $p/d >= 2.50 and $p/f > 1e2 and $p/i <= $p/j + 3"
    ).expression()
    assert expression is not None
    assert show(expression) == (
        "$p/i < 5 and $p/d >= 2.50 and $p/f > 100.0e0 and $p/i <= ($p/j + 3)"
    )


def test_constants_beside_integers_stay_there() -> None:
    expression = predicate("$p/i + 3 <= $p/d").expression()
    assert expression is not None
    assert show(expression) == "($p/i + 3) <= $p/d"


def test_graphs_of_alternatives() -> None:
    graphs = predicate("($p/i < 5 or $p/d > 1.5) and $p/j = 2").graphs()
    assert [set(graph.edges) for graph in graphs] == [
        {*_two("j", 2), GraphEdge("i", "0", Fraction(4), False)},
        {*_two("j", 2), GraphEdge("0", "d", Fraction("-1.5"), True)},
    ]


def _two(name: str, value: int) -> tuple[GraphEdge, GraphEdge]:
    up = GraphEdge(name, "0", Fraction(value), False)
    return up, GraphEdge("0", name, Fraction(-value), False)


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("$p/i > 2 and ($p/i < 5 or $p/i < 9)", "i", Bounds(Fraction(3), Fraction(8))),
        ("$p/i > 2 or $p/d > 2", "i", None),
        ("$p/d > 2 or $p/d = 1", "d", Bounds(Fraction(1), None)),
        ("$p/i <= $p/j and $p/j < 3", "i", Bounds(None, Fraction(2))),
        ("$p/r > 3", "r", None),
        ('$p/s = "a"', "s", None),
    ],
)
def test_bounds_of_all_cases(text: str, name: str, expected: Bounds | None) -> None:
    assert predicate(text).bounds(name) == expected


@pytest.mark.parametrize(
    ("stronger", "weaker", "expected"),
    [
        ("$p/i < 5", "$p/i < 3", "needs i < 3; the new subscription allows i up to 4"),
        ("$p/d > 5", "$p/d < 3", "needs d < 3; the new subscription does not bound d from above"),
        ("$p/d >= 3", "$p/d > 3", "needs d > 3; the new subscription allows d down to 3"),
        (
            "$p/i <= $p/j + 3",
            "$p/i <= $p/j + 1",
            "needs i <= j + 1; the new subscription allows i up to j + 3",
        ),
        ("$p/i = 1", "$p/i <= $p/j", "needs i <= j; the new subscription does not relate i to j"),
        (
            '$p/s != "a"',
            '$p/s = "b"',
            'needs s = "b"; the new subscription allows other values of s',
        ),
        ("$p/i = 1", '$p/s = "b"', 'needs s = "b"; the new subscription does not ask for s'),
        (
            "$p/i = 1",
            'contains($p/s, "x")',
            'needs contains(s, "x"); the new subscription does not ask for it',
        ),
        (
            "$p/d >= 1.0 or $p/d = 0.5",
            "$p/d >= 1.5",
            "needs d >= 1.5; the new subscription allows d down to 0.5",
        ),
    ],
)
def test_reasons(stronger: str, weaker: str, expected: str) -> None:
    assert implies(predicate(stronger), predicate(weaker)).failed == (expected,)
