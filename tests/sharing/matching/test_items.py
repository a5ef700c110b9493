"""What a stream of items can answer."""

from __future__ import annotations

import pytest

from millstream.sharing.matching import match
from millstream.sharing.properties import flowing, original
from tests.languages.streams import PHOTONS, SKY
from tests.sharing.photon_properties import asked, items, windows
from tests.sharing.test_properties import called

CRAB = "for $s in stream('sky')/sky/source"


def test_a_registered_stream_answers_everything() -> None:
    stream = original("photons", PHOTONS)
    for new in (items("$p/en > 1"), windows("count 4"), windows("det_time diff 4", "$w")):
        assert match(new, stream).reusable


def test_another_stream_answers_nothing() -> None:
    answer = match(items(), original("sky", SKY), explain=True)
    assert [reason.text for reason in answer.reasons] == [
        "the stream is made from 'sky', asked for is 'photons'"
    ]


@pytest.mark.parametrize(
    ("new", "old", "reusable"),
    [
        ("$p/en > 2", "$p/en > 1", True),
        ("$p/en > 1", "$p/en > 2", False),
        ("$p/en > 1", "$p/en >= 1", True),
        ("$p/en >= 1", "$p/en > 1", False),
        ("$p/phc > 3", "$p/phc >= 4", True),
        ("$p/en > 1 and $p/phc > 3", "$p/en > 1", True),
        ("$p/en > 1", "$p/en > 1 and $p/phc > 3", False),
        ("$p/en > $p/phc and $p/phc > 2", "$p/en > 2", True),
        ("$p/en = 3", "$p/en > 2 or $p/phc = 1", True),
        ("$p/en > 1 or $p/phc = 1", "$p/en > 1", False),
        ("$p/phc + 1 > 4", "$p/phc + 1 > 4", True),
        ("$p/phc * 2 > 4", "$p/phc * 3 > 4", False),
        ("$p/en > 1", "", True),
        ("", "$p/en > 1", False),
    ],
)
def test_the_selection_must_be_implied(new: str, old: str, reusable: bool) -> None:
    assert match(items(new), items(old, "$p")).reusable is reusable


def test_only_what_is_still_needed_must_be_there() -> None:
    new = items("$p/phc > 3", "$p/en")
    assert match(new, items("$p/phc > 3", "$p/en")).reusable
    assert not match(new, items("$p/phc > 2", "$p/en")).reusable
    assert match(new, items("$p/phc > 2", "($p/en, $p/phc)")).reusable


def test_missing_elements_are_named() -> None:
    answer = match(items("", "$p/coord/det"), items("", "$p/coord/cel"))
    assert [reason.text for reason in answer.failed] == [
        "the stream no longer has coord/det/dx, coord/det/dy"
    ]


def test_a_nested_element_is_there_if_all_of_it_is() -> None:
    old = items("", "($p/coord/det/dy, $p/coord/det/dx)")
    assert match(items("", "$p/coord/det"), old).reusable


def test_windows_need_their_reference() -> None:
    new = windows("det_time diff 20 step 10")
    assert not match(new, items("", "$p/en")).reusable
    assert match(new, items("", "($p/en, $p/det_time)")).reusable


def test_item_windows_are_counted_anew() -> None:
    assert match(windows("count 4", selection="phc > 3"), items("$p/phc > 3", "$p")).reusable


def test_windows_with_contents_from_items() -> None:
    new = windows("det_time diff 20 step 10", "$w/phc")
    assert match(new, items("", "($p/phc, $p/det_time)")).reusable
    assert match(new, flowing(windows("det_time diff 99", "$w"))).reusable


def test_all_that_fails_is_told_on_request() -> None:
    new, old = items("", "$p/phc"), items("$p/en > 1", "$p/en")
    assert [each.condition for each in match(new, old).failed] == ["elements"]
    assert [each.condition for each in match(new, old, explain=True).failed] == [
        "elements",
        "selection",
    ]


def test_what_holds_is_told_as_well() -> None:
    answer = match(items("$p/en > 2"), items("$p/en > 1"))
    assert [reason.condition for reason in answer.reasons] == [
        "stream",
        "functions",
        "selection",
        "elements",
    ]
    assert answer.reasons[2].text == (
        "every item asked for is in the stream, which holds those with en > 1"
    )


def test_strings() -> None:
    crab = asked(f"{CRAB} where $s/name = 'Crab' return $s")
    named = asked(f"{CRAB} where $s/name != 'Vela' return $s")
    assert match(crab, named).reusable
    assert not match(named, crab).reusable


def test_repeated_elements_stand_alone() -> None:
    both = asked(f"{CRAB} where $s/obs/flux > 3 and $s/obs/flux < 2 return $s")
    one = asked(f"{CRAB} where $s/obs/flux > 3 return $s")
    assert match(both, one).reusable
    assert not match(one, both).reusable


def test_functions_match_only_if_declared_deterministic() -> None:
    sure = ("redshift",)
    assert match(called("redshift", "p", sure), called("redshift", "q", sure)).reusable
    answer = match(called("redshift", "p"), called("redshift", "q"))
    assert [reason.condition for reason in answer.failed] == ["functions"]
    assert "not declared deterministic" in answer.failed[0].text
    other = match(called("brightness", "p", sure), called("redshift", "q", sure))
    assert "not asked for with equal arguments" in other.failed[0].text
