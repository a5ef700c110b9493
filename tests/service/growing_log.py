"""A log that a test lets grow, and that counts how often it is read."""

from __future__ import annotations

from collections.abc import Iterator

from millstream.service.logs import Entry
from millstream.service.positions import Position


class GrowingLog:
    """Items numbered from 0; some reads can be made to find a file merged away."""

    start: Position = (-1,)

    def __init__(self, items: int = 0) -> None:
        self.items = items
        self.ended = False
        self.reads = 0
        self.failing = 0

    def after(self, position: Position) -> Iterator[Entry]:
        self.reads += 1
        last = self.items
        for number in range(position[0] + 1, last):
            if self.failing and number % 7 == 6:
                self.failing -= 1
                raise FileNotFoundError("merged")
            yield Entry((number,), f"<n>{number}</n>")

    def end(self) -> Position:
        return (self.items - 1,)

    def lost(self, position: Position) -> bool:
        return False

    def finished(self) -> bool:
        return self.ended
