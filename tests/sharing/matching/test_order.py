"""Sharing is an order: everyone is answered by itself, and by whatever answers its answer."""

from __future__ import annotations

from functools import cache

from hypothesis import event, given, settings
from hypothesis import strategies as st

from millstream.sharing.matching import match
from millstream.sharing.properties import Input
from tests.sharing.photon_properties import items, windows

BOUNDS = st.sampled_from(("", "en > 1", "en > 2", "en > 1 and phc > 3", "en > 2 and phc >= 4"))
RETURNED = st.sampled_from(("$p", "$p/en", "($p/en, $p/phc)", "($p/en, $p/det_time)"))
SPECS = st.tuples(st.sampled_from((10, 20, 40, 60)), st.sampled_from((5, 10, 20, 40)))
VALUES = st.sampled_from(("avg($w/en)", "sum($w/en)", "(avg($w/en), max($w/en))"))
FILTERS = st.sampled_from(("", "", "sum($w/en) > 1", "sum($w/en) > 2"))

# Compiling a query takes far longer than matching it.
cached_items, cached_windows = cache(items), cache(windows)


@st.composite
def inputs(draw: st.DrawFn) -> Input:
    bounds = draw(BOUNDS)
    if draw(st.booleans()):
        condition = bounds.replace("en", "$p/en").replace("phc", "$p/phc")
        return cached_items(condition, draw(RETURNED))
    size, step = draw(SPECS)
    return cached_windows(f"det_time diff {size} step {step}", draw(VALUES), bounds, draw(FILTERS))


@given(inputs())
def test_everyone_is_answered_by_itself(asked: Input) -> None:
    assert match(asked, asked).reusable


@settings(max_examples=400)
@given(inputs(), inputs(), inputs())
def test_what_answers_an_answer_answers(first: Input, second: Input, third: Input) -> None:
    chained = match(first, second).reusable and match(second, third).reusable
    event(f"chained: {chained}")
    if chained:
        assert match(first, third).reusable
