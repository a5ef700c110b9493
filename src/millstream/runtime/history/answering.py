"""Queries over histories that are answered once, at any instant."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from millstream.errors import QueryError, UnsupportedError, did_you_mean
from millstream.history.evaluation import Evaluator
from millstream.history.filler_store import FillerStore
from millstream.languages.xquery.translation import Strategy, Translation, translate
from millstream.rendering import html
from millstream.rendering.leaves import leaf_rows
from millstream.runtime.history.asking import SparkHistories
from millstream.runtime.history.histories import Histories
from millstream.runtime.history.placed_stream import PlacedStream, place_in_memory
from millstream.runtime.session import SparkSession

SMALL = 4 * 1024 * 1024
"""Bytes of text up to which a history is asked in this process: Spark would take longer."""
ENGINES = ("auto", "spark", "saxonc")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a query gave."""

    items: tuple[str, ...]
    now: datetime
    strategy: str
    engine: str
    """Where it was answered: as SQL on Spark, or by SaxonC."""
    streams: tuple[str, ...]
    seconds: float

    def _repr_html_(self) -> str:
        found = leaf_rows(self.items)
        return html.page(
            f"{len(self.items):,} results at {self.now:%Y-%m-%d %H:%M:%S}",
            html.table(found.headings, found.rows, empty="nothing held then"),
        )


@dataclass(frozen=True)
class Answering:
    """Answers queries over the histories of a mill, as they are."""

    histories: Histories
    session: Callable[[], SparkSession]

    def answer(
        self,
        text: str,
        *,
        now: datetime | None = None,
        strategy: str = "qac+",
        engine: str = "auto",
    ) -> Answer:
        """The items that a query gives."""
        if engine not in ENGINES:
            help = did_you_mean(engine, ENGINES)
            raise QueryError(f"there is no engine '{engine}'", code="engine", help=help)
        started = time.monotonic()
        results = self.histories.result_stores(text)
        structures = self.histories.structures(
            {name: store.structure for name, store in results.items()}
        )
        translation = translate(text, structures, Strategy(strategy))
        names = translation.streams or tuple(structures)[:1]
        if translation.asks_tags:
            engine = _engine_for_tags(engine)
        if engine == "auto":
            engine = "saxonc" if self._size(names) <= SMALL else "spark"
        asked = self._on_spark if engine == "spark" else self._here
        items, instant, used = asked(text, translation, names, results, now)
        seconds = time.monotonic() - started
        return Answer(tuple(items), instant, strategy, used, tuple(names), seconds)

    def _size(self, names: tuple[str, ...]) -> int:
        return sum(self.histories.size(name) for name in names)

    def _here(
        self,
        _: str,
        translation: Translation,
        names: tuple[str, ...],
        results: Mapping[str, FillerStore],
        now: datetime | None,
    ) -> tuple[list[str], datetime, str]:
        stores = {name: results.get(name) or self.histories.store(name) for name in names}
        evaluator = Evaluator(stores)
        return evaluator.run(translation.text, now), now or evaluator.now, "saxonc"

    def _on_spark(
        self,
        text: str,
        translation: Translation,
        names: tuple[str, ...],
        results: Mapping[str, FillerStore],
        now: datetime | None,
    ) -> tuple[list[str], datetime, str]:
        spark = self.session()
        placed = {name: self._placed(spark, name, results) for name in names}
        asked = SparkHistories(spark, placed)
        route = asked.route(text, translation.strategy)
        used = "spark" if route.plan else "saxonc on spark"
        return asked.run(route, now), now or asked.now, used

    def _placed(
        self, spark: SparkSession, name: str, results: Mapping[str, FillerStore]
    ) -> PlacedStream:
        if name in results:
            return place_in_memory(spark, name, results[name])
        return self.histories.placed(spark, name)


def _engine_for_tags(engine: str) -> str:
    """Where a query about tags is answered: the tables of histories on Spark hold no tags."""
    if engine == "spark":
        raise UnsupportedError(
            "Spark is not told of the tags on items here",
            code="engine",
            help="leave the engine to choose, or name saxonc",
        )
    return "saxonc"
