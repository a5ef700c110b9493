"""Random queries about random histories: Spark tells what SaxonC tells of the translation."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from pyspark.sql import SparkSession

from millstream.history.filler_store import FillerStore
from millstream.languages.xquery.translation import Strategy
from tests.history.test_laws import BEGIN, Author
from tests.history.test_strategies import asked_histories
from tests.runtime.history.spark_asking import BothAsked

PATIENTLY = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "database": None,
}
NOW = BEGIN + timedelta(seconds=4)


def check(spark: SparkSession, author: Author, queries: list[str]) -> None:
    asked = BothAsked(spark, {"s": FillerStore(author.structure, author.fillers)})
    for number, query in enumerate(queries):
        strategy = Strategy.QAC if number == 0 else Strategy.QAC_PLUS
        asked.check(query, NOW, (strategy,))


@settings(max_examples=2, derandomize=True, **PATIENTLY)
@given(asked=asked_histories())
def test_spark_agrees_with_the_translation(
    spark: SparkSession, asked: tuple[Author, list[str]]
) -> None:
    author, queries = asked
    check(spark, author, queries[:2])


@pytest.mark.long
@pytest.mark.timeout(7_200)
@settings(max_examples=300, **PATIENTLY)
@given(asked=asked_histories())
def test_spark_agrees_with_the_translation_on_many(
    spark: SparkSession, asked: tuple[Author, list[str]]
) -> None:
    author, queries = asked
    check(spark, author, queries[:3])
