"""A subscription to histories as its owner sees it: results that are versions."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from millstream.algebra.operators import Query
from millstream.algebra.standing import Standing
from millstream.errors import UnsupportedError
from millstream.history.filler_store import FillerStore
from millstream.model.filler_layout import instant_of
from millstream.runtime.history.result_history import result_history
from millstream.runtime.history.standing_results import LoggedChange, read_changes
from millstream.runtime.results import Result
from millstream.runtime.session import DataFrame
from millstream.runtime.subscription import Subscription

_FRAME = "step BIGINT, ordering ARRAY<BIGINT>, branch INT, value STRING"


@dataclass(frozen=True, slots=True)
class ResultVersion:
    """What holds for a binding from an instant on."""

    key: str
    """The fillers that are bound, by id and version."""
    since: datetime
    items: tuple[str, ...] | None
    """None where nothing holds any more."""
    step: int


class StandingSubscription(Subscription):
    """A subscription to histories, and its results."""

    @property
    def standing(self) -> Standing:
        """What its query depends on."""
        return self._registry.registered_standing(self.name).standing

    @property
    def text(self) -> str:
        return self._registry.subscription(self.name).text

    @property
    def streams(self) -> tuple[str, ...]:
        return self._registry.subscription(self.name).streams

    @property
    def peer(self) -> str:
        return self._registry.subscription(self.name).peer

    @property
    def query(self) -> Query:
        raise UnsupportedError(
            f"subscription '{self.name}' asks histories: it is no part of the shared algebra",
            code="history",
        )

    @property
    def opening(self) -> str:
        return self.standing.opening

    @property
    def closing(self) -> str:
        return self.standing.closing

    @property
    def cancelled(self) -> bool:
        return self._registry.subscription(self.name).cancelled

    def versions(self, after_step: int = 0) -> Iterator[ResultVersion]:
        """How the results came, changed and ended, in order."""
        for each in self._changes(after_step):
            change = each.change
            yield ResultVersion(change.key, instant_of(each.now), change.items, each.step)

    def current(self) -> dict[str, tuple[str, ...]]:
        """The results that hold now, by what is bound for them."""
        found: dict[str, tuple[str, ...]] = {}
        for each in self.versions():
            found.pop(each.key, None)
            if each.items is not None:
                found[each.key] = each.items
        return found

    def history(self) -> FillerStore:
        """The results as a history: a result of each binding, in its versions."""
        return result_history(self._changes())

    def log(self, after_step: int = 0) -> Iterator[Result]:
        """The items of all versions in the steps after a step, in order."""
        for each in self._changes(after_step):
            for place, item in enumerate(each.change.items or ()):
                yield Result(each.step, (each.place, place), item)

    def dataframe(self) -> DataFrame:
        """The items so far as a Spark DataFrame of step, ordering, branch and value."""
        rows = [(each.step, list(each.ordering), 0, each.value) for each in self.log()]
        return self._session().createDataFrame(rows, _FRAME)

    def _changes(self, after_step: int = 0) -> Iterator[LoggedChange]:
        journals = self._journals()
        logs = []
        for stream in self.streams:
            state = journals[stream].state
            for reading in state.readings.get(self.name, ()):
                segments = state.tables["results"]
                logs.append(read_changes(self._storage, segments, reading.channel, after_step))
        # Steps of all streams are numbered in one order.
        return heapq.merge(*logs, key=lambda each: each.step)
