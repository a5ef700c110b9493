"""Asking histories on Spark in tests, beside SaxonC."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime

from pyspark.sql import SparkSession

from millstream.errors import QueryError
from millstream.history.evaluation import Evaluator
from millstream.history.filler_store import FillerStore
from millstream.languages.xquery.translation import Strategy, translate
from millstream.runtime.history.asking import Route, SparkHistories
from millstream.runtime.history.placed_stream import place_in_memory

ON_SPARK = (Strategy.QAC, Strategy.QAC_PLUS)


class BothAsked:
    """Some histories, of which SaxonC and Spark must tell the same."""

    def __init__(self, spark: SparkSession, stores: Mapping[str, FillerStore]) -> None:
        # Streams of the same name in other tests have other views.
        spark = spark.newSession()
        self.stores = stores
        self.structures = {name: store.structure for name, store in stores.items()}
        placed = {name: place_in_memory(spark, name, store) for name, store in stores.items()}
        self.histories = SparkHistories(spark, placed)
        self.evaluator = Evaluator(stores)
        self.ways: Counter[str] = Counter()

    def expected(self, query: str, now: datetime | None = None) -> list[str]:
        try:
            translation = translate(query, self.structures, Strategy.QAC_PLUS)
            return self.evaluator.run(translation.text, now)
        except QueryError as error:
            return [error.code]

    def found(self, query: str, strategy: Strategy, now: datetime | None = None) -> list[str]:
        try:
            route = self.histories.route(query, strategy)
            self.ways[_way(route)] += 1
            return self.histories.run(route, now)
        except QueryError as error:
            return [error.code]

    def check(
        self,
        query: str,
        now: datetime | None = None,
        strategies: tuple[Strategy, ...] = ON_SPARK,
    ) -> list[str]:
        """The answer, on which both must agree."""
        expected = self.expected(query, now)
        for strategy in strategies:
            assert self.found(query, strategy, now) == expected, (query, strategy)
        return expected


def _way(route: Route) -> str:
    if route.plan is None:
        return "whole"
    return "sql" if route.result is None else "bound"
