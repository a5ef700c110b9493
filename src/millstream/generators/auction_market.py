"""The size of an auction site: how many items, people and auctions it has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import gcd
from random import Random

from millstream.errors import MillstreamError
from millstream.generators.auction_structure import REGIONS

_ITEMS = {
    "africa": 550,
    "asia": 2_000,
    "australia": 2_200,
    "europe": 6_000,
    "namerica": 10_000,
    "samerica": 1_000,
}


@dataclass(frozen=True)
class Market:
    """How many of everything a site of some factor has, and the seed of what they are."""

    factor: float
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.factor <= 100:
            raise MillstreamError("the factor of a document lies between 0 and 100")

    def count(self, at_factor_one: int) -> int:
        return max(1, int(at_factor_one * self.factor))

    @cached_property
    def region_items(self) -> dict[str, range]:
        """The numbers of the items of each region."""
        ranges, first = {}, 0
        for region in REGIONS:
            last = first + self.count(_ITEMS[region])
            ranges[region], first = range(first, last), last
        return ranges

    @cached_property
    def items(self) -> int:
        return sum(map(len, self.region_items.values()))

    @property
    def categories(self) -> int:
        return self.count(1_000)

    @property
    def people(self) -> int:
        return self.count(25_500)

    @property
    def open_auctions(self) -> int:
        return self.count(12_000)

    @property
    def closed_auctions(self) -> int:
        return max(1, self.items - self.open_auctions)

    def random(self, kind: str, number: int) -> Random:
        """The chance that makes one thing what it is."""
        return Random(f"{self.seed}/{kind}/{number}")

    def auctioned_item(self, auction: int) -> int:
        """The item of an auction; open ones come before closed ones, and each has its own."""
        return auction * self._stride % self.items

    @cached_property
    def _stride(self) -> int:
        # Without a common divisor, multiples of it reach every item once.
        strides = range(7 * self.items // 10 + 1, 0, -1)
        return next(stride for stride in strides if gcd(stride, self.items) == 1)
