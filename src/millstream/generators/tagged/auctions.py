"""Items for sale, and what people think of every part of an offer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from millstream.errors import MillstreamError
from millstream.model.schema import ValueType
from millstream.model.tags import (
    Element,
    Sign,
    StreamAttribute,
    StreamShape,
    StreamTuple,
    TickTag,
    TimeForm,
    on_attributes,
    tick_tag,
)
from millstream.model.tags.duration import SECOND
from millstream.model.tags.event_time import format_time, parse_time

AUCTION = StreamShape(
    "Auction",
    (
        StreamAttribute("seller", ValueType.INTEGER),
        StreamAttribute("product"),
        StreamAttribute("product_features"),
        StreamAttribute("start_price", ValueType.DECIMAL),
        StreamAttribute("time", ValueType.TIME),
    ),
    TimeForm.INSTANT,
)

OPINIONS = {
    "seller": (8, 2),
    "product": (3, 0),
    "product_features": (16, 4),
    "start_price": (1, 39),
    "time": (0, 5),
}
"""For each attribute, how many tags are positive and how many negative."""

_START = parse_time("2009-03-24T03:00:00", TimeForm.INSTANT)
_PRODUCTS = (
    ("Cell Phone G12", "Motorolla, Touch screen"),
    ("Camera D60", "Nikon, 10 megapixels"),
    ("Notebook X61", "IBM, 12 inch"),
    ("Music Player N5", "Sony, 16 GB"),
)
_WORDS = {
    Sign.POSITIVE: ("great", "good value", "recommended", "nice", "trustworthy"),
    Sign.NEGATIVE: ("too expensive", "bad timing", "poor", "overpriced", "avoid"),
}


@dataclass(frozen=True, slots=True)
class AuctionHouse:
    """Who offers what: equal houses give equal offers."""

    seed: int = 0
    sellers: int = 200
    opinions: float = 0.1
    """The share of the usual opinions that are voiced."""
    interval: float = 30.0
    """Seconds from one offer to the next."""

    def __post_init__(self) -> None:
        if not 0 <= self.opinions <= 1 or self.sellers < 1 or not self.interval > 0:
            raise MillstreamError("a house has sellers, an interval, and opinions from 0 to 1")


def offer_with_opinions() -> tuple[Element, ...]:
    """One offer with all its 78 tags before it: 10, 3, 20, 40 and 5 on its attributes."""
    offer = _offer(1, 145, 0, "100.00", _START)
    return (*_tags(offer, 1.0, Random("one offer")), offer)


def auction_offers(count: int, house: AuctionHouse | None = None) -> Iterator[Element]:
    """So many offers of a house, each after the tags on it."""
    chosen = house or AuctionHouse()
    random = Random(f"auctions {chosen.seed}")
    for number in range(1, count + 1):
        seller = random.randint(1, chosen.sellers)
        price = f"{random.lognormvariate(4, 1):.2f}"
        time = _START + round((number - 1) * chosen.interval * SECOND)
        offer = _offer(number, seller, random.randrange(len(_PRODUCTS)), price, time)
        yield from _tags(offer, chosen.opinions, random)
        yield offer


def _offer(number: int, seller: int, product: int, price: str, time: int) -> StreamTuple:
    name, features = _PRODUCTS[product]
    shown = format_time(time, TimeForm.INSTANT)
    return StreamTuple(str(number), time, (str(seller), name, features, price, shown))


def _tags(offer: StreamTuple, share: float, random: Random) -> Iterator[TickTag]:
    for attribute, counts in OPINIONS.items():
        for sign, count in zip((Sign.POSITIVE, Sign.NEGATIVE), counts, strict=True):
            for _ in range(count):
                if random.random() < share:
                    yield _tag(attribute, sign, offer.time, random)


def _tag(attribute: str, sign: Sign, time: int, random: Random) -> TickTag:
    return tick_tag(
        random.choice(_WORDS[sign]),
        tagger=f"bidder{random.randrange(1_000)}",
        timestamp=time,
        applicability=on_attributes(attribute),
        sign=sign,
    )
