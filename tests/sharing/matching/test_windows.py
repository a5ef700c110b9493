"""What a stream of aggregates can answer."""

from __future__ import annotations

import pytest

from millstream.model.window import EndRule
from millstream.sharing.matching import match, match_properties
from millstream.sharing.properties import Properties
from tests.sharing.photon_properties import items, windows


def reusable(new: str, old: str) -> bool:
    return match(windows(new), windows(old)).reusable


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        ("det_time diff 60 step 40", "det_time diff 20 step 10", True),
        ("det_time diff 80 step 20", "det_time diff 40 step 10", True),
        ("det_time diff 20 step 10", "det_time diff 60 step 40", False),
        ("det_time diff 60 step 40", "det_time diff 40 step 10", False),
        ("det_time diff 60 step 40", "det_time diff 20 step 15", False),
        ("det_time diff 60 step 40", "det_time diff 30 step 20", False),
        ("det_time diff 60 step 45", "det_time diff 20 step 10", False),
        ("det_time diff 25 step 10", "det_time diff 25 step 10", True),
        ("det_time diff 25 step 20", "det_time diff 25 step 10", True),
        ("det_time diff 10 step 40", "det_time diff 10 step 20", True),
        ("phc diff 20 step 10", "det_time diff 20 step 10", False),
        ("count 20 step 10", "det_time diff 20 step 10", False),
    ],
)
def test_windows_must_be_made_of_those_in_the_stream(new: str, old: str, expected: bool) -> None:
    assert reusable(new, old) is expected


def test_numbers_that_do_not_fit_are_told() -> None:
    new, old = windows("det_time diff 60 step 45"), windows("det_time diff 40 step 30")
    assert [reason.text for reason in match(new, old, explain=True).failed] == [
        "the reused window of size 40 does not tile a window of size 60; "
        "shared by slices at this peer only",
        "the reused windows of size 40, one every 30, cannot be laid end to end: "
        "40 is no multiple of 30; shared by slices at this peer only",
        "no reused window starts where some of the new ones do: "
        "45 is no multiple of the reused step 30; shared by slices at this peer only",
    ]


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        ("avg($w/en)", "avg($w/en)", True),
        ("sum($w/en)", "avg($w/en)", True),
        ("count($w/en)", "avg($w/en)", True),
        ("count($w)", "avg($w/en)", False),
        ("count($w/en)", "count($w)", False),
        ("avg($w/en)", "sum($w/en)", False),
        ("min($w/en)", "avg($w/en)", False),
        ("max($w/en)", "max($w/en)", True),
        ("max($w/en)", "min($w/en)", False),
        ("avg($w/phc)", "avg($w/en)", False),
        ("(sum($w/en), max($w/phc))", "(avg($w/en), max($w/phc), count($w))", True),
        ("(sum($w/en), max($w/phc))", "avg($w/en)", False),
        ("<none/>", "avg($w/en)", True),
    ],
)
def test_aggregates_must_be_given_by_those_in_the_stream(
    new: str, old: str, expected: bool
) -> None:
    window = "det_time diff 20 step 10"
    assert match(windows(window, new), windows(window, old)).reusable is expected


def test_missing_aggregates_are_told() -> None:
    window = "det_time diff 20 step 10"
    answer = match(windows(window, "max($w/en)"), windows(window, "(avg($w/en), count($w))"))
    assert [reason.text for reason in answer.failed] == [
        "the stream has avg(en), count(.), which does not give max(en)"
    ]


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        ("en > 1 and phc > 3", "phc > 3 and en > 1", True),
        ("en > 1 and en > 0", "en > 1", True),
        ("phc > 3", "phc >= 4", True),
        ("en > 2", "en > 1", False),
        ("en > 1", "", False),
    ],
)
def test_the_same_items_must_be_aggregated(new: str, old: str, expected: bool) -> None:
    window = "det_time diff 20 step 10"
    assert (
        match(windows(window, selection=new), windows(window, selection=old)).reusable is expected
    )


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        ("avg($w/en) > 2", "avg($w/en) > 1", True),
        ("avg($w/en) > 1", "avg($w/en) > 2", False),
        ("", "avg($w/en) > 2", False),
        ("avg($w/en) > 2", "", True),
        ("avg($w/en) > 2 and count($w) > 3", "count($w) >= 4 and avg($w/en) > 1", True),
        ("max($w/en) > 2", "avg($w/en) > 2", False),
    ],
)
def test_filters_must_be_implied(new: str, old: str, expected: bool) -> None:
    window, returned = "det_time diff 20 step 10", "(avg($w/en), max($w/en), count($w))"
    answer = match(windows(window, returned, where=new), windows(window, returned, where=old))
    assert answer.reusable is expected


