"""A subscription as its owner sees it."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce

from millstream.algebra.operators import Query
from millstream.runtime.journal import Journal
from millstream.runtime.registry import Registered, Registry
from millstream.runtime.results import Result, ResultSource, read_results, results_frame
from millstream.runtime.session import DataFrame, SparkSession
from millstream.runtime.storage import Storage


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

    def log(self, after_step: int = 0) -> Iterator[Result]:
        """The result items of the steps after a step, with their place in the result log."""
        logs = [
            read_results(self._storage, journal.state.tables["results"], sources, after_step)
            for journal, sources in self._sources()
        ]
        # Steps of all streams are numbered in one order.
        return heapq.merge(*logs, key=lambda each: each.step)

    def dataframe(self) -> DataFrame:
        """The result items so far as a Spark DataFrame of step, ordering, branch and value."""
        session = self._session()
        frames = [
            results_frame(session, self._storage, journal.state.tables["results"], sources)
            for journal, sources in self._sources()
        ]
        return reduce(DataFrame.unionAll, frames)

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
