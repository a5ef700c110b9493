"""What the looks at a source brought: files that are new, grown, replaced or gone."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from millstream.runtime.intake.extents import CLOSED, Mark, SourceFile
from millstream.runtime.intake.feed import UNSEEN, Feed
from millstream.runtime.intake.files import Found, files_at
from millstream.runtime.intake.journal import Journal
from millstream.runtime.intake.listing import AUTO, Look, format_of, is_refused

_MARKED_BYTES = 64


@dataclass(frozen=True, slots=True)
class Loss:
    """A file of which something will never be read."""

    feed: Feed
    kind: str
    reason: str


class Arrivals:
    """The files of a source, in order of discovery."""

    def __init__(self, journal: Journal, format: str, inbox: str = "") -> None:
        """What lies in the inbox is whole, and tells nothing of the files of the source."""
        self._journal = journal
        self._format = format
        self._inbox = f"{inbox.rstrip('/')}/" if inbox else ""
        self._looks = 0
        self._last: Look | None = None
        self._by_path: dict[str, Feed] = {}
        self._newest: Feed | None = None
        self._next = 1 + max(journal.files, default=-1)
        self.active: dict[int, Feed] = {}
        """The files that may have something to be planned, by ordinal."""
        self.losses: list[Loss] = []
        for file in journal.files.values():
            self._resume(file)

    def _resume(self, file: SourceFile) -> None:
        feed = Feed(file, self._looks)
        feed.resume(self._journal.progress[file.ordinal])
        if feed.finished != CLOSED:
            self._by_path[file.path] = feed

    def notice(self, look: Look) -> bool:
        """Compare a look with the one before; False when nothing has changed."""
        if look == self._last:
            return False
        self._last = look
        self._looks += 1
        new = [
            self._begin(found)
            for found in look.files
            if found.path not in self._by_path or not self._goes_on(found)
        ]
        self._journal.record_files(feed.file for feed in new)
        unseen = self._by_path.keys() - {found.path for found in look.files}
        self._close([self._by_path[path] for path in unseen if look.is_gone(path)])
        return True

    def sealed(self, feed: Feed) -> bool:
        """True when a later file shows that this one is not being written any more."""
        newest = self._newest
        if self._given(feed.file.path):
            return True
        if newest is None or newest.file.ordinal <= feed.file.ordinal:
            return False
        return newest.found >= feed.grown

    def finish(self, feed: Feed) -> None:
        """Nothing is left of a file, unless it grows."""
        feed.finished = feed.size
        feed.content = None
        self.active.pop(feed.file.ordinal, None)

    def mark(self, ordinal: int, offset: int) -> Mark | None:
        """Mark how far a file of text was planned, to know it again when it grows."""
        feed = self._by_path.get(self._journal.files[ordinal].path)
        if feed is None or feed.file.ordinal != ordinal or not feed.text:
            return None
        feed.mark = mark_before(feed.file.path, ordinal, offset)
        return feed.mark

    def lose(self, feed: Feed, reason: str) -> bool:
        """Give up a file that is not there any more; False when its whole directory is away."""
        directory = feed.file.path.rpartition("/")[0]
        if not files_at(directory).is_directory(directory):
            return False
        self._last = None
        self._lost(feed)
        self.losses.append(Loss(feed, "disappeared", reason))
        return True

    def waiting(self) -> list[Feed]:
        """The files that may have something to be planned, in order; those of the inbox last."""
        waiting = [self.active[ordinal] for ordinal in sorted(self.active)]
        # A document may go on from one file of the source to the next: nothing comes between.
        return sorted(waiting, key=lambda each: self._given(each.file.path))

    def _given(self, path: str) -> bool:
        return bool(self._inbox) and path.startswith(self._inbox)

    def _begin(self, found: Found) -> Feed:
        by_name = self._format == AUTO or self._given(found.path) or is_refused(found.path)
        told = format_of(found.path) if by_name else self._format
        feed = Feed(SourceFile(self._next, found.path, told or ""), self._looks, found.size)
        self._next += 1
        self._by_path[found.path] = feed
        if feed.size:
            self._activate(feed)
        return feed

    def _goes_on(self, found: Found) -> bool:
        """Take note of a known file; False when it holds other content now."""
        feed = self._by_path[found.path]
        if feed.size == found.size:
            return True
        if feed.finished == found.size:
            feed.size = found.size  # the first look of this run finds nothing new
            self._consider(feed)
            return True
        if feed.size != UNSEEN and feed.finished is not None and not feed.consumed:
            return False  # what could not be read is other content now
        reason = _replacement(feed, found)
        if reason:
            self._lost(feed)
            self.losses.append(Loss(feed, "replaced", reason))
            return False
        feed.grow(found.size, self._looks)
        self._activate(feed)
        return True

    def _activate(self, feed: Feed) -> None:
        self.active[feed.file.ordinal] = feed
        self._consider(feed)

    def _consider(self, feed: Feed) -> None:
        newest = self._newest
        if self._given(feed.file.path):
            return
        if feed.size > 0 and (newest is None or newest.file.ordinal < feed.file.ordinal):
            self._newest = feed

    def _lost(self, feed: Feed) -> None:
        self.active.pop(feed.file.ordinal, None)
        del self._by_path[feed.file.path]
        if self._newest is feed:
            self._newest = None
            for each in self._by_path.values():
                self._consider(each)

    def _close(self, gone: list[Feed]) -> None:
        for feed in gone:
            self._lost(feed)
            if _missed(feed):
                self.losses.append(Loss(feed, "disappeared", feed.disappeared()))
        silent = (feed.file.ordinal for feed in gone if not _missed(feed))
        self._journal.record_closed(silent)


def mark_before(path: str, ordinal: int, offset: int) -> Mark | None:
    """The mark of a file at an offset, or None when it cannot be read."""
    start = max(0, offset - _MARKED_BYTES)
    try:
        data = files_at(path).read(path, start, offset - start)
    except OSError:
        return None
    return Mark(ordinal, offset, zlib.crc32(data))


def _replacement(feed: Feed, found: Found) -> str:
    """Why a file of another size is not the same file any more, or empty."""
    again = "; it is read from its beginning"
    if found.size < max(feed.size, feed.mark.offset if feed.mark else 0):
        before = max(feed.size, feed.mark.offset if feed.mark else 0)
        return f"the file was replaced by shorter content, {found.size} bytes for {before}{again}"
    if feed.mark is not None:
        mark = mark_before(found.path, feed.file.ordinal, feed.mark.offset)
        if mark is not None and mark != feed.mark:
            return f"the file was replaced by other content{again}"
    return ""


def _missed(feed: Feed) -> bool:
    """True when something was still to be read from a file that is gone."""
    return feed.finished is None and feed.size != 0 and not feed.idle
