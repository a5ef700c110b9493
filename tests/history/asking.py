"""Asking histories in tests: a query, by each of the strategies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from millstream.generators.event_stream import Event, EventStream
from millstream.history.evaluation import Evaluator
from millstream.history.filler_store import FillerStore
from millstream.languages.xquery.translation import Strategy, translate


class Asked:
    """Some histories, of which every strategy must tell the same."""

    def __init__(self, stores: Mapping[str, FillerStore]) -> None:
        self.structures = {name: store.structure for name, store in stores.items()}
        self.evaluator = Evaluator(stores)

    def __call__(self, query: str, now: datetime | None = None) -> list[str]:
        """The answer to a query, which all strategies give."""
        answers = {each: self.by(each, query, now) for each in Strategy}
        first = answers[Strategy.CAQ]
        assert all(each == first for each in answers.values()), answers
        return first

    def by(self, strategy: Strategy, query: str, now: datetime | None = None) -> list[str]:
        """The answer that one strategy gives."""
        translation = translate(query, self.structures, strategy)
        return self.evaluator.run(translation.text, now)


def events(stream: EventStream, happened: Iterable[Event], start: datetime) -> FillerStore:
    """The history of a stream of events."""
    return FillerStore(stream.structure(), stream.fillers(happened, start))
