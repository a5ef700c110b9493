"""A batch under construction: chunks filled one after the other, within limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from millstream.runtime.intake.extents import Chunk, Defect, Extent, joined

RAW_BYTES = 64 * 1024
"""What quarantine keeps of a bad item."""

_OPENING_BYTES = 4096
_SMALLEST_SHARE = 1 << 20
_LITTLE = 8
"""A part of a batch: as little may come on top of it."""


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """How much a batch may hold; None where there is no limit."""

    bytes: int | None
    items: int | None
    chunk_bytes: int

    def shared(self, waiting: int) -> BatchLimits:
        """These limits with chunks of equal size, at least two when that pays.

        What waits beyond a batch is taken along if it is little: a step of its own would not pay.
        """
        if self.bytes is not None and waiting <= self.bytes + self.bytes // _LITTLE:
            return replace(self, bytes=self.bytes + self.bytes // _LITTLE)._of_equal_chunks(waiting)
        return self._of_equal_chunks(waiting)

    def _of_equal_chunks(self, waiting: int) -> BatchLimits:
        whole = waiting if self.bytes is None else min(waiting, self.bytes)
        chunks = max(2, -(-whole // self.chunk_bytes))
        share = min(max(-(-whole // chunks), _SMALLEST_SHARE), self.chunk_bytes)
        # A chunk ends before its share does; without some more, crumbs would be left over.
        return replace(self, chunk_bytes=share + share // 64)


@dataclass(slots=True)
class Pending:
    """What has been planned without being worth a chunk yet, such as an end tag."""

    extents: list[Extent]
    finished: list[tuple[int, int]]


class BatchFull(Exception):
    """The batch holds what it may; the rest is for the next one."""


class BatchPlan:
    """The chunks of a batch, in order of their positions."""

    def __init__(
        self, first: int, position: int, limits: BatchLimits, pending: Pending | None = None
    ) -> None:
        self.chunks: list[Chunk] = []
        self._limits = limits
        self._next = first
        self._first_position = position
        self._extents = pending.extents if pending else []
        self._finished = pending.finished if pending else []
        self._defects: list[Defect] = []
        self._worth_a_chunk = False
        self._weight = 0
        self._planned = 0
        self._items = 0
        self.position = position + sum(each.length for each in self._extents)

    @property
    def room(self) -> int:
        """The bytes that the present chunk can still take, at least one."""
        room = self._limits.chunk_bytes - self._weight
        if self._limits.bytes is not None:
            room = min(room, self._limits.bytes - self._planned)
        return max(room, 1)

    @property
    def items_left(self) -> int | None:
        """The items that the batch can still take."""
        return None if self._limits.items is None else self._limits.items - self._items

    def check_room(self) -> None:
        """Raise BatchFull when nothing more should be planned."""
        if self._full():
            raise BatchFull

    def _full(self) -> bool:
        if self.items_left is not None and self.items_left <= 0:
            return True
        # A batch without anything in it would look like the end of what there is.
        if self._limits.bytes is None or not (self.chunks or self._worth_a_chunk):
            return False
        # A chunk for the last few bytes would cost more than it brings.
        return self._limits.bytes - self._planned <= self._limits.chunk_bytes // 8

    def add(self, extents: Sequence[Extent], items: int, bytes: int | None = None) -> None:
        """Plan extents that hold items; rows of a table tell their bytes."""
        self._worth_a_chunk = True
        self._items += items
        length = sum(each.length for each in extents) if bytes is None else bytes
        self._weigh(extents, length)

    def skip(self, extents: Sequence[Extent]) -> None:
        """Pass over extents without items."""
        self._weigh(extents, 0)

    def _weigh(self, extents: Sequence[Extent], length: int) -> None:
        self._extents += extents
        self.position += sum(each.length for each in extents)
        whole = self._limits.chunk_bytes
        # Small files cost more than their bytes: each must be opened.
        weight = length + len(extents) * min(_OPENING_BYTES, whole // 2048)
        self._weight += weight
        self._planned += weight
        if self._weight >= whole - whole // 32:
            self.end_chunk()

    def defect(self, defect: Defect) -> None:
        """Put something to quarantine."""
        self._worth_a_chunk = True
        self._defects.append(defect)
        self._weigh((), 0)

    def finish(self, file: int, size: int) -> None:
        """Remember that everything in a file is planned."""
        self._finished.append((file, size))

    def end_chunk(self) -> None:
        """Close the present chunk if there is anything in it."""
        if not self._worth_a_chunk:
            return
        self.chunks.append(
            Chunk(
                self._next,
                self._first_position,
                self.position,
                joined(self._extents),
                tuple(self._defects),
                finished=tuple(self._finished),
            )
        )
        self._next += 1
        self._first_position = self.position
        self._extents, self._finished, self._defects = [], [], []
        self._worth_a_chunk = False
        self._weight = 0

    def ended(self) -> Pending:
        """Close the last chunk; what is left for the next batch."""
        self.end_chunk()
        return Pending(self._extents, self._finished)
