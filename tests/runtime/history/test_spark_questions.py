"""The twenty XMark questions on Spark: against SaxonC on a small site, and the benchmark's own."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from millstream.generators.auction_history import moments
from millstream.generators.auction_market import Market
from millstream.generators.auction_structure import auction_structure
from millstream.history.filler_store import FillerStore
from millstream.history.fragmenter import fragment
from millstream.languages.xquery.translation import Strategy
from millstream.model.lifespan import format_instant
from millstream.runtime.history.asking import SparkHistories
from millstream.runtime.history.placed_stream import place_in_folder
from millstream.testing import saxon
from tests.history.credit import time
from tests.history.test_laws import refuse
from tests.history.xmark import QUESTIONS, at, plain
from tests.runtime.history.spark_asking import BothAsked

XMARK = Path(os.environ.get("MILLSTREAM_DATA", "../shared/data")) / "xmark"
WITHOUT_SQL: dict[int, str] = {}
"""The questions that have no SQL, with the reason."""


@pytest.fixture(scope="module")
def site(spark: SparkSession) -> BothAsked:
    """A small site with a few changes."""
    history = moments(Market(0.001, seed=4), 3)
    fillers = (filler for moment in history for filler in moment.fillers)
    return BothAsked(spark, {"auction": FillerStore(auction_structure(), fillers)})


@pytest.mark.parametrize("number", (2, 4, 9, 11, 14, 19))
def test_spark_answers_as_saxon_does(site: BothAsked, number: int) -> None:
    site.check(QUESTIONS[number - 1], strategies=(Strategy.QAC_PLUS,))


@pytest.mark.parametrize("number", (3,))
def test_from_the_root_down(site: BothAsked, number: int) -> None:
    site.check(QUESTIONS[number - 1], strategies=(Strategy.QAC,))


def test_the_whole_view_is_put_together_first(site: BothAsked) -> None:
    site.check(QUESTIONS[16], strategies=(Strategy.CAQ,))


@pytest.mark.parametrize("strategy", Strategy)
def test_all_questions_have_sql(site: BothAsked, strategy: Strategy) -> None:
    reasons = {
        number: site.histories.route(question, strategy).reason
        for number, question in enumerate(QUESTIONS, 1)
    }
    assert {number: reason for number, reason in reasons.items() if reason} == WITHOUT_SQL


def test_a_question_reads_only_the_columns_it_asks_for(site: BothAsked) -> None:
    plan = site.histories.route(QUESTIONS[4]).plan
    assert plan is not None
    assert [set(columns) for _, columns in plan.reads] == [
        {"id", "version", "rank", "price#from", "price#text"}
    ]


@pytest.fixture(scope="module")
def benchmark(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> SparkHistories:
    document = gzip.decompress((XMARK / "f0.05.xml.gz").read_bytes())
    fillers = fragment(
        BytesIO(document), auction_structure(), valid_time=time("2001-01-01"), reject=refuse
    )
    store = FillerStore(auction_structure(), fillers)
    folder = tmp_path_factory.mktemp("site")
    return SparkHistories(spark, {"auction": place_in_folder(spark, "auction", store, folder)})


@pytest.mark.long
@pytest.mark.shared_data
@pytest.mark.timeout(900)
@pytest.mark.skipif(not XMARK.exists(), reason="the data of the benchmark is not here")
@pytest.mark.parametrize("strategy", Strategy)
@pytest.mark.parametrize("number", range(1, 21))
def test_answers_are_those_of_the_benchmark(
    benchmark: SparkHistories, number: int, strategy: Strategy
) -> None:
    answer = gzip.decompress((XMARK / "answers" / f"q{number:02}-f0.05.xml.gz").read_bytes())
    found = benchmark.ask(QUESTIONS[number - 1], strategy)
    assert "\n".join(found) == answer.decode("utf-8")


def instants() -> Iterator[tuple[str, str]]:
    """A time and the document that stood then."""
    for moment in moments(Market(0.002, seed=3), 20):
        yield format_instant(moment.at), moment.document


@pytest.fixture(scope="module")
def changing(spark: SparkSession) -> BothAsked:
    history = moments(Market(0.002, seed=3), 20)
    fillers = (filler for moment in history for filler in moment.fillers)
    return BothAsked(spark, {"auction": FillerStore(auction_structure(), fillers)})


@pytest.mark.long
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("number", range(1, 21))
def test_a_site_keeps_the_snapshot_law_at_many_instants(changing: BothAsked, number: int) -> None:
    question = QUESTIONS[number - 1]
    for when, document in instants():
        expected = saxon.run(plain(question), {"auction": document})
        assert changing.found(at(question, when), Strategy.QAC_PLUS) == expected, when


def test_a_site_keeps_the_snapshot_law(site: BothAsked) -> None:
    (*_, last) = moments(Market(0.001, seed=4), 3)
    for number in (10,):
        question = QUESTIONS[number - 1]
        asked = at(question, format_instant(last.at))
        expected = saxon.run(plain(question), {"auction": last.document})
        assert site.found(asked, Strategy.QAC_PLUS) == expected
        assert site.ways["whole"] <= 1
