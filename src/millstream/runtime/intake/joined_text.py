"""The bytes of several extents as one text, and the way back from a byte to its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from millstream.runtime.intake.extents import Extent

Offsets = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class JoinedText:
    """A text put together from extents."""

    data: bytes
    extents: tuple[Extent, ...]
    starts: Offsets
    """Where in the text each extent begins."""

    def positions(self, offsets: Offsets) -> Offsets:
        """The positions in the stream of bytes of the text."""
        bases = np.array([each.base for each in self.extents], np.int64)
        which = np.searchsorted(self.starts, offsets, side="right") - 1
        found: Offsets = bases[which] + offsets - self.starts[which]
        return found

    def place(self, offset: int) -> tuple[Extent, int]:
        """The extent that a byte of the text lies in, and its offset in the file."""
        which = int(np.searchsorted(self.starts, offset, side="right")) - 1
        extent = self.extents[which]
        return extent, extent.start + offset - int(self.starts[which])


def joined_text(parts: Iterable[tuple[Extent, bytes]], lines: bool) -> JoinedText:
    """Extents as one text; where lines are the items, the end of a file ends a line."""
    texts: list[bytes] = []
    extents: list[Extent] = []
    starts: list[int] = []
    length = 0
    for extent, text in parts:
        if lines and texts and not _goes_on(extents[-1], extent) and texts[-1][-1:] != b"\n":
            texts.append(b"\n")
            length += 1
        extents.append(extent)
        starts.append(length)
        texts.append(text)
        length += len(text)
    data = texts[0] if len(texts) == 1 else b"".join(texts)
    return JoinedText(data, tuple(extents), np.array(starts, np.int64))


def _goes_on(before: Extent, after: Extent) -> bool:
    return before.file == after.file and before.end == after.start
