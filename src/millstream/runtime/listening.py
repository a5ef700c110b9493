"""Sources that are listened to: what comes is kept in files of the space for the intake."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pyspark.sql import SparkSession

from millstream.errors import MillstreamError
from millstream.runtime.kafka.address import is_kafka
from millstream.runtime.kafka.creation import topic_listener
from millstream.runtime.records import StreamRecord
from millstream.runtime.space import Space
from millstream.runtime.tuning.creation import listener_of, tuned_folder
from millstream.runtime.tuning.station import is_served

__all__ = ["Listening", "heard_folder", "is_heard", "listening_to"]

heard_folder = tuned_folder


class Listening(Protocol):
    """Hears one source, in a thread of its own."""

    trouble: MillstreamError | None
    """Why nothing is heard at the moment."""

    def start(self) -> None:
        """Begin, or go on behind what was heard last."""

    def stop(self) -> None:
        """Hear no more; what was on its way is heard another time."""

    def check(self) -> None:
        """Raise what keeps it from ever hearing more."""

    def catch_up(self) -> None:
        """Hear all that there is, and return."""


def is_heard(source: str) -> bool:
    """True for a source that has no files of its own."""
    return is_served(source) or is_kafka(source)


def listening_to(
    space: Space, record: StreamRecord, spark: Callable[[], SparkSession]
) -> Listening | None:
    """What hears a stream, if its source has no files of its own."""
    if is_kafka(record.source):
        return topic_listener(space, record, heard_folder(record.name), spark)
    return listener_of(space.storage, record)
