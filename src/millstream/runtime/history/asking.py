"""Queries over histories answered on Spark, by three strategies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from pyspark.errors import PySparkException

from millstream.algebra.xcql.expressions import Expression
from millstream.algebra.xcql.show import show
from millstream.compiler.history import Catalog, Plan, Untranslatable, compile_query
from millstream.compiler.history.whole_view import WholeTable, whole_view
from millstream.languages.xquery.core import lower_history
from millstream.languages.xquery.translation import Strategy, Translation, translate
from millstream.languages.xquery.translation.results import translate_result
from millstream.model.filler_layout import instant_of, microseconds
from millstream.model.tag_structure import TagStructure
from millstream.runtime.history.bound_results import raise_failure, with_items
from millstream.runtime.history.needed_tables import needed_tables
from millstream.runtime.history.placed_stream import PlacedStream
from millstream.runtime.history.session_functions import register_functions
from millstream.runtime.history.view_tables import hydrated
from millstream.runtime.history.whole_query import WholeQuery
from millstream.runtime.session import DataFrame, SparkSession

_MOST_PREPARED = 64
"""Statements that are kept with their plans."""


@dataclass(frozen=True, slots=True)
class Route:
    """How a query is answered: as one SQL statement, or whole in SaxonC on a worker."""

    expression: Expression
    translation: Translation
    plan: Plan | None
    whole: WholeQuery
    reason: str | None
    """Why there is no SQL for it, or for what it returns."""
    result: str | None = None
    """What it returns for each binding, in plain XQuery, if that has no SQL."""
    hydration: tuple[WholeTable, ...] = ()
    """The tables of the whole temporal view, which are put together before anything is asked."""

    @property
    def engine(self) -> str:
        """What computes the answer, in words."""
        if self.plan is None:
            return "SaxonC in a task of Spark, given all fillers that may count"
        if self.hydration:
            return "Spark SQL over the whole temporal view, which is put together first"
        if self.result is None:
            return "Spark SQL"
        names = ", ".join(f"${name.rpartition('.')[0]}" for name, _ in self.plan.inputs)
        return f"Spark SQL for the bindings; SaxonC for what each returns, given {names}"

    def explanation(self, structures: Mapping[str, TagStructure]) -> dict[str, Any]:
        """What explain tells: the algebra, what is read, what runs."""
        reads = (
            {view: list(columns) for view, columns in self.plan.reads}
            if self.plan
            else {view: ["body"] for views in self.whole.tables.values() for view in views.values()}
        )
        return {
            "strategy": self.translation.strategy.value,
            "algebra": show(self.expression, structures),
            "reads": reads,
            "view": {table.view: table.sql for table in self.hydration},
            "sql": self.plan.sql if self.plan else self.whole.sql(),
            "engine": self.engine,
            "reason": self.reason,
        }


class Routes:
    """Tells how queries over some histories are answered; nothing runs for it."""

    def __init__(self, streams: Mapping[str, PlacedStream]) -> None:
        self.streams = streams

    @cached_property
    def catalog(self) -> Catalog:
        return Catalog({name: stream.tables for name, stream in self.streams.items()})

    @property
    def structures(self) -> dict[str, TagStructure]:
        return {name: stream.structure for name, stream in self.streams.items()}

    @property
    def now(self) -> datetime:
        """The largest validTime of all."""
        return instant_of(max(stream.now for stream in self.streams.values()))

    def route(self, text: str, strategy: Strategy = Strategy.QAC_PLUS) -> Route:
        """How a query would be answered."""
        translation = translate(text, self.structures, strategy)
        expression = lower_history(text, self.structures)
        plan, reason = None, None
        hydration: tuple[WholeTable, ...] = ()
        catalog = self.catalog
        if strategy is Strategy.CAQ:
            hydration, catalog = whole_view(self.catalog, translation.streams)
        try:
            plan = compile_query(expression, catalog, from_root=strategy is Strategy.QAC)
        except Untranslatable as problem:
            reason, hydration = _located(problem, text), ()
        result = None
        if plan is not None and plan.inputs:
            result, reason = self._result(text, plan), plan.reason
            plan = None if result is None else plan
        whole = self._whole(text, translation)
        return Route(expression, translation, plan, whole, reason, result, hydration)

    def _result(self, text: str, plan: Plan) -> str | None:
        """What the query returns for each binding, as XQuery over the variables of a row."""
        names = {name: name.rpartition(".")[0] for name, _ in plan.inputs}
        if len(set(names.values())) < len(names):
            return None
        inputs = {
            names[name]: frozenset((each.stream, each.tag or 0) for each in places)
            for name, places in plan.inputs
        }
        return translate_result(text, self.structures, inputs)

    def _whole(self, text: str, translation: Translation) -> WholeQuery:
        names = translation.streams or tuple(self.streams)[:1]
        everything = translation.strategy is Strategy.CAQ
        tables = {}
        for name in names:
            views = self.streams[name].tables.views
            structure = self.structures[name]
            needed = set(views) if everything else needed_tables(text, structure)
            tables[name] = {tsid: view for tsid, view in views.items() if tsid in needed}
        return WholeQuery(translation.text, tables, {name: self.structures[name] for name in names})


class SparkHistories(Routes):
    """Some histories in a Spark session, ready to be asked."""

    def __init__(self, spark: SparkSession, streams: Mapping[str, PlacedStream]) -> None:
        super().__init__(streams)
        self.spark = spark
        self._prepared: dict[tuple[str, int], DataFrame] = {}
        self._routes: dict[tuple[str, Strategy], Route] = {}

    def run(self, route: Route, now: datetime | None = None) -> list[str]:
        """The items that a query gives, each as text, in order."""
        instant = now or self.now
        if route.plan is None:
            return route.whole.run(self.spark, instant)
        try:
            with hydrated(self.spark, route.hydration):
                return self._run_plan(route.plan, instant, route.result)
        except PySparkException:
            # A value that is none of its type, or a text that SQL does not write as XML does:
            # who knows all of XQuery tells the answer, or what is wrong.
            return route.whole.run(self.spark, instant)

    def ask(
        self, text: str, strategy: Strategy = Strategy.QAC_PLUS, now: datetime | None = None
    ) -> list[str]:
        """The answer to a query."""
        key = (text, strategy)
        if key not in self._routes:
            if len(self._routes) >= _MOST_PREPARED:
                self._routes.pop(next(iter(self._routes)))
            self._routes[key] = self.route(text, strategy)
        return self.run(self._routes[key], now)

    def _run_plan(self, plan: Plan, now: datetime, result: str | None = None) -> list[str]:
        frame = self._frame(plan, microseconds(now))
        if result is not None:
            frame = with_items(frame, plan, result, now)
        rows = frame.toArrow().to_pylist()
        raise_failure(rows)
        for key in reversed(plan.order):
            rows.sort(
                key=lambda row, name=key.sql, last=key.nulls_last, down=key.descending: (
                    (row[name] is None) == (last != down),
                    () if row[name] is None else (row[name],),
                ),
                reverse=key.descending,
            )
        return [item for row in rows for item in row["items"]]

    def _frame(self, plan: Plan, now: int) -> DataFrame:
        """The rows of a plan, computed anew; what a text means is found out once."""
        if (plan.sql, now) not in self._prepared:
            if len(self._prepared) >= _MOST_PREPARED:
                self._prepared.pop(next(iter(self._prepared)))
            given = [f"v{number}" for number in range(len(plan.inputs))]
            columns = [*(key.sql for key in plan.order), *(given or ["items"])]
            register_functions(self.spark, plan.sql)
            frame = self.spark.sql(plan.sql, args={"now": now}).select(*columns)
            self._prepared[plan.sql, now] = frame
        # A new physical plan: the old one would keep what it has read and sorted.
        return self._prepared[plan.sql, now].select("*")


def _located(problem: Untranslatable, text: str) -> str:
    piece = " ".join(text[problem.span.start : problem.span.end].split())
    return f"{problem.reason}: {piece}" if piece else problem.reason
