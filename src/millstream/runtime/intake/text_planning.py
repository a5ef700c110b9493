"""Texts are planned: whole items into chunks, what will never be an item into quarantine."""

from __future__ import annotations

from millstream.runtime.intake.batch_plan import RAW_BYTES, BatchPlan
from millstream.runtime.intake.boundaries import Boundaries, Flaw
from millstream.runtime.intake.extents import Defect
from millstream.runtime.intake.stretch import Stretch


class TextPlanner:
    """Plans the texts of one format."""

    def __init__(self, boundaries: Boundaries, max_item_bytes: int) -> None:
        self.boundaries = boundaries
        self._max = max_item_bytes

    def rest(self, stretch: Stretch) -> bytes:
        """What is left of a text in which no whole item is left."""
        return stretch.window(self._max)

    def take(self, stretch: Stretch, batch: BatchPlan, final: bool) -> bool:
        """Plan the next whole items; False when there are none in what is there."""
        size = min(batch.room, self._max)
        while True:
            window = stretch.window(size)
            if stretch.given_up:
                taken = self._resume(stretch, batch, window)
            else:
                taken = self._take_items(stretch, batch, window, final and len(window) < size)
            if taken or len(window) < size:
                return taken
            if size == self._max:
                self._give_way(stretch, batch, window)
                return True
            size = min(2 * size, self._max)

    def _take_items(self, stretch: Stretch, batch: BatchPlan, window: bytes, final: bool) -> bool:
        cut = self.boundaries.cut(window, batch.items_left, final)
        if cut.end:
            batch.add(stretch.take(cut.end, batch.position), cut.items)
        return cut.end > 0

    def _resume(self, stretch: Stretch, batch: BatchPlan, window: bytes) -> bool:
        """Pass over the rest of an item that was given up."""
        end, found = self.boundaries.resume(window)
        if end or found:
            batch.skip(stretch.take(end, batch.position, skipped=True, given_up=not found))
        return end > 0 or found

    def _give_way(self, stretch: Stretch, batch: BatchPlan, window: bytes) -> None:
        """Give up an item that is too large, or what keeps the next item out of the window."""
        start = self.boundaries.start(window)
        if start == 0:
            reason = f"item larger than {self._max:,} bytes"
            self.give_up(stretch, batch, Flaw(0, "oversized", reason), window)
            return
        reason = f"{start:,} bytes without any item"
        self._defect(stretch, batch, Flaw(0, "text", reason), start)
        batch.skip(stretch.take(start, batch.position, skipped=True))

    def give_up(self, stretch: Stretch, batch: BatchPlan, flaw: Flaw, window: bytes) -> None:
        """Quarantine a flawed item and pass over it, to where reading can go on."""
        if flaw.offset:
            batch.add(stretch.take(flaw.offset, batch.position), 0)
        more, found = self.boundaries.resume(window[flaw.offset + 1 :])
        self._defect(stretch, batch, Flaw(0, flaw.kind, flaw.reason), 1 + more)
        batch.skip(stretch.take(1 + more, batch.position, skipped=True, given_up=not found))

    def flush(self, stretch: Stretch, batch: BatchPlan) -> bool:
        """Plan all that is left of a text that does not go on; False when the batch is full."""
        while flaw := self._truncation(stretch):
            self.give_up(stretch, batch, flaw, self.rest(stretch))
            while self.take(stretch, batch, final=True):
                if batch.full:
                    return False
        self._drop(stretch, batch, self.rest(stretch))
        return True

    def _truncation(self, stretch: Stretch) -> Flaw | None:
        flaw = None if stretch.given_up else self.boundaries.flaw(self.rest(stretch), True)
        return flaw if flaw and flaw.kind == "truncated" else None

    def _drop(self, stretch: Stretch, batch: BatchPlan, rest: bytes) -> None:
        """Plan a rest without items: for quarantine, for the parser to complain of, or silently."""
        if not rest:
            return
        flaw = None if stretch.given_up else self.boundaries.flaw(rest, stretch.fruitful)
        if flaw is not None:
            self._defect(stretch, batch, flaw, len(rest))
        if flaw is not None or stretch.given_up or self.boundaries.idle(rest):
            batch.skip(stretch.take(len(rest), batch.position, skipped=True))
        else:
            batch.add(stretch.take(len(rest), batch.position), 0)

    def _defect(self, stretch: Stretch, batch: BatchPlan, flaw: Flaw, length: int) -> None:
        feed, offset = stretch.place(flaw.offset)
        position = batch.position + flaw.offset
        kept = min(length - flaw.offset, RAW_BYTES)
        raw = stretch.extents(flaw.offset, kept, position)
        batch.defect(Defect(feed.file.ordinal, offset, position, flaw.kind, flaw.reason, raw))
