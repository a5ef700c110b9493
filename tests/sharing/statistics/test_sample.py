"""The share of sampled items that a condition keeps."""

from __future__ import annotations

import pytest

from millstream.algebra.expressions import And, Call, Compare, Literal, Or, PathTo, Step
from millstream.sharing.statistics import observe
from millstream.sharing.statistics.sample import LEAST, UNKNOWN
from tests.languages.streams import SKY, SKY_ITEMS
from tests.sharing.photon_properties import items as photons
from tests.sharing.planner.photon_planner import photon_statistics

SKY_SAMPLE = observe(SKY, SKY_ITEMS, 1.0).sample


def path(*names: str) -> PathTo:
    return PathTo("item", tuple(Step(name) for name in names))


def test_conditions_are_evaluated_together() -> None:
    sample = photon_statistics().sample
    ra, en = (sample.columns[each].values for each in (("coord", "cel", "ra"), ("en",)))
    expected = ((ra >= 120.0) & (ra <= 138.0) & (en > 1.0)).mean()
    condition = "$p/coord/cel/ra >= 120.0 and $p/coord/cel/ra <= 138.0 and $p/en > 1.0"
    assert sample.share(photons(condition).selection.expression()) == pytest.approx(expected)


def test_alternatives_and_differences_are_evaluated() -> None:
    sample = photon_statistics().sample
    dx, dy = (sample.columns[("coord", "det", each)].values for each in ("dx", "dy"))
    condition = "$p/coord/det/dx <= $p/coord/det/dy + 5 or $p/coord/det/dx != 7"
    share = sample.share(photons(condition).selection.expression())
    assert share == pytest.approx(((dx <= dy + 5) | (dx != 7)).mean())


def test_what_no_sampled_item_fulfils_keeps_a_little() -> None:
    sample = photon_statistics().sample
    share = sample.share(photons("$p/en >= 1000.0").selection.expression())
    assert share == LEAST / sample.items


def test_everything_is_kept_without_a_condition() -> None:
    assert photon_statistics().sample.share(None) == 1.0


def test_of_repeated_elements_one_is_enough() -> None:
    bright = Compare(">=", path("obs", "flux"), Literal(9))
    assert SKY_SAMPLE.share(bright) == pytest.approx(2 / 3)


def test_texts_and_times_are_compared() -> None:
    named = Compare("=", path("name"), Literal("Crab"))
    seen = Compare("<", Literal("2003-10-31"), path("seen"))
    assert SKY_SAMPLE.share(named) == pytest.approx(1 / 3)
    assert SKY_SAMPLE.share(seen) == pytest.approx(1 / 3)


def test_an_absent_element_compares_with_nothing() -> None:
    either = Or((Compare("=", path("site", "name"), Literal("x")),))
    other = Compare("!=", path("site", "name"), Literal("x"))
    assert SKY_SAMPLE.share(other) == pytest.approx(1 / 3)
    assert SKY_SAMPLE.share(either) == pytest.approx(LEAST / 3)


def test_a_denied_condition_keeps_the_rest() -> None:
    named = Compare("=", path("name"), Literal("Crab"))
    assert SKY_SAMPLE.share(Call("not", (named,))) == pytest.approx(2 / 3)


def test_what_cannot_be_answered_is_assumed() -> None:
    unknown = Call("likely", (path("name"),))
    assert SKY_SAMPLE.share(unknown) == pytest.approx(UNKNOWN)
    both = And((unknown, Compare("!=", path("name"), Literal("Crab"))))
    assert SKY_SAMPLE.share(both) == pytest.approx(UNKNOWN * 2 / 3)
