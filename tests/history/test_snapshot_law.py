"""The snapshot law: a query about a history at an instant is that query about its document then."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from millstream.generators.auction_history import Moment, moments
from millstream.generators.auction_market import Market
from millstream.generators.auction_structure import auction_structure
from millstream.history.evaluation import Evaluator
from millstream.history.filler_store import FillerStore
from millstream.languages.xquery.translation import Strategy, translate
from millstream.model.lifespan import format_instant
from millstream.model.tag_structure import TagStructure
from millstream.testing import saxon
from tests.history.random_queries import Asking
from tests.history.test_laws import MOMENT, Author, authors
from tests.history.xmark import QUESTIONS, at, plain

PATIENTLY = {"deadline": None, "suppress_health_check": list(HealthCheck)}


@st.composite
def asked_histories(draw: st.DrawFn) -> tuple[Author, list[str]]:
    author = draw(authors())
    return author, [Asking(draw, author.structure, about_time=False).query() for _ in range(3)]


def answer(
    evaluator: Evaluator, structure: TagStructure, name: str, query: str, strategy: Strategy
) -> list[str]:
    return evaluator.run(translate(query, {name: structure}, strategy).text)


def check_author(author: Author, queries: Sequence[str]) -> None:
    evaluator = Evaluator({"s": FillerStore(author.structure, author.fillers)})
    for when, document in (author.saved[0], author.saved[-1]):
        # A moment later: events have passed.
        time = format_instant(when + MOMENT)
        for query in queries:
            expected = saxon.run(query, {"s": document})
            then = query.replace('stream("s")', f'stream("s")?[{time}]')
            for strategy in Strategy:
                found = answer(evaluator, author.structure, "s", then, strategy)
                assert found == expected, (query, time, strategy)


@settings(max_examples=20, **PATIENTLY)
@given(asked_histories())
def test_any_query_about_any_history_keeps_the_law(asked: tuple[Author, list[str]]) -> None:
    check_author(*asked)


@pytest.mark.long
@settings(max_examples=200, **PATIENTLY)
@given(asked_histories())
def test_many_queries_about_many_histories_keep_the_law(asked: tuple[Author, list[str]]) -> None:
    check_author(*asked)


@cache
def site(factor: float, instants: int) -> tuple[tuple[Moment, ...], Evaluator]:
    """An auction site at some instants, and all its fillers ready to be asked."""
    history = tuple(moments(Market(factor, seed=3), instants))
    fillers = (filler for moment in history for filler in moment.fillers)
    return history, Evaluator({"auction": FillerStore(auction_structure(), fillers)})


def answers_at(
    evaluator: Evaluator, question: str, when: datetime, strategy: Strategy
) -> list[str]:
    asked = at(question, format_instant(when))
    return answer(evaluator, auction_structure(), "auction", asked, strategy)


@pytest.mark.parametrize("strategy", Strategy)
@pytest.mark.parametrize("number", (1, 3, 4, 9, 10, 20))
def test_an_auction_site_keeps_the_law(number: int, strategy: Strategy) -> None:
    history, evaluator = site(0.001, 3)
    question = QUESTIONS[number - 1]
    found = [answers_at(evaluator, question, each.at, strategy) for each in history]
    assert found == [saxon.run(plain(question), {"auction": each.document}) for each in history]


@pytest.mark.long
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("question", QUESTIONS, ids=range(1, 21))
def test_an_auction_site_keeps_the_law_at_many_instants(question: str) -> None:
    history, evaluator = site(0.002, 20)
    for moment in history:
        expected = saxon.run(plain(question), {"auction": moment.document})
        for strategy in Strategy:
            found = answers_at(evaluator, question, moment.at, strategy)
            assert found == expected, (moment.at, strategy)
