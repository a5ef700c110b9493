"""What it costs to find the channels that may want an item, in nanoseconds, as measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
Bits = tuple[int, ...]
"""For each dimension of a level of a grid, how many bits number its cells."""

PAIR = 9.0
"""To try the predicate of a channel on an item, one after the other."""
PROBE = 50.0
"""To compute a cell or key of an item and look it up."""
CANDIDATE = 110.0
"""To try the predicate of a channel that was looked up."""
ROW = 3_000.0
"""To send one row of the table that is looked up to where the items are."""
GRID = 30_000_000.0
"""To send the levels of a grid as well, and to plan a join more."""


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of a step over so many items."""

    items: int
    share: float = 1.0
    """Of the channels, those that the keys of an item leave, on average."""
    weight: float = 1.0
    """How many channels each one stands for."""

    def scaled(self, weight: float) -> Costs:
        """The costs where each channel stands for so many."""
        return replace(self, weight=weight)

    def nested_loop(self, channels: int) -> float:
        """Every item is tried with every channel."""
        return channels * (self.items * PAIR + ROW)

    def hash_join(self, channels: int) -> float:
        """Every item is tried with the channels that have its keys."""
        tried = channels * self.share
        return self.items * (PROBE + CANDIDATE * tried) + channels * ROW

    def least_grid(self, channels: int) -> float:
        """What no grid costs less than."""
        return self.items * PROBE + channels * ROW + GRID

    def of_boxes(self, widths: Numbers, levels: Sequence[Bits]) -> Numbers:
        """For each box and each level what it costs to have it there.

        Boxes are given by the share of the grid that they cover in each dimension.
        """
        cells = 2.0 ** np.array(levels)
        covered = np.minimum(cells, widths[:, np.newaxis, :] * cells + 1.0)
        met = np.prod(covered / cells, axis=2)
        tried = self.items * self.share * CANDIDATE * met
        cost: Numbers = tried + ROW * np.prod(covered, axis=2)
        return cost

    def of_levels(self, widths: Numbers, levels: Sequence[Bits]) -> float:
        """What a grid of these levels costs, each box being where it costs least."""
        boxes = float(self.of_boxes(widths, levels).min(axis=1).sum())
        return self.weight * boxes + self.items * PROBE * len(levels) + GRID

    def with_one_more(
        self, widths: Numbers, levels: Sequence[Bits], candidates: Sequence[Bits]
    ) -> Numbers:
        """What the boxes of a grid cost if it has one level more, for each candidate."""
        cost = self.of_boxes(widths, candidates)
        if levels:
            others = self.of_boxes(widths, levels).min(axis=1, keepdims=True)
            cost = np.minimum(cost, others)
        total: Numbers = cost.sum(axis=0)
        return total
