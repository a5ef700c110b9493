"""A subscription as its owner sees it."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice

from millstream.algebra.operators import Query
from millstream.compiler.tags.templates import TagTemplate, TupleTemplate
from millstream.compiler.template import TaggedTemplate
from millstream.errors import UnsupportedError
from millstream.model.tags import Element
from millstream.rendering import html
from millstream.rendering.leaves import leaf_rows
from millstream.runtime.journal import Journal
from millstream.runtime.registry import Registered, Registry
from millstream.runtime.results import (
    Result,
    ResultRow,
    ResultSource,
    read_results,
    read_rows,
    results_frame,
)
from millstream.runtime.session import DataFrame, SparkSession
from millstream.runtime.storage import Storage
from millstream.runtime.tags.result_elements import Flow, ResultElements, written
from millstream.runtime.tags.result_items import tagged_items
from millstream.runtime.tags.set_reading import SetReading

SHOWN = 20
"""How many results a notebook shows."""


class Subscription:
    """A subscription of a mill, and its results."""

    def __init__(
        self,
        name: str,
        registry: Registry,
        journals: Callable[[], Mapping[str, Journal]],
        storage: Storage,
        session: Callable[[], SparkSession],
    ) -> None:
        self.name = name
        self._registry = registry
        self._journals = journals
        self._storage = storage
        self._session = session

    @property
    def _registered(self) -> Registered:
        return self._registry.registered(self.name)

    @property
    def text(self) -> str:
        return self._registered.record.text

    @property
    def streams(self) -> tuple[str, ...]:
        """The streams that its text names."""
        return self._registered.query.streams

    @property
    def peer(self) -> str:
        """The super-peer where its results are made."""
        return self._registered.record.peer

    @property
    def owner(self) -> str:
        """Whose it is; empty for whoever opens the space."""
        return self._registry.subscription(self.name).owner

    @property
    def query(self) -> Query:
        """The algebra of its text."""
        return self._registered.query

    @property
    def opening(self) -> str:
        """The XML that opens the result stream."""
        return self._registered.query.opening

    @property
    def closing(self) -> str:
        return self._registered.query.closing

    @property
    def cancelled(self) -> bool:
        return self._registered.record.cancelled

    def results(self) -> Iterator[str]:
        """The result items so far, in order."""
        for result in self.log():
            yield result.value

    @property
    def tagged(self) -> bool:
        """True when its results are tuples and tags, as TAG-QL gives them."""
        if self._registry.subscription(self.name).standing:
            return False
        return isinstance(self._registered.branches[0].template, TagTemplate | TupleTemplate)

    @property
    def json_lines(self) -> Callable[[int], Iterator[str]] | None:
        """How results after a step are lines of JSON, for those that have such a form."""
        return (lambda after: self.wire("json", after)) if self.tagged else None

    def elements(self) -> Iterator[Element]:
        """The results of TAG-QL as they flow: stix, tags, then tuples."""
        return (element for _, element, _ in self._flow(0))

    def wire(self, format: str = "json", after_step: int = 0) -> Iterator[str]:
        """The same as lines of JSON, or as XML elements."""
        return (written(element, shape, format) for _, element, shape in self._flow(after_step))

    def _flow(self, after_step: int) -> Flow:
        template = self._registered.branches[0].template
        if not isinstance(template, TagTemplate | TupleTemplate):
            raise UnsupportedError(
                f"the results of subscription '{self.name}' are no tuples with tags",
                help="those of TAG-QL are",
            )
        journals = self._journals()
        streams = {each: journals[each] for each in self._registered.record.streams}
        reader = ResultElements(template, self.name, SetReading(self._storage, streams))
        logs = [
            read_rows(self._storage, journal.state.tables["results"], sources, after_step)
            for journal, sources in self._sources()
        ]
        return reader.flow(heapq.merge(*logs, key=lambda each: each.step))

    def log(self, after_step: int = 0) -> Iterator[Result]:
        """The result items of the steps after a step, with their place in the result log."""
        if self.tagged:
            return (
                Result(step, (place,), written(element, shape, "xml"))
                for place, (step, element, shape) in enumerate(self._flow(after_step))
            )
        template = self._registered.branches[0].template
        if isinstance(template, TaggedTemplate):
            return self._tagged_items(after_step)
        logs = [
            read_results(self._storage, journal.state.tables["results"], sources, after_step)
            for journal, sources in self._sources()
        ]
        # Steps of all streams are numbered in one order.
        return heapq.merge(*logs, key=lambda each: each.step)

    def _tagged_items(self, after_step: int) -> Iterator[Result]:
        """Items, each after those of its tags that no item before it has had."""
        journals = self._journals()
        streams = {each: journals[each] for each in self._registered.record.streams}
        return tagged_items(self._rows(after_step), SetReading(self._storage, streams))

    def _rows(self, after_step: int) -> Iterator[tuple[ResultSource, ResultRow]]:
        logs = (
            (
                (sources[row.branch], row)
                for row in read_rows(
                    self._storage, journal.state.tables["results"], sources, after_step
                )
            )
            for journal, sources in self._sources()
        )
        return heapq.merge(*logs, key=lambda each: each[1].step)

    def dataframe(self) -> DataFrame:
        """The result items so far as a Spark DataFrame of step, ordering, branch and value."""
        session = self._session()
        frames = [
            results_frame(session, self._storage, journal.state.tables["results"], sources)
            for journal, sources in self._sources()
        ]
        return reduce(DataFrame.unionAll, frames)

    def _repr_html_(self) -> str:
        first = list(islice(self.results(), SHOWN + 1))
        found = leaf_rows(first[:SHOWN])
        return html.page(
            f"subscription {self.name}",
            html.folded("query", html.text(self.text)),
            html.table(found.headings, found.rows, empty="no results yet"),
            f"<em>the first {SHOWN}; more follow</em>" if len(first) > SHOWN else "",
        )

    def cancel(self) -> None:
        """End the subscription with the next step; its results stay."""
        self._registry.cancel(self.name)

    def _sources(self) -> Iterator[tuple[Journal, Sequence[ResultSource]]]:
        registered = self._registered
        journals = self._journals()
        for stream in registered.record.streams:
            journal = journals[stream]
            yield (
                journal,
                [
                    ResultSource(each, registered.branches[each.branch].template)
                    for each in journal.state.readings.get(self.name, ())
                ],
            )
