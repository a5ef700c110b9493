"""General comparisons: typing of operands, repeated elements, absence, dirty text."""

from __future__ import annotations

from decimal import Decimal

import pytest
from pyspark.sql import SparkSession

from millstream.algebra.expressions import (
    And,
    Arithmetic,
    Call,
    Compare,
    Expression,
    Literal,
    Or,
    Sequence,
)
from tests.compiler.expressions.cases import Table, expected, truths
from tests.compiler.expressions.samples import path

F, T = False, True


def compare(left: str, operator: str, right: object) -> Compare:
    """A path compared with a constant, or with another path written with a slash before it."""
    if isinstance(right, str) and right.startswith("/"):
        return Compare(operator, path(left), path(right))
    assert isinstance(right, int | Decimal | float | str)
    return Compare(operator, path(left), Literal(right))


def negated(expression: Expression) -> Call:
    return Call("not", (expression,))


#                                     full, spare, dirty, extreme
NUMBERS: Table = {
    "integer": (compare("phc", ">=", 24), [T, F, F, F]),
    "integer, exactly": (compare("phc", "=", -(2**63)), [F, F, F, T]),
    "integer beyond 64 bits": (compare("phc", "<", 2**70), [T, T, F, T]),
    "integer with decimal": (compare("phc", "<", Decimal("24.5")), [T, T, F, T]),
    "decimal": (compare("en", "=", Decimal("1.3")), [T, F, F, F]),
    "absent or dirty is never unequal": (compare("en", "!=", 5), [T, F, F, T]),
    "double": (compare("flux", "<", 1e-6), [T, F, F, T]),
    "NaN is not greater": (compare("flux", ">", 0), [T, F, F, F]),
    "NaN is unlike itself": (compare("flux", "=", "/flux"), [T, F, F, T]),
    "NaN is unequal to itself": (compare("flux", "!=", "/flux"), [F, F, T, F]),
    "text with number": (compare("note", "=", 12), [F, F, T, F]),
    "number with text is text": (compare("en", "=", "1.3"), [F, F, F, F]),
    "as it is written": (compare("en", "=", "1.30"), [T, F, F, F]),
    "two numeric paths": (compare("phc", ">", "/coord/cel/dec"), [T, F, F, F]),
    "a letter after digits is no number": (compare("mark", "=", 1), [F, F, F, F]),
    "attribute": (compare("@n", "=", 7), [T, F, F, F]),
    "without a single value": (compare("coord", "=", 3), [F, F, F, F]),
    "wide sum": (Compare(">", Call("sum", (path("size"),)), Literal(15)), [T, F, F, F]),
    "empty arithmetic": (Compare("!=", path("flux"), Arithmetic("+", path("en"), Literal("g"))),
        [F, F, F, F]),
}  # fmt: skip

TIMES: Table = {
    "time with text": (compare("at", "=", "2003-11-01T11:00:00+01:00"), [T, F, F, F]),
    "date is midnight": (compare("at", "<", "2003-11-02"), [T, F, F, T]),
    "two times": (compare("at", "=", "/until"), [T, F, F, F]),
    "no instant": (compare("at", "<", "someday"), [F, F, F, F]),
    "no time of today": (compare("at", ">", "0001-01-01"), [T, F, F, F]),
    "time with text path is text": (compare("at", "<", "/note"), [T, F, T, F]),
    "repeated": (compare("day", "<", "2003-11-01"), [T, F, F, F]),
    "end of a day": (compare("day", "=", "2003-11-02T00:00:00Z"), [T, F, F, F]),
    "zone without colon": (compare("day", "=", "2003-11-01T08:00:00"), [F, F, T, F]),
}  # fmt: skip

TEXTS: Table = {
    "data is trimmed": (compare("note", "=", "a < b & c"), [T, F, F, F]),
    "a constant is not": (compare("note", "=", " a < b & c "), [F, F, F, F]),
    "order": (compare("tag", ">", "x"), [T, F, F, T]),
    "empty text": (compare("tag", "=", ""), [T, F, F, F]),
    "all text of an element": (compare("coord", "=", "130.50-45.0"), [T, F, F, F]),
    "text of raw content": (compare("raw", "=", "some bold text"), [T, F, F, F]),
    "truth value": (Compare("=", compare("phc", "=", 24), Literal(True)), [T, F, F, F]),
    "truth value with text": (
        Compare("=", Literal("false"), compare("phc", "=", 24)), [F, T, T, T]),
}  # fmt: skip

SEQUENCES: Table = {
    "some is": (compare("size", "=", 10), [T, F, F, F]),
    "some is not": (compare("size", "!=", 3), [T, F, T, T]),
    "trimmed": (compare("size", "=", 4), [F, F, T, F]),
    "some pair": (compare("size", "<", "/reading/quality"), [F, F, F, F]),
    "some pair of one path": (compare("size", "<", "/size"), [T, F, F, F]),
    "below repeated": (compare("reading/value", ">", 2), [T, F, T, T]),
    "list of constants": (
        Compare("=", path("phc"), Sequence((Literal(0), Literal(24)))), [T, T, F, F]),
    "empty list": (Compare("=", path("phc"), Sequence(())), [F, F, F, F]),
}  # fmt: skip

CONNECTIVES: Table = {
    "not of absent": (negated(compare("en", "=", 1)), [T, T, T, T]),
    "not of present": (negated(compare("en", ">", 1)), [F, T, T, T]),
    "and": (And((compare("phc", ">", 1), compare("en", ">", 1))), [T, F, F, F]),
    "or": (Or((compare("phc", "=", 0), path("en"))), [T, T, T, T]),
    "node": (path("en"), [T, F, T, T]),
    "nodes": (path("reading/flag"), [T, F, F, F]),
    "empty text is a node": (path("tag"), [T, F, T, T]),
    "number": (Call("count", (path("size"),)), [T, F, T, T]),
    "NaN": (Call("number", (path("flux"),)), [T, F, F, T]),
    "text": (Call("string", (path("note"),)), [T, F, T, F]),
    "value": (Call("data", (path("note"),)), [T, F, T, F]),
    "constant": (Literal(""), [F, F, F, F]),
}  # fmt: skip


@pytest.mark.spark
@pytest.mark.parametrize(
    "table",
    [NUMBERS, TIMES, TEXTS, SEQUENCES, CONNECTIVES],
    ids=["numbers", "times", "texts", "sequences", "connectives"],
)
def test_comparisons(spark: SparkSession, table: Table) -> None:
    assert truths(spark, table) == expected(table)
