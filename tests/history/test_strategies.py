"""However a query is gone about, the answer is the same."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from millstream.errors import QueryError
from millstream.history.evaluation import Evaluator
from millstream.history.filler_store import FillerStore
from millstream.languages.xquery.translation import Strategy, translate
from tests.history.random_queries import Asking
from tests.history.test_laws import BEGIN, Author, authors

AGREEMENT = {"deadline": None, "suppress_health_check": list(HealthCheck)}
QUERIES = 5
"""How many are asked of each history."""


@st.composite
def asked_histories(draw: st.DrawFn) -> tuple[Author, list[str]]:
    author = draw(authors())
    return author, [Asking(draw, author.structure).query() for _ in range(QUERIES)]


def check(asked: tuple[Author, list[str]]) -> None:
    author, queries = asked
    evaluator = Evaluator({"s": FillerStore(author.structure, author.fillers)})
    now = BEGIN + timedelta(seconds=4)
    for query in queries:
        answers = {each.value: answer(query, author, evaluator, each, now) for each in Strategy}
        assert len({tuple(each) for each in answers.values()}) == 1, (query, answers)


def answer(query, author, evaluator, strategy, now) -> list[str]:
    try:
        translation = translate(query, {"s": author.structure}, strategy)
        return evaluator.run(translation.text, now)
    except QueryError as error:
        return [error.code, error.message]


@settings(max_examples=20, **AGREEMENT)
@given(asked_histories())
def test_the_three_strategies_agree(asked: tuple[Author, list[str]]) -> None:
    check(asked)


@pytest.mark.long
@settings(max_examples=300, **AGREEMENT)
@given(asked_histories())
def test_the_three_strategies_agree_on_many_histories(asked: tuple[Author, list[str]]) -> None:
    check(asked)
