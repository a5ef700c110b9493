"""The size and frequency of flows before they flow."""

from __future__ import annotations

import math

import pytest

from millstream.generators.photons import generate
from millstream.sharing.properties import flowing, original
from millstream.sharing.statistics import estimate, observe
from tests.languages.streams import PHOTONS
from tests.sharing.photon_properties import items, windows
from tests.sharing.planner.photon_planner import photon_statistics

STATISTICS = photon_statistics()
IN_VELA = "coord/cel/ra >= 120.0 and coord/cel/ra <= 138.0"
"""About a fifth of all photons."""


def test_an_original_stream_flows_as_it_was_observed() -> None:
    found = estimate(original("photons", PHOTONS), STATISTICS)
    assert found.traffic == pytest.approx(STATISTICS.size * STATISTICS.frequency)


def test_a_selection_divides_the_frequency_only() -> None:
    whole, some = items("", "$p"), items("$p/en >= 1.3", "$p")
    selectivity = STATISTICS.sample.share(some.selection.expression())
    found = estimate(some, STATISTICS)
    assert found.size == estimate(whole, STATISTICS).size
    assert found.frequency == pytest.approx(3.0 * selectivity)


def test_a_projection_changes_the_size_only() -> None:
    found = estimate(items("", "$p/en"), STATISTICS)
    energy = STATISTICS.elements[("en",)].size
    assert found.size == pytest.approx(energy + len("<photon></photon>"))
    assert found.frequency == 3.0


def test_estimates_come_close_to_what_flows() -> None:
    photons = list(generate(4000, seed=7))
    statistics = observe(PHOTONS, photons[:2000], 3.0)
    wanted = items("$p/coord/cel/ra >= 120.0 and $p/coord/cel/ra <= 138.0 and $p/en >= 1.0")
    later = observe(PHOTONS, photons[2000:], 3.0)
    expected = later.sample.share(wanted.selection.expression()) * 3.0
    assert estimate(wanted, statistics).frequency == pytest.approx(expected, rel=0.15)


def test_item_windows_come_every_step_items() -> None:
    found = estimate(windows("count 20 step 10", selection=IN_VELA), STATISTICS)
    assert found.frequency == pytest.approx(found.selected / 10)


def test_time_windows_come_every_step_of_the_reference() -> None:
    found = estimate(windows("det_time diff 20 step 10"), STATISTICS)
    assert found.frequency == pytest.approx(3.0 * STATISTICS.increments[("det_time",)] / 10)


def test_a_selection_does_not_slow_time_windows_down() -> None:
    all_photons = estimate(windows("det_time diff 20 step 10"), STATISTICS)
    some = estimate(windows("det_time diff 20 step 10", selection=IN_VELA), STATISTICS)
    assert some.frequency == pytest.approx(all_photons.frequency)


def test_there_are_no_more_windows_than_items_that_lie_in_them() -> None:
    rare = windows("det_time diff 30 step 20", selection="en >= 1000.0")
    found = estimate(rare, STATISTICS)
    assert found.frequency == pytest.approx(math.ceil(30 / 20) * found.selected)


def test_a_filter_lets_some_windows_through() -> None:
    plain = estimate(windows("det_time diff 20 step 10"), STATISTICS)
    filtered = estimate(windows("det_time diff 20 step 10", where="avg($w/en) >= 1.3"), STATISTICS)
    assert 0 < filtered.frequency < plain.frequency


def test_aggregates_are_as_large_as_their_values() -> None:
    small = estimate(windows("det_time diff 20 step 10", "max($w/en)"), STATISTICS)
    large = estimate(windows("det_time diff 2000 step 10", "max($w/en)"), STATISTICS)
    both = estimate(windows("det_time diff 20 step 10", "max($w/en) + min($w/en)"), STATISTICS)
    assert small.size == large.size < both.size < STATISTICS.size


def test_an_average_travels_with_its_parts() -> None:
    highest = estimate(windows("det_time diff 20 step 10", "max($w/en)"), STATISTICS)
    average = estimate(windows("det_time diff 20 step 10", "avg($w/en)"), STATISTICS)
    assert average.size > highest.size


def test_whole_windows_are_as_large_as_the_items_in_them() -> None:
    asked = windows("count 10 step 10", "$w")
    item = estimate(flowing(asked), STATISTICS)
    window = estimate(asked, STATISTICS)
    assert window.size == pytest.approx(10 * item.size + len("<window></window>"))
    assert window.traffic == pytest.approx(item.traffic, rel=0.02)


def test_time_windows_hold_what_comes_in_their_time() -> None:
    asked = windows("det_time diff 60 step 20", "$w")
    item = estimate(flowing(asked), STATISTICS)
    inside = 60 / STATISTICS.increments[("det_time",)]
    assert estimate(asked, STATISTICS).size == pytest.approx(inside * item.size, rel=0.01)
