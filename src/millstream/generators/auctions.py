"""Made-up auction sites in the shape of the XMark benchmark, of any size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from millstream.generators.auction_market import Market
from millstream.generators.auction_parts import (
    category,
    closed_auction,
    edge,
    item,
    open_auction,
    person,
)
from millstream.generators.complete_file import complete_file
from millstream.generators.part import Part

Progress = Callable[[int], None]
"""Told how many pieces have been written so far."""

SITE = ("site",)


def document(market: Market) -> Iterator[str]:
    """The text of a site, piece by piece; nothing of it is kept."""
    for piece in site_pieces(market):
        if isinstance(piece, Part):
            yield from piece.text()
        else:
            yield piece


def write(
    path: str | Path,
    factor: float,
    *,
    seed: int = 0,
    gzip: bool = False,
    progress: Progress | None = None,
) -> int:
    """Write a site to a file; how many characters it has."""
    size = 0
    with complete_file(Path(path), gzip=gzip) as file:
        for number, text in enumerate(document(Market(factor, seed))):
            file.write(text.encode("ascii"))
            size += len(text)
            if progress and number % 1_000 == 0:
                progress(number)
    return size


def site_pieces(market: Market) -> Iterator[str | Part]:
    """The text of a site with its parts in between, lists that change included in the text."""
    yield '<?xml version="1.0"?>\n<site>\n<regions>\n'
    for region, numbers in market.region_items.items():
        yield f"<{region}>\n"
        yield from _lines(item(market, number, region) for number in numbers)
        yield f"</{region}>\n"
    yield "</regions>\n<categories>\n"
    yield from _lines(category(market, number) for number in range(market.categories))
    yield "</categories>\n<catgraph>\n"
    yield from _lines(edge(market, number) for number in range(market.categories))
    yield "</catgraph>\n"
    for name, parts in site_lists(market):
        yield f"<{name}>\n"
        yield from _lines(parts)
        yield f"</{name}>\n"
    yield "</site>\n"


def site_lists(market: Market) -> Iterator[tuple[str, Iterator[Part]]]:
    """The lists of a site that grow and shrink, by the name of their element."""
    yield "people", (person(market, number) for number in range(market.people))
    yield "open_auctions", (open_auction(market, number) for number in range(market.open_auctions))
    closed = (closed_auction(market, number) for number in range(market.closed_auctions))
    yield "closed_auctions", closed


def _lines(pieces: Iterable[str | Part]) -> Iterator[str | Part]:
    for piece in pieces:
        yield piece
        yield "\n"
