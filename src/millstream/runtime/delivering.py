"""Results handed to the sinks of their subscriptions: files after a step, topics beside steps."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping

from millstream.errors import MillstreamError
from millstream.runtime.journal import Journal
from millstream.runtime.kafka.address import is_kafka
from millstream.runtime.kafka.deliveries import TopicDeliveries
from millstream.runtime.records import SubscriptionRecord
from millstream.runtime.registry import Registry
from millstream.runtime.session import SparkSession
from millstream.runtime.sinks import Delivery, Sink, deliver
from millstream.runtime.storage import Storage
from millstream.runtime.subscription import Subscription


class Deliveries:
    """The deliveries of a mill."""

    def __init__(
        self,
        storage: Storage,
        registry: Registry,
        journals: Callable[[], Mapping[str, Journal]],
        subscription: Callable[[str], Subscription],
        lock: threading.RLock,
        spark: Callable[[], SparkSession],
        here: Callable[[SubscriptionRecord], bool] = lambda record: True,
    ) -> None:
        """`here` tells whose results are made in this process."""
        self._storage = storage
        self._registry = registry
        self._journals = journals
        self._subscription = subscription
        self._here = here
        self._topics = TopicDeliveries(storage, lock, spark, self._sinks, self._delivery)

    @property
    def trouble(self) -> Mapping[str, MillstreamError]:
        """Why results of subscriptions wait for their topics, at the moment."""
        return dict(self._topics.trouble)

    def deliver(self) -> None:
        """Hand new results on; those for topics are on their way then."""
        for name, sink in self._sinks():
            if not is_kafka(sink.path):
                deliver(self._storage, name, sink, self._delivery(name))
        self._topics.wake()

    def finish(self, wait: bool) -> None:
        """Hand everything on, and return when it is there; a topic that is away is waited for."""
        self.deliver()
        self._topics.finish(wait)

    def stop(self) -> None:
        """Hand nothing on any more; what waits is delivered by the next run."""
        self._topics.stop()

    def places(self) -> Iterator[str]:
        """Where items come from and results go."""
        yield from (each.source for each in list(self._registry.streams.values()))
        yield from (sink.path for _, sink in self._sinks())

    def _sinks(self) -> Iterator[tuple[str, Sink]]:
        for name, record in list(self._registry.subscriptions.items()):
            for content in record.sinks if self._here(record) else ():
                yield name, Sink(**content)

    def _delivery(self, name: str) -> Delivery:
        subscription = self._subscription(name)
        journals = self._journals()
        streams = self._registry.subscription(name).streams
        states = [journals[each].state for each in streams]
        return Delivery(
            subscription.opening,
            subscription.closing,
            max((each.step for each in states), default=0),
            all(each.ended for each in states),
            subscription.log,
            subscription.json_lines,
        )
