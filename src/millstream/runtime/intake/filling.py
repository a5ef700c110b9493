"""A batch is filled from the files that wait, in order of their discovery."""

from __future__ import annotations

from dataclasses import replace

from millstream.runtime.intake.arrivals import Arrivals
from millstream.runtime.intake.batch_plan import BatchFull, BatchPlan
from millstream.runtime.intake.extents import CLOSED, Defect, Extent, SourceFile
from millstream.runtime.intake.feed import Feed, Vanished
from millstream.runtime.intake.line_boundaries import LineBoundaries, RecordBoundaries
from millstream.runtime.intake.listing import REFUSED
from millstream.runtime.intake.opening import Opener
from millstream.runtime.intake.spec import IntakeSpec
from millstream.runtime.intake.stretch import Stretch
from millstream.runtime.intake.text_planning import TextPlanner
from millstream.runtime.intake.xml_boundaries import XmlBoundaries
from millstream.runtime.tags.intake import json_parser, xml_parser

_HEAD_BYTES = 256
_PROLOG_BYTES = 1 << 16
_UNREADABLE_BYTES = 4096
"""What quarantine keeps of a file that is not what it should be."""


class Filler:
    """Takes what can be planned from waiting files."""

    def __init__(self, spec: IntakeSpec, arrivals: Arrivals, opener: Opener) -> None:
        self._arrivals = arrivals
        self._opener = opener
        self._xml = XmlBoundaries(spec.schema, xml_parser.BESIDE if spec.tagged else ())
        lines = LineBoundaries(json_parser.BESIDE if spec.tagged else None)
        self._texts = {
            "xml": TextPlanner(self._xml, spec.max_item_bytes),
            "json": TextPlanner(lines, spec.max_item_bytes),
            "csv": TextPlanner(RecordBoundaries(), spec.max_item_bytes),
            REFUSED: TextPlanner(LineBoundaries(), spec.max_item_bytes),
        }
        self._root_tag = ""
        """The start tag around the items, as far as it declares namespaces."""
        self.opened: list[SourceFile] = []
        """Files of which more is known since they were opened."""

    def fill(self, batch: BatchPlan, ended: bool) -> bool:
        """Plan into a batch; False when it was full before everything was planned."""
        while True:
            try:
                self._fill(batch, ended)
                return True
            except BatchFull:
                return False
            except Vanished as vanished:
                if not self._arrivals.lose(vanished.feed, vanished.reason):
                    return True

    def _fill(self, batch: BatchPlan, ended: bool) -> None:
        self._report_losses(batch)
        stretch: Stretch | None = None
        for feed in self._arrivals.waiting():
            batch.check_room()
            stretch = self._plan(stretch, feed, batch, ended or self._arrivals.sealed(feed))
        if stretch is not None:
            self._close(stretch, batch)

    def _plan(
        self, stretch: Stretch | None, feed: Feed, batch: BatchPlan, final: bool
    ) -> Stretch | None:
        """Plan what a file brings to the text before it; the text that may go on in the next."""
        problem = self._open(feed, final)
        goes_on = self._goes_on(stretch, feed, final)
        if goes_on is None or not (feed.content or problem):
            return None  # too short to tell: it waits, and so does what is before it
        if stretch is not None and not goes_on:
            self._close(stretch, batch)
            stretch = None
        if problem:
            self._refuse(feed, batch, problem)
            return None
        if not feed.text:
            self._take_rows(feed, batch)
            return None
        stretch = self._joined(stretch, feed, batch)
        self._exhaust(stretch, batch, final)
        return self._settled(stretch, batch, final)

    def _report_losses(self, batch: BatchPlan) -> None:
        for loss in self._arrivals.losses:
            ordinal, offset = loss.feed.file.ordinal, loss.feed.consumed
            batch.defect(Defect(ordinal, offset, batch.position, loss.kind, loss.reason))
            batch.finish(ordinal, CLOSED)
        self._arrivals.losses.clear()

    def _open(self, feed: Feed, final: bool) -> str:
        """Open a file that is not open yet; the reason if it cannot be read."""
        if feed.content is not None:
            return ""
        opened = self._opener.open(feed, final)
        feed.content, feed.preface = opened.content, opened.preface
        known, feed.file = feed.file, opened.file
        if feed.content is not None and feed.file.format == "xml":
            feed.file = replace(feed.file, header=self._namespaces(feed))
        if feed.file != known:
            self.opened.append(feed.file)
        return opened.problem

    def _namespaces(self, feed: Feed) -> str:
        """The start tag that declares the prefixes of a file's items; it may be in another file."""
        if feed.file.header or feed.consumed:
            self._root_tag = feed.file.header
            return feed.file.header
        head = feed.window(_PROLOG_BYTES)
        if self._xml.begins_document(head):
            self._root_tag = self._xml.declaring_tag(head)
        return self._root_tag

    def _goes_on(self, stretch: Stretch | None, feed: Feed, final: bool) -> bool | None:
        """True when a text goes on in the next file; None when that cannot be told yet."""
        if stretch is None or feed.content is None or stretch.last.file.format != "xml":
            return False
        rest = self._texts["xml"].rest(stretch)
        alone = feed.consumed > 0 or feed.content.document or feed.file.format != "xml"
        if alone or not rest.strip() or self._xml.closes_document(rest):
            return False
        head = feed.window(_HEAD_BYTES)
        begins = self._xml.begins_document(head)
        if begins is None and not final:
            return None
        return not begins and not self._xml.breaks_item(rest, head)

    def _joined(self, stretch: Stretch | None, feed: Feed, batch: BatchPlan) -> Stretch:
        if stretch is not None:
            stretch.append(feed)
            return stretch
        stretch = Stretch(feed)
        if feed.preface > feed.consumed:
            length = feed.preface - feed.consumed
            batch.skip(stretch.take(length, batch.position, skipped=True))
        return stretch

    def _exhaust(self, stretch: Stretch, batch: BatchPlan, final: bool) -> None:
        """Plan all whole items of a text."""
        text = self._texts[stretch.last.file.format]
        while text.take(stretch, batch, final):
            for feed in stretch.spent():
                self._finish(feed, batch)
            batch.check_room()

    def _settled(self, stretch: Stretch, batch: BatchPlan, final: bool) -> Stretch | None:
        """The text, if what is left of it may go on in the next file."""
        feed = stretch.last
        problem = feed.content.problem(final) if feed.content else ""
        if problem:
            self._close(stretch, batch)
            ordinal, offset = feed.file.ordinal, feed.consumed
            batch.defect(Defect(ordinal, offset, batch.position, "unreadable", problem))
            return None
        if final:
            return stretch
        text = self._texts[feed.file.format]
        feed.idle = text.boundaries.idle(text.rest(stretch))
        return None

    def _close(self, stretch: Stretch, batch: BatchPlan) -> None:
        """Plan the rest of a text that does not go on."""
        self._texts[stretch.last.file.format].flush(stretch, batch)
        for feed in stretch.feeds:
            self._finish(feed, batch)

    def _take_rows(self, feed: Feed, batch: BatchPlan) -> None:
        content = feed.content
        assert content is not None, "a file is opened before it is planned"
        while feed.consumed < content.available:
            batch.check_room()
            rows = max(1, int(batch.room / max(content.unit_bytes, 1)))
            rows = min(rows, content.available - feed.consumed, batch.items_left or rows)
            extents = tuple(feed.extents(feed.consumed, rows, batch.position))
            feed.consumed += rows
            batch.add(extents, rows, int(rows * content.unit_bytes))
        self._finish(feed, batch)

    def _refuse(self, feed: Feed, batch: BatchPlan, problem: str) -> None:
        ordinal, position = feed.file.ordinal, batch.position
        raw = (Extent(ordinal, 0, min(feed.size, _UNREADABLE_BYTES), position),)
        batch.defect(Defect(ordinal, 0, position, "unreadable", problem, raw))
        self._finish(feed, batch)

    def _finish(self, feed: Feed, batch: BatchPlan) -> None:
        if feed.content is not None and feed.content.note:
            ordinal, offset = feed.file.ordinal, feed.consumed
            batch.defect(Defect(ordinal, offset, batch.position, "encoding", feed.content.note))
        batch.finish(feed.file.ordinal, feed.size)
        self._arrivals.finish(feed)
