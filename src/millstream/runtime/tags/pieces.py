"""Where attachments are: ranges of lanes, and single tuples."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from millstream.runtime.tags.lanes import Lane
from millstream.runtime.tags.numbers import NONE, Flags, Integers, ranges


@dataclass(frozen=True, slots=True)
class LanePieces:
    """Attachments, each with a range of one lane."""

    lane: Lane
    attachments: Integers
    low: Integers
    high: Integers

    def where(self, wanted: Flags) -> LanePieces:
        return LanePieces(self.lane, self.attachments[wanted], self.low[wanted], self.high[wanted])

    def spread(self) -> tuple[Integers, Integers]:
        """The attachments and the tuples that they are on, one by one."""
        places, owners = ranges(self.low, self.high)
        return self.attachments[owners], self.lane.indices[places]


@dataclass
class Pieces:
    """All places of some attachments; no attachment is twice on a tuple."""

    lanes: list[LanePieces] = field(default_factory=list)
    _singles: list[tuple[Integers, Integers]] = field(default_factory=list)

    def add(self, lane: Lane, attachments: Integers, low: Integers, high: Integers) -> None:
        """Attachments on ranges of a lane; those of one tuple are singles."""
        long = high - low > 1
        if long.any():
            self.lanes.append(LanePieces(lane, attachments[long], low[long], high[long]))
        short = high - low == 1
        self.add_singles(attachments[short], lane.indices[low[short]])

    def add_singles(self, attachments: Integers, indices: Integers) -> None:
        """Attachments on one tuple each."""
        if len(attachments):
            self._singles.append((attachments, indices))

    def singles(self) -> tuple[Integers, Integers]:
        """The attachments that are on single tuples, and these."""
        if not self._singles:
            return NONE, NONE
        attachments, indices = zip(*self._singles, strict=True)
        return np.concatenate(attachments), np.concatenate(indices)

    def spread(self) -> tuple[Integers, Integers]:
        """All attachments with the tuples that they are on, one by one."""
        found = [self.singles(), *(each.spread() for each in self.lanes)]
        attachments, indices = zip(*found, strict=True)
        return np.concatenate(attachments), np.concatenate(indices)

    def where(self, wanted: Flags) -> Pieces:
        """The pieces of the attachments that are wanted."""
        attachments, indices = self.singles()
        kept = wanted[attachments]
        chosen = Pieces([each.where(wanted[each.attachments]) for each in self.lanes])
        chosen.add_singles(attachments[kept], indices[kept])
        return chosen

    def with_singles(self, attachments: Integers, indices: Integers) -> Pieces:
        """The same ranges, with other single tuples."""
        return Pieces(list(self.lanes), [(attachments, indices)])
