"""Random histories and queries: continuous results are those of an evaluation from scratch."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from millstream.errors import QueryError
from millstream.history.evaluation import Evaluator
from millstream.history.filler_store import FillerStore
from millstream.languages.xquery.standing import standing_query
from millstream.languages.xquery.translation import translate
from millstream.model.filler import Filler
from millstream.model.filler_layout import instant_of, microseconds
from millstream.runtime.history.affected import News
from millstream.runtime.history.filler_index import FillerIndex
from millstream.runtime.history.history_rows import HistoryRow
from millstream.runtime.history.standing_evaluation import StandingEvaluation
from millstream.runtime.history.standing_results import CurrentResults
from tests.history.random_queries import Asking
from tests.history.test_laws import BEGIN, Author, authors

PATIENTLY = {"deadline": None, "suppress_health_check": list(HealthCheck)}
QUERIES = 4


@dataclass(frozen=True)
class Story:
    """A history in batches, the instants at which it is looked at, and queries about it."""

    author: Author
    batches: list[list[Filler]]
    instants: list[int]
    queries: list[str]


@st.composite
def stories(draw: st.DrawFn) -> Story:
    author = draw(authors())
    fillers = list(draw(st.permutations(author.fillers)))
    fillers += draw(st.lists(st.sampled_from(author.fillers), max_size=3))
    size = draw(st.integers(1, 6))
    batches = [fillers[start : start + size] for start in range(0, len(fillers), size)]
    # At the end time goes on though nothing comes.
    batches += [[]] * draw(st.integers(0, 2))
    moves = draw(st.lists(st.integers(0, 2), min_size=len(batches), max_size=len(batches)))
    instants, now = [], microseconds(BEGIN)
    for move in moves:
        now += move * 1_000_000
        instants.append(now)
    queries = [Asking(draw, author.structure).query() for _ in range(QUERIES)]
    return Story(author, batches, instants, queries)


def check(story: Story) -> None:
    for query in story.queries:
        follow(story, query)


def follow(story: Story, query: str) -> None:
    structure = story.author.structure
    try:
        standing = standing_query(query, {"s": structure})
    except QueryError:
        return
    index, store = FillerIndex(":memory:"), FillerStore(structure)
    evaluation = StandingEvaluation(standing, {"s": structure}, index)
    current, before, arrived = CurrentResults(index), None, 0
    for batch, now in zip(story.batches, story.instants, strict=True):
        rows = []
        for filler in batch:
            store.add(filler)
            valid = microseconds(filler.valid_time)
            rows.append(HistoryRow(filler.tsid, filler.id, valid, arrived, filler.content))
            arrived += 1
        news, holes = index.add("s", structure, rows)
        for change in evaluation.changes("q", News({"s": news}, {"s": holes}), before, now):
            current.apply("q", change)
        before = now
        expected = from_scratch(query, store, now)
        if expected is not None:
            found = [item for items in current.all("q").values() for item in items]
            assert Counter(found) == Counter(expected), (query, standing.whole)
    index.close()


def from_scratch(query: str, store: FillerStore, now: int) -> list[str] | None:
    """What the history so far tells; None if it has no root yet, or the query fails."""
    if store.root_key not in store:
        return None
    try:
        translation = translate(query, {"s": store.structure})
        return Evaluator({"s": store}).run(translation.text, instant_of(now))
    except QueryError:
        return None


@settings(max_examples=15, **PATIENTLY)
@given(stories())
def test_continuous_results_are_those_made_from_scratch(story: Story) -> None:
    check(story)


@pytest.mark.long
@settings(max_examples=120, **PATIENTLY)
@given(stories())
def test_many_continuous_results_are_those_made_from_scratch(story: Story) -> None:
    check(story)
