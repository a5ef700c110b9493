"""Matches that were found before: equal content is matched once, wherever it flows."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from millstream.sharing.matching import Match, match
from millstream.sharing.planner.variants import Variant, counts_items
from millstream.sharing.properties import Input

MOST_INPUTS = 4096
"""Inputs whose matches are kept; the one not asked for longest goes first."""

Counted = Callable[[str], int | None]
"""How many items the item windows of a flow have counted so far; None if that is not known."""


class MatchCache:
    """The match of an input with a variant of its stream."""

    def __init__(self, counted: Counted) -> None:
        self._counted = counted
        self._known: OrderedDict[Input, dict[int, Match]] = OrderedDict()
        self.computed = 0
        """Matches that were not known before."""

    def matches(self, wanted: Input) -> Matches:
        """All matches of one input."""
        if wanted in self._known:
            self._known.move_to_end(wanted)
        elif len(self._known) >= MOST_INPUTS:
            self._known.popitem(last=False)
        return Matches(self, wanted, self._known.setdefault(wanted, {}))

    def compute(self, wanted: Input, variant: Variant, *, explain: bool = False) -> Match:
        self.computed += 1
        offset = None
        if counts_items(variant.content):
            offset = self._counted(variant.key.counting_since)
        return match(wanted, variant.content, offset=offset, explain=explain)


class Matches:
    """The matches of one input, found when they are asked for."""

    def __init__(self, cache: MatchCache, wanted: Input, known: dict[int, Match]) -> None:
        self._cache = cache
        self._wanted = wanted
        self._known = known

    def with_variant(self, variant: Variant) -> Match:
        """Whether and how a variant serves the input."""
        found = self._known.get(variant.number)
        if found is None:
            found = self._cache.compute(self._wanted, variant)
            # Item windows go on counting: what fits now may not fit later.
            if not counts_items(variant.content):
                self._known[variant.number] = found
        return found

    def explained(self, variant: Variant) -> Match:
        """The same with every condition, not only the first that fails."""
        return self._cache.compute(self._wanted, variant, explain=True)
