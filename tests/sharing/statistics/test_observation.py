"""Statistics from items, and anew from more items."""

from __future__ import annotations

import pytest

from millstream.errors import ItemError
from millstream.generators.photons import generate
from millstream.sharing.statistics import observe, refreshed
from millstream.sharing.statistics.observation import SAMPLE
from tests.languages.streams import DATA, PHOTONS, SKY, SKY_ITEMS


def test_the_size_of_an_item_is_that_of_its_xml() -> None:
    photons = list(generate(300))
    expected = sum(map(len, photons)) / 300
    assert observe(PHOTONS, photons, 3.0).size == pytest.approx(expected)


def test_elements_have_a_size_and_an_occurrence() -> None:
    statistics = observe(SKY, SKY_ITEMS, 1.0)
    observations = statistics.elements[("obs",)]
    assert observations.occurrence == pytest.approx(4 / 3)
    xml = (
        '<obs id="7" by="kit"><flux>1.5</flux><band>r</band></obs>',
        '<obs id="8"><flux>2.5</flux></obs>',
        '<obs id="9"><flux>9</flux><band>g</band></obs>',
        '<obs id="9"><flux>9</flux><band>r</band></obs>',
    )
    assert observations.size == pytest.approx(sum(map(len, xml)) / 4)


def test_the_mean_increment_is_from_item_to_item() -> None:
    items = [f"<b><c>{value}</c></b>" for value in (10, 12, 13, 19)]
    assert observe(DATA, items, 1.0).increments[("c",)] == pytest.approx(3.0)


def test_times_grow_by_seconds() -> None:
    items = [f"<source><name>x</name><seen>2003-11-0{day}</seen></source>" for day in (1, 2, 3)]
    assert observe(SKY, items, 1.0).increments[("seen",)] == pytest.approx(86_400)


def test_broken_items_are_passed_over() -> None:
    statistics = observe(DATA, ["<b><c>1</c></b>", "<b><c>", "<b><c>x</c></b>"], 1.0)
    assert statistics.items == 2


def test_without_items_there_are_no_statistics() -> None:
    with pytest.raises(ItemError, match="no well-formed item"):
        observe(DATA, ["<b>"], 1.0)


def test_a_sample_is_bounded() -> None:
    assert observe(PHOTONS, generate(SAMPLE + 500), 3.0).sample.items == SAMPLE


def test_a_part_that_goes_is_subtracted_once() -> None:
    photons = list(generate(200))
    statistics = observe(PHOTONS, photons, 3.0)
    kept = statistics.size_of({("en",), ("det_time",)})
    coordinates = statistics.elements[("coord",)].size
    channel = statistics.elements[("phc",)].size
    assert kept == pytest.approx(statistics.size - coordinates - channel)


def test_elements_on_the_way_to_what_is_kept_stay() -> None:
    statistics = observe(PHOTONS, generate(200), 3.0)
    declination = statistics.elements[("coord", "cel", "dec")].size
    kept = statistics.size_of({("coord", "cel", "dec")})
    empty = len("<photon><coord><cel></cel></coord></photon>")
    assert kept == pytest.approx(declination + empty)


def test_attributes_go_by_themselves() -> None:
    statistics = observe(SKY, SKY_ITEMS[:1], 1.0)
    paths = {leaf.path for leaf in SKY.leaves()} - {("obs", "@by")}
    assert statistics.size_of(paths) == pytest.approx(statistics.size - len(' by="kit"'))


def test_a_new_rate_changes_nothing_else() -> None:
    statistics = observe(PHOTONS, generate(200), 3.0)
    faster = refreshed(statistics, rate=9.0)
    assert (faster.frequency, faster.size) == (9.0, statistics.size)


def test_new_items_weigh_as_much_as_as_many_old_ones() -> None:
    old = observe(DATA, ["<b><c>1</c></b>"] * 10, 1.0)
    new = refreshed(old, items=["<b><c>111</c><d>x</d></b>"] * 10)
    assert new.size == pytest.approx(
        (len("<b><c>1</c></b>") + len("<b><c>111</c><d>x</d></b>")) / 2
    )
    assert new.elements[("d",)].occurrence == pytest.approx(0.5)


def test_the_newest_items_are_in_the_sample() -> None:
    old = observe(DATA, ["<b><c>1</c></b>"] * SAMPLE, 1.0)
    new = refreshed(old, items=["<b><c>2</c></b>"] * 500)
    values = new.sample.columns[("c",)].values
    assert (len(values), int((values == 2).sum())) == (SAMPLE, 500)
