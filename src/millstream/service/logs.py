"""What can be followed: the results of a subscription, and the items of a stream."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, Protocol, TypeVar

from millstream.mill import Stream, Subscription
from millstream.service.positions import Position, write_position

RETRIES = 5
"""A file of a log may be merged into another between being named and being read."""


_BEHIND_ALL = 10**17
"""A place among the results of a step that no result has."""


Found = TypeVar("Found")


def steady(read: Callable[[], Found]) -> Found:
    """What is read while the mill turns, read again if a step has changed it meanwhile."""
    for _ in range(RETRIES):
        try:
            return read()
        except FileNotFoundError:
            continue  # merged into another file
        except RuntimeError as error:
            if "changed size during iteration" not in str(error):
                raise
    return read()


class Entry(NamedTuple):
    """One item of a log."""

    position: Position
    value: str

    def event(self) -> bytes:
        """The item as a server-sent event."""
        position = write_position(self.position)
        data = json.dumps({"position": position, "value": self.value}, ensure_ascii=False)
        return f"id: {position}\nevent: item\ndata: {data}\n\n".encode()


class Log(Protocol):
    """Something that grows at its end."""

    @property
    def start(self) -> Position:
        """Before the first item."""

    def after(self, position: Position) -> Iterator[Entry]:
        """The items behind a position, in order; all that were committed when it was asked."""

    def end(self) -> Position:
        """A position behind all items so far, and before all that will follow."""

    def lost(self, position: Position) -> bool:
        """True when items right behind a position may not be kept any more."""

    def finished(self) -> bool:
        """True when nothing will follow."""


@dataclass(frozen=True, slots=True)
class ResultLog:
    """The results of a subscription."""

    subscription: Subscription
    committed: Callable[[], int]
    """The last step of all streams that is known to be committed."""
    ended: Callable[[str], bool]
    """Whether a stream has ended."""
    start: Position = (0, -1)

    def after(self, position: Position) -> Iterator[Entry]:
        # Results of several streams are merged by their steps: whatever is committed while the
        # streams are looked at, one after the other, is left for the next time.
        last = self.committed()
        step, place = 0, 0
        for result in self.subscription.log(max(0, position[0] - 1)):
            if result.step > last:
                return
            place = place + 1 if result.step == step else 0
            step = result.step
            if (step, place) > position:
                yield Entry((step, place), result.value)

    def end(self) -> Position:
        return (self.committed(), _BEHIND_ALL)

    def lost(self, position: Position) -> bool:
        # Steps may leave no results: what is missing cannot be told from what never was.
        return False

    def finished(self) -> bool:
        subscription = self.subscription
        return subscription.cancelled or all(self.ended(each) for each in subscription.streams)


@dataclass(frozen=True, slots=True)
class ItemLog:
    """The items of a stream."""

    stream: Stream
    start: Position = (-1,)

    def after(self, position: Position) -> Iterator[Entry]:
        return (Entry((each.position,), each.text) for each in self.stream.items(position[0]))

    def newest(self, most: int) -> list[Entry]:
        """The newest items, oldest first."""
        found = steady(lambda: self.stream.last_items(most)) if most else []
        return [Entry((each.position,), each.text) for each in found]

    def end(self) -> Position:
        newest = self.newest(1)
        return newest[-1].position if newest else self.start

    def lost(self, position: Position) -> bool:
        if not self.stream.forgotten:
            return False
        first = steady(lambda: next(self.stream.items(), None))
        return first is not None and first.position > position[0]

    def finished(self) -> bool:
        return self.stream.ended


class Cursor:
    """Reads a log from a position on, some items at a time, whatever is merged meanwhile."""

    def __init__(self, log: Log, position: Position) -> None:
        self.position = position
        self._log = log
        self._entries = log.after(position)

    def take(self, most: int) -> list[Entry]:
        """The next items, at most so many; none when all have been read."""
        for _ in range(RETRIES):
            try:
                found = list(islice(self._entries, most))
            except FileNotFoundError:
                self._entries = self._log.after(self.position)
                continue
            if found:
                self.position = found[-1].position
            return found
        return []
