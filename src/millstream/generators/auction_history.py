"""An auction site that changes: bids, prices, profiles, and auctions that open and close."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

from millstream.generators.auction_market import Market
from millstream.generators.auction_parts import (
    bidder,
    closed_auction,
    current,
    open_auction,
    person,
    profile,
)
from millstream.generators.auction_structure import auction_structure
from millstream.generators.auctions import SITE, site_lists, site_pieces
from millstream.generators.part import Part, Sender
from millstream.model.filler import Filler

START = datetime(2001, 1, 1, tzinfo=UTC)
STEP = timedelta(hours=1)
CHANGES = 8


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant at which a site changed: the fillers that say so, and the whole document."""

    at: datetime
    fillers: tuple[Filler, ...]
    document: str


def moments(
    market: Market,
    count: int,
    *,
    start: datetime = START,
    step: timedelta = STEP,
    changes: int = CHANGES,
) -> Iterator[Moment]:
    """A site as it is at first, and then at so many instants, some changes at each."""
    site = _Site(market)
    yield Moment(start, tuple(site.send_all(start)), site.document())
    for number in range(1, count + 1):
        at = start + number * step
        random = market.random("moment", number)
        fillers = tuple(site.change(random, changes, at))
        yield Moment(at, fillers, site.document())


class _Site:
    """A site in memory, in parts."""

    def __init__(self, market: Market) -> None:
        self._market = market
        self._sender = Sender(auction_structure())
        self._lists = {
            name: Part((*SITE, name), [f"<{name}>\n", *_lines(parts), f"</{name}>"])
            for name, parts in site_lists(market)
        }
        self._root = Part(SITE, _with_lists(market, self._lists))
        self._opened = market.open_auctions
        self._closed = market.closed_auctions
        self._registered = market.people

    def document(self) -> str:
        return "".join(self._root.text())

    def send_all(self, at: datetime) -> Iterator[Filler]:
        return self._sender.send(self._root, at)

    def change(self, random: Random, count: int, at: datetime) -> Iterator[Filler]:
        """The fillers of some changes; what changed twice is sent once."""
        kinds: tuple[Callable[[Random], list[Part]], ...] = (
            self._bid,
            self._bid,
            self._bid,
            self._edit_profile,
            self._edit_profile,
            self._close,
            self._open,
            self._register,
        )
        changed: dict[Part, None] = {}
        for _ in range(count):
            changed.update(dict.fromkeys(random.choice(kinds)(random)))
        # What is new goes with the part that it stands in.
        for part in [each for each in changed if each.id is not None]:
            yield from self._sender.send(part, at)

    def _bid(self, random: Random) -> list[Part]:
        auctions = list(self._lists["open_auctions"].inner())
        if not auctions:
            return []
        auction = random.choice(auctions)
        price = _price_part(auction)
        increase = 1.5 * random.randint(1, 20)
        place = auction.content.index(price)
        auction.content[place:place] = [bidder(self._market, random, increase), "\n"]
        price.content = current(_price(auction) + increase).content
        return [auction, price]

    def _edit_profile(self, random: Random) -> list[Part]:
        chosen = random.choice(list(self._lists["people"].inner()))
        mine = next(chosen.inner(), None)
        new = profile(self._market, random)
        if mine is None:
            chosen.content[1:1] = [new, "\n"]
            return [chosen]
        if random.random() < 0.1:
            place = chosen.content.index(mine)
            del chosen.content[place : place + 2]
            return [chosen]
        mine.content = new.content
        return [mine]

    def _close(self, random: Random) -> list[Part]:
        opened, closed = self._lists["open_auctions"], self._lists["closed_auctions"]
        auctions = list(opened.inner())
        if not auctions:
            return []
        auction = random.choice(auctions)
        place = opened.content.index(auction)
        del opened.content[place : place + 2]
        over = closed_auction(
            self._market, self._closed, item_number=_item(auction), price=_price(auction)
        )
        self._closed += 1
        closed.content[-1:-1] = [over, "\n"]
        return [opened, closed]

    def _open(self, random: Random) -> list[Part]:
        auctions = self._lists["open_auctions"]
        number = random.randrange(self._market.items)
        new = open_auction(self._market, self._opened, item_number=number)
        self._opened += 1
        auctions.content[-1:-1] = [new, "\n"]
        return [auctions]

    def _register(self, random: Random) -> list[Part]:
        people = self._lists["people"]
        people.content[-1:-1] = [person(self._market, self._registered), "\n"]
        self._registered += 1
        return [people]


def _lines(parts: Iterator[Part]) -> Iterator[str | Part]:
    for part in parts:
        yield part
        yield "\n"


def _with_lists(market: Market, lists: dict[str, Part]) -> list[str | Part]:
    """The content of the root, with each list that changes as one part."""
    pieces = iter(site_pieces(market))
    content: list[str | Part] = []
    for piece in pieces:
        name = piece.strip().strip("<>") if isinstance(piece, str) else ""
        if name not in lists:
            content.append(piece)
            continue
        while next(pieces) != f"</{name}>\n":
            pass
        content += [lists[name], "\n"]
    # A filler holds the element alone: neither a declaration before it nor a line end after it.
    first, last = content[0], content[-1]
    assert isinstance(first, str) and isinstance(last, str)
    return [first[first.index("<site>") :], *content[1:-1], last.rstrip("\n")]


def _price_part(auction: Part) -> Part:
    return next(part for part in auction.inner() if part.path[-1] == "current")


def _price(auction: Part) -> float:
    text = "".join(_price_part(auction).text())
    return float(text.removeprefix("<current>").removesuffix("</current>"))


def _item(auction: Part) -> int:
    text = "".join(piece for piece in auction.content if isinstance(piece, str))
    return int(text.split('<itemref item="item')[1].split('"')[0])
