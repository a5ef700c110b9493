"""The seed's windows as XQuery functions, run by the oracle, give the windows of WXQuery.

The figures wrap all windows in one result, WXQuery gives one result a window. Time-based figures
start at 0 and give empty windows, leading ones too, which a subscription never gives.
"""

from __future__ import annotations

from decimal import Decimal
from itertools import dropwhile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from millstream.languages.xquery import compile_text
from millstream.model.schema import Content, Element, Occurs, Schema, ValueType
from millstream.model.window import EndRule, WindowKind, WindowSpec
from millstream.testing.reference import evaluate
from millstream.testing.saxon import canonical, run

FIGURES = Path(__file__).parent / "figures"
COUNT_FIGURES = {EndRule.CUT: 10, EndRule.GATHER: 28, EndRule.RUN: 29}
DIFF_FIGURES = {EndRule.CUT: 12, EndRule.GATHER: 30, EndRule.RUN: 31}
EMPTY_WINDOW = "<win></win>"

B = Element(
    "b",
    Occurs.MANY,
    Content.NESTED,
    (Element("c", type=ValueType.DECIMAL), Element("n", type=ValueType.INTEGER)),
)


class DataFile:
    """The one document that the figures read."""

    def schema(self, stream_name: str, /) -> Schema:
        return Schema("a", B)

    def names(self) -> tuple[str, ...]:
        return ("data.xml",)


sizes = st.integers(1, 7)
increments = st.lists(
    st.sampled_from([Decimal(n) / 4 for n in (0, 0, 1, 4, 4, 6, 8, 30)]), max_size=14
)
rules = st.sampled_from(EndRule)


def items_at(moments: list[Decimal]) -> list[str]:
    """An item for each increment of the reference value."""
    values = [sum(moments[: place + 1], Decimal(0)) for place in range(len(moments))]
    return [f"<b><c>{value}</c><n>{place}</n></b>" for place, value in enumerate(values)]


def windows_of_figure(number: int, size: int, step: int, items: list[str]) -> list[str]:
    """The windows that a figure gives for other sizes than its own 4 and 2."""
    text = (FIGURES / f"figure_{number}.xq").read_text(encoding="utf-8")
    query = text.replace("cwin(4, 2,", f"cwin({size}, {step},").replace(
        "dwin(0, 4, 2,", f"dwin(0, {size}, {step},"
    )
    (result,) = run(query, {"data.xml": f"<a>{''.join(items)}</a>"})
    return [canonical(etree.tostring(window).decode()) for window in etree.fromstring(result)]


def windows_of_query(spec: WindowSpec, items: list[str], end: EndRule, empty: bool) -> list[str]:
    """The windows of Figures 9 and 11, by the reference evaluator."""
    text = f"""for $w in doc("data.xml")/a/b{spec}
        return
          <result>
            <win> {{ $w }} </win>
          </result>"""
    arrivals = [("data.xml", item) for item in items]
    outcome = evaluate(compile_text(text, DataFile()), arrivals, end=end, empty=empty)
    return [
        canonical(each.removeprefix("<result>").removesuffix("</result>"))
        for each in outcome.results
    ]


def inner(windows: list[str]) -> list[str]:
    """The windows without leading and trailing empty ones."""
    started = list(dropwhile(lambda window: window == EMPTY_WINDOW, windows))
    return list(dropwhile(lambda window: window == EMPTY_WINDOW, started[::-1]))[::-1]


@settings(max_examples=60)
@given(rule=rules, size=sizes, step=sizes, moments=increments)
def test_item_windows(rule: EndRule, size: int, step: int, moments: list[Decimal]) -> None:
    items = items_at(moments)
    figure = windows_of_figure(COUNT_FIGURES[rule], size, step, items)
    spec = WindowSpec(WindowKind.COUNT, size, step)
    assert windows_of_query(spec, items, rule, False) == inner(figure)


@settings(max_examples=100)
@given(rule=rules, size=sizes, step=sizes, moments=increments)
def test_time_windows(rule: EndRule, size: int, step: int, moments: list[Decimal]) -> None:
    items = items_at(moments)
    figure = windows_of_figure(DIFF_FIGURES[rule], size, step, items)
    spec = WindowSpec(WindowKind.DIFF, size, step, ("c",))
    full = [window for window in figure if window != EMPTY_WINDOW]
    assert windows_of_query(spec, items, rule, False) == full
    assert windows_of_query(spec, items, rule, True) == inner(figure)


@pytest.mark.parametrize(
    ("rule", "expected"), [(EndRule.CUT, 2), (EndRule.GATHER, 3), (EndRule.RUN, 4)]
)
def test_the_figures_as_printed(rule: EndRule, expected: int) -> None:
    items = items_at([Decimal(0)] + [Decimal(1)] * 6)
    assert len(windows_of_figure(COUNT_FIGURES[rule], 4, 2, items)) == expected
    assert len(windows_of_figure(DIFF_FIGURES[rule], 4, 2, items)) == expected
