"""SaxonC answers translated queries, whatever its rewriting makes of them."""

from __future__ import annotations

import pytest

from millstream.errors import QueryError
from millstream.history.evaluation import Evaluator, run_keyed
from millstream.history.filler_document import NAMESPACE, filler_document
from tests.history.credit import ALL, store, time

FRAGMENTS = f"$Q{{{NAMESPACE}}}fragments"
DECLARED = f"declare variable {FRAGMENTS} external; "
FALLIBLE = (
    f"for $n in {FRAGMENTS}/a/x[empty(.)] where $n = -2 or exists({FRAGMENTS}/t) return string($n)"
)
"""Rewritten, it is an error where there is no a."""


def test_an_error_that_rewriting_makes_is_not_the_users() -> None:
    evaluator = Evaluator({"credit": store(*ALL)})
    assert evaluator.run(f"{DECLARED}{FALLIBLE}") == []
    assert evaluator.run(f"{DECLARED}count({FRAGMENTS})") == ["1"]


def test_keyed_queries_are_no_exception() -> None:
    documents = {"credit": filler_document(store(*ALL), "credit")}
    assert list(run_keyed(f"{DECLARED}{FALLIBLE}", documents, time("2003-01-01"))) == []


def test_an_error_of_the_same_kind_stays_one() -> None:
    with pytest.raises(QueryError) as caught:
        Evaluator({"credit": store(*ALL)}).run(f"{DECLARED}if ((1, 2)) then 1 else 2")
    assert caught.value.code == "FORG0006"
