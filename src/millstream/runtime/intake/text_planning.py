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
        self._item_bytes = 1024
        """About how large an item is, as far as items were counted."""

    def rest(self, stretch: Stretch) -> bytes:
        """What is left of a text in which no whole item is left."""
        return stretch.window(self._max)

    def take(self, stretch: Stretch, batch: BatchPlan, final: bool) -> bool:
        """Plan the next whole items; False when there are none in what is there."""
        size = min(batch.room, self._max, self._wanted(batch.items_left))
        while True:
            window = stretch.window(size)
            if stretch.given_up:
                taken = self._resume(stretch, batch, window, desperate=len(window) == self._max)
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
        if cut.items:
            self._item_bytes = cut.end // cut.items + 1
        return cut.end > 0

    def _wanted(self, items: int | None) -> int:
        """The bytes to look at for so many items, lest each few of them cost a whole window."""
        return self._max if items is None else 2 * self._item_bytes * max(items, 1)

    def _resume(self, stretch: Stretch, batch: BatchPlan, window: bytes, desperate: bool) -> bool:
        """Pass over the rest of an item that was given up."""
        end, found = self.boundaries.resume(window, desperate)
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
        self._pass(stretch, batch, window[:start])

    def give_up(self, stretch: Stretch, batch: BatchPlan, flaw: Flaw, window: bytes) -> None:
        """Quarantine a flawed item and pass over it, to where reading can go on."""
        if flaw.offset:
            self._pass(stretch, batch, window[: flaw.offset])
        more, found = self.boundaries.resume(window[flaw.offset + 1 :], desperate=False)
        bad = 1 + more if found else len(window) - flaw.offset
        self._defect(stretch, batch, Flaw(0, flaw.kind, flaw.reason), bad)
        batch.skip(stretch.take(1 + more, batch.position, skipped=True, given_up=not found))

    def flush(self, stretch: Stretch, batch: BatchPlan) -> None:
        """Plan all that is left of a text that does not go on."""
        while (rest := self.rest(stretch)) and self._flush_rest(stretch, batch, rest):
            while self.take(stretch, batch, final=True):
                batch.check_room()

    def _flush_rest(self, stretch: Stretch, batch: BatchPlan, rest: bytes) -> bool:
        """Plan the rest up to where more items may follow; False when none do."""
        if stretch.given_up:
            end, found = self.boundaries.resume(rest, desperate=True)
            length = end if found else len(rest)
            batch.skip(stretch.take(length, batch.position, skipped=True))
            return found
        flaw = self.boundaries.flaw(rest, stretch.fruitful)
        if flaw is not None and flaw.kind == "truncated":
            self.give_up(stretch, batch, flaw, rest)
            return True
        if flaw is None:
            self._pass(stretch, batch, rest)
        else:
            self._defect(stretch, batch, flaw, len(rest))
            batch.skip(stretch.take(len(rest), batch.position, skipped=True))
        return False

    def _pass(self, stretch: Stretch, batch: BatchPlan, gap: bytes) -> None:
        """Plan a text without items; if it is more than a gap, its parser will complain of it."""
        if self.boundaries.idle(gap):
            batch.skip(stretch.take(len(gap), batch.position, skipped=True))
        else:
            batch.add(stretch.take(len(gap), batch.position), 0)

    def _defect(self, stretch: Stretch, batch: BatchPlan, flaw: Flaw, length: int) -> None:
        feed, offset = stretch.place(flaw.offset)
        position = batch.position + flaw.offset
        kept = min(length - flaw.offset, RAW_BYTES)
        raw = stretch.extents(flaw.offset, kept, position)
        batch.defect(Defect(feed.file.ordinal, offset, position, flaw.kind, flaw.reason, raw))
