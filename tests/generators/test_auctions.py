"""The made-up auction sites and their histories."""

from __future__ import annotations

import gzip
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from lxml import etree

from millstream.errors import MillstreamError
from millstream.generators.auction_history import moments
from millstream.generators.auction_market import Market
from millstream.generators.auction_structure import (
    AUCTIONS_DTD,
    REGIONS,
    TEMPORAL,
    auction_structure,
)
from millstream.generators.auctions import document, write
from millstream.history.filler_store import Arrival, FillerStore, canonical
from millstream.history.fragmenter import fragment
from millstream.history.quarantine import Quarantine
from millstream.history.temporal_view import snapshot
from millstream.model.reading import read_structure
from millstream.model.tag_structure import TagType
from tests.history.credit import time

SMALL = Market(0.005)
XMARK = Path(__file__).parents[3] / "shared" / "data" / "xmark" / "f0.xml"


@pytest.fixture(scope="module")
def site() -> etree._Element:
    return etree.fromstring("".join(document(SMALL)).encode())


def test_a_site_is_valid_by_its_dtd(site: etree._Element) -> None:
    dtd = etree.DTD(StringIO(AUCTIONS_DTD))
    assert dtd.validate(site), dtd.error_log


@pytest.mark.shared_data
@pytest.mark.skipif(not XMARK.exists(), reason="the benchmark's own document is not here")
def test_the_dtd_describes_the_documents_of_the_benchmark() -> None:
    text = XMARK.read_text().split("?>", 1)[1]
    assert etree.DTD(StringIO(AUCTIONS_DTD)).validate(etree.fromstring(text))


@pytest.mark.shared_data
@pytest.mark.skipif(not XMARK.exists(), reason="the benchmark's own document is not here")
def test_documents_of_the_benchmark_are_cut_and_restored() -> None:
    at = time("2001-01-01")
    quarantine = Quarantine()
    fillers = fragment(XMARK, auction_structure(), valid_time=at, reject=quarantine)
    store = FillerStore(auction_structure(), fillers)
    expected = canonical(XMARK.read_text().split("?>", 1)[1].strip())
    assert (canonical(snapshot(store)), len(quarantine)) == (expected, 0)


def test_counts_follow_the_factor() -> None:
    market = Market(0.05)
    items = [len(numbers) for numbers in market.region_items.values()]
    assert items == [27, 100, 110, 300, 500, 50]
    assert (market.people, market.open_auctions, market.closed_auctions, market.categories) == (
        1275,
        600,
        487,
        50,
    )


def test_the_smallest_site_has_one_of_everything() -> None:
    root = etree.fromstring("".join(document(Market(0))).encode())
    found = Counter(element.tag for element in root.iter())
    assert (found["item"], found["person"], found["open_auction"]) == (len(REGIONS), 1, 1)


def test_every_reference_is_to_something(site: etree._Element) -> None:
    ids = set(site.xpath("//@id"))
    names = ("category", "person", "item", "open_auction", "from", "to")
    used = {value for name in names for value in site.xpath(f"//@{name}")}
    assert used <= ids


def test_every_item_is_auctioned_once(site: etree._Element) -> None:
    counts = Counter(site.xpath("//itemref/@item"))
    assert set(counts.values()) == {1}
    assert set(counts) == set(site.xpath("//item/@id"))


@pytest.mark.parametrize(
    "path",
    [
        "//item[contains(description, 'gold')]",
        "//australia/item",
        "//open_auction[reserve][bidder]",
        "//open_auction[not(bidder)]",
        "//person[homepage]",
        "//person[not(homepage)]",
        "//person/profile[@income > 50000]/interest",
        "//person[not(profile)]",
        "//closed_auction[price >= 40]",
        "//description/parlist/listitem/parlist/listitem/text",
        "//text/emph/keyword",
    ],
)
def test_there_is_something_to_ask_for(site: etree._Element, path: str) -> None:
    assert site.xpath(path)


def test_current_is_initial_and_all_increases(site: etree._Element) -> None:
    for auction in site.iter("open_auction"):
        increases = [float(each) for each in auction.xpath("bidder/increase/text()")]
        initial, current = (float(auction.findtext(name, "")) for name in ("initial", "current"))
        assert abs(initial + sum(increases) - current) < 0.02


def test_equal_seeds_give_equal_sites() -> None:
    one, same, other = ("".join(document(Market(0.001, seed))) for seed in (7, 7, 8))
    assert one == same != other


def test_a_file_holds_the_document(tmp_path: Path) -> None:
    size = write(tmp_path / "a.xml", 0.001)
    write(tmp_path / "a.xml.gz", 0.001, gzip=True)
    expected = "".join(document(Market(0.001))).encode()
    assert ((tmp_path / "a.xml").read_bytes(), size) == (expected, len(expected))
    assert gzip.decompress((tmp_path / "a.xml.gz").read_bytes()) == expected


@pytest.mark.parametrize("factor", [-1.0, 101.0])
def test_impossible_factors_are_refused(factor: float) -> None:
    with pytest.raises(MillstreamError):
        Market(factor)


def test_the_structure_names_what_the_dtd_derives() -> None:
    derived = read_structure(AUCTIONS_DTD, temporal=TEMPORAL)
    for id, tag in auction_structure().tags.items():
        same = derived.at(auction_structure().path(id))
        assert same is not None
        assert same.type is tag.type


def test_every_state_of_a_history_can_be_restored() -> None:
    history = list(moments(Market(0.001), 12))
    fillers = [filler for moment in history for filler in moment.fillers]
    store = FillerStore(auction_structure(), reversed(fillers))
    for moment in history:
        assert canonical(snapshot(store, moment.at)) == canonical(moment.document)
    assert (store.unfilled(), store.unplaced()) == ((), ())
    assert set(store.arrivals) == {Arrival.NEW}


def test_a_history_changes_what_can_change() -> None:
    structure = auction_structure()
    kinds = Counter(
        structure.tag(filler.tsid).name
        for moment in list(moments(Market(0.002), 20))[1:]
        for filler in moment.fillers
    )
    assert set(kinds) == set(TEMPORAL) - {"item", "category"}


def test_a_history_begins_with_the_document() -> None:
    first = next(moments(Market(0.001), 0))
    whole = "".join(document(Market(0.001)))
    assert first.document == whole[whole.index("<site>") :].rstrip("\n")


def test_temporal_names_are_those_of_the_structure() -> None:
    tags = auction_structure().tags.values()
    assert {tag.name for tag in tags if tag.type is TagType.TEMPORAL} == set(TEMPORAL)
