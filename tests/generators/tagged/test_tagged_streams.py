"""Patients, auctions and emotions, and the files they are written to."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import pytest

from millstream.errors import MillstreamError
from millstream.generators.tagged.auctions import (
    AUCTION,
    OPINIONS,
    AuctionHouse,
    auction_offers,
    offer_with_opinions,
)
from millstream.generators.tagged.emotions import RANKED_EMOTIONS, Moods, tag_with_emotions
from millstream.generators.tagged.moving_objects import MOVING_OBJECTS, moving_objects
from millstream.generators.tagged.patients import PATIENTS, Ward, patient_measurements
from millstream.generators.tagged.writing import write_tagged
from millstream.model.tags import (
    Element,
    Granularity,
    Placed,
    StreamShape,
    StreamTuple,
    TickTag,
    check_tag,
    emotions,
    place,
)
from millstream.model.tags.wire import WireOptions, read_json_lines, read_xml
from millstream.testing.tags import resolve

EMOTIONAL = list(tag_with_emotions(moving_objects(20_000), Moods(share=0.3)))


def tags_of(elements: list[Element]) -> list[TickTag]:
    return [each for each in elements if isinstance(each, TickTag)]


def test_emotions_are_on_a_share_of_tuples() -> None:
    tags = tags_of(EMOTIONAL)
    assert len(tags) / 20_000 == pytest.approx(0.3, abs=0.02)
    assert {tag.granularities for tag in tags} == {(Granularity.TUPLE,)}


def test_emotions_follow_a_zipf_distribution() -> None:
    counts = Counter(tag.content for tag in tags_of(EMOTIONAL))
    assert counts["happy"] / counts["sad"] == pytest.approx(2, rel=0.15)
    assert counts["happy"] / counts["angry"] == pytest.approx(5, rel=0.25)


def test_ranked_emotions_are_those_of_the_thesaurus() -> None:
    assert set(RANKED_EMOTIONS) == set(emotions().words()) - {"neutral"}


def test_no_emotions_leave_the_stream_as_it_is() -> None:
    plain = list(moving_objects(100))
    assert list(tag_with_emotions(plain, Moods(share=0))) == plain


def test_an_offer_has_the_opinions_of_the_figure() -> None:
    (offer,) = resolve(place(offer_with_opinions()), AUCTION)
    found = Counter((mark.attribute, mark.tag.tag.sign.value) for mark in offer.marks)
    expected = {
        (attribute, sign): count
        for attribute, counts in OPINIONS.items()
        for sign, count in zip("+-", counts, strict=True)
        if count
    }
    assert found == expected
    assert len(offer.tags) == 78


def test_offers_are_made_in_time() -> None:
    offers = [each for each in auction_offers(50) if isinstance(each, StreamTuple)]
    assert len(offers) == 50
    assert list(auction_offers(50)) == list(auction_offers(50))
    assert [each.time for each in offers] == sorted(each.time for each in offers)


def test_patients_say_why_their_heart_beats() -> None:
    elements = list(patient_measurements(20_000, Ward(patients=5)))
    marked = resolve(place(elements[:2_000]), PATIENTS)
    running = [each for each in marked if any(tag.tag.content == "Running" for tag in each.tags)]
    assert running
    assert all(tag.tag.tagger == each.element.texts[0] for each in running for tag in each.tags)
    rates = [int(each.texts[1] or 0) for each in elements if isinstance(each, StreamTuple)]
    assert 40 < min(rates) < 80 < max(rates) < 180


def test_silent_ward_has_no_tags() -> None:
    assert not tags_of(list(patient_measurements(5_000, Ward(tags=False))))


STREAMS = [
    (MOVING_OBJECTS, EMOTIONAL[:500]),
    (PATIENTS, list(patient_measurements(500))),
    (AUCTION, list(auction_offers(20))),
]


@pytest.mark.parametrize(("shape", "elements"), STREAMS, ids=lambda each: getattr(each, "name", ""))
def test_files_are_read_again(shape: StreamShape, elements: list[Element], tmp_path: Path) -> None:
    for tag in tags_of(elements):
        check_tag(tag, shape)
    expected = [Placed(position, each) for position, each in enumerate(elements)]
    assert write_tagged(tmp_path / "a.jsonl", elements, shape) == len(elements)
    lines = (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()
    assert list(read_json_lines(lines, WireOptions(shape))) == expected
    write_tagged(tmp_path / "a.xml.gz", elements, shape, gzip=True)
    text = gzip.decompress((tmp_path / "a.xml.gz").read_bytes()).decode("utf-8")
    assert list(read_xml(text, WireOptions(shape))) == expected


@pytest.mark.parametrize(
    "make",
    [
        lambda: Moods(share=2),
        lambda: Ward(patients=0),
        lambda: AuctionHouse(opinions=-1),
    ],
)
def test_senseless_options_are_refused(make: object) -> None:
    with pytest.raises(MillstreamError):
        make()  # type: ignore[operator]