def test_filtered_windows_may_be_picked_but_not_composed() -> None:
    old = windows("det_time diff 20 step 10", where="avg($w/en) > 1")
    picked = windows("det_time diff 20 step 30", where="avg($w/en) > 2")
    answer = match(picked, old)
    assert answer.reusable and str(answer.residual) == "avg(en) > 2"
    composed = windows("det_time diff 40 step 10", where="avg($w/en) > 2")
    assert [reason.condition for reason in match(composed, old).failed] == ["filter"]


def test_values_in_the_stream_give_what_a_filter_asks() -> None:
    window = "det_time diff 20 step 10"
    new = windows(window, "avg($w/en)", where="max($w/en) > 3")
    assert not match(new, windows(window, "avg($w/en)")).reusable
    assert match(new, windows(window, "(avg($w/en), max($w/en))")).reusable


RUN, CUT, GATHER = EndRule.RUN, EndRule.CUT, EndRule.GATHER
FINE, COARSE, RARE = (
    "det_time diff 20 step 10",
    "det_time diff 60 step 40",
    "det_time diff 20 step 30",
)
FEW, MANY, SOME = "count 4 step 2", "count 8 step 4", "count 4 step 6"


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        ((COARSE, RUN), (FINE, RUN), True),
        ((COARSE, CUT), (FINE, CUT), False),
        ((COARSE, GATHER), (FINE, GATHER), False),
        ((COARSE, CUT), (FINE, RUN), False),
        ((FINE, CUT), (FINE, CUT), True),
        ((FINE, GATHER), (FINE, GATHER), True),
        ((FINE, RUN), (FINE, CUT), False),
        ((RARE, RUN), (FINE, RUN), True),
        ((RARE, CUT), (FINE, CUT), True),
        ((RARE, GATHER), (FINE, GATHER), False),
        ((MANY, CUT), (FEW, CUT), True),
        ((MANY, RUN), (FEW, RUN), True),
        ((MANY, GATHER), (FEW, GATHER), False),
        ((SOME, GATHER), (FEW, GATHER), False),
        ((FEW, GATHER), (FEW, GATHER), True),
    ],
)
def test_windows_must_end_alike(
    new: tuple[str, EndRule], old: tuple[str, EndRule], expected: bool
) -> None:
    asked, flow = (windows(window, end=rule) for window, rule in (new, old))
    assert match(asked, flow, offset=0).reusable is expected


@pytest.mark.parametrize(
    ("offset", "expected"), [(0, True), (2, True), (30, True), (3, False), (None, False)]
)
def test_item_windows_begin_where_one_of_the_stream_does(
    offset: int | None, expected: bool
) -> None:
    assert match(windows(MANY), windows(FEW), offset=offset).reusable is expected


def test_an_offset_that_does_not_fit_is_told() -> None:
    assert [reason.text for reason in match(windows(MANY), windows(FEW), offset=3).failed] == [
        "the new windows begin 3 items after the stream's first, "
        "which is no multiple of the reused step 2"
    ]


def test_item_windows_hold_the_same_items() -> None:
    new, old = windows(MANY, selection="en > 2"), windows(FEW, selection="en > 1")
    assert not match(new, old, offset=0).reusable


def test_aggregates_cannot_give_back_items() -> None:
    for new in (items(), windows(FINE, "$w")):
        answer = match(new, windows(FINE), explain=True)
        assert [reason.text for reason in answer.failed] == [
            "aggregate values cannot give back items"
        ]


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (windows(FINE, "$w"), True),
        (windows(FINE, "avg($w/en)"), True),
        (windows(COARSE, "$w"), False),
        (windows(FINE, "$w", selection="en > 1"), False),
        (windows(FINE, "$w", end=CUT), False),
        (items(), False),
    ],
)
def test_results_with_contents_serve_equal_windows_only(new, expected) -> None:  # type: ignore[no-untyped-def]
    old = windows(FINE, "$w")
    assert match_properties(Properties((new,)), Properties((old,))).reusable is expected


def test_identical_item_windows_share() -> None:
    asked = Properties((windows(FEW, "$w"),))
    assert match_properties(asked, asked).reusable
