"""Questions that a mill answers once: about histories, and about what is live in its streams."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from datetime import datetime
from functools import cached_property

from millstream.errors import QueryError
from millstream.languages.compiling import Language, language_of
from millstream.runtime.history.answering import Answer, Answering
from millstream.runtime.history.histories import Histories
from millstream.runtime.registry import Registry
from millstream.runtime.runner import StreamRunner
from millstream.runtime.session import SparkSession, prepared
from millstream.runtime.space import Space
from millstream.runtime.tags.live_answer import LiveAnswer, LiveAnswering

__all__ = ["Answer", "LiveAnswer", "Questions"]


class Questions(ABC):
    """What a mill is asked once."""

    space: Space
    registry: Registry
    histories: Histories
    _lock: threading.RLock

    @property
    @abstractmethod
    def session(self) -> SparkSession:
        """A Spark session with Millstream's settings."""

    @abstractmethod
    def spark(self, place: str = "") -> SparkSession:
        """The Spark of a mill."""

    @abstractmethod
    def runner(self, stream: str) -> StreamRunner:
        """What runs a stream."""

    def query(
        self, text: str, now: datetime | None = None, *, language: str = "auto", **options: str
    ) -> Answer | LiveAnswer:
        """Answer a query once: over histories, at any instant, or a SELECT of what is live now.

        Histories are asked by a strategy and an engine.
        """
        if language_of(text, language) is not Language.TAGQL:
            return Answering(self.histories, lambda: self.session).answer(text, now=now, **options)
        if now is not None or options:
            raise QueryError(
                "TAG-QL asks for what is live now",
                code="live",
                help="instants, strategies and engines are for histories",
            )
        return self.select(text)

    def select(self, text: str) -> LiveAnswer:
        """Answer a SELECT of TAG-QL once, from what is live now in the streams that it names."""
        return self._live.answer(text)

    @cached_property
    def _live(self) -> LiveAnswering:
        def session() -> SparkSession:
            return prepared(self.spark())

        storage = self.space.storage
        return LiveAnswering(storage, self.registry, self.runner, session, self._lock)
