"""A query over what flows for it gives what it gives over the original stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from millstream.algebra.expressions import TRUE, PathTo
from millstream.algebra.operators import Construct, Query, Window, scans
from millstream.algebra.walk import transform_operator
from millstream.errors import QueryError
from millstream.model.schema import Schema
from millstream.model.window import EndRule, WindowSpec
from millstream.sharing.matching import match
from millstream.sharing.predicates import residual
from millstream.sharing.properties import Input, Properties, original
from millstream.sharing.reading_properties import properties_of
from millstream.sharing.rewriting import (
    Place,
    WindowItems,
    items_tap,
    post_processing,
    projected,
    windows_tap,
)
from millstream.sharing.rewriting.taps import window_of
from millstream.testing.reference import evaluate
from millstream.testing.saxon import canonical
from millstream.testing.strategies import Shape, arrivals, queries, schemas
from tests.sharing.rewriting.narrow_items import narrow_item

Arrivals = Sequence[tuple[str, str]]
PROFILE = settings(max_examples=60, suppress_health_check=list(HealthCheck))


def asked_by(query: Query) -> Properties:
    try:
        return properties_of(query)
    except QueryError:
        assume(False)
        raise


def results(query: Query, items: Arrivals, end: EndRule | None = None) -> list[str]:
    try:
        found = evaluate(query, items, end=end).results
    except QueryError:
        assume(False)  # an error of the data, such as arithmetic on several values
        raise
    return [canonical(f"<item>{each}</item>", numbers=True) for each in found]


def place(stream: str, schema: Schema, asked: Input, content: Input) -> Place:
    rest = residual(asked.selection, content.selection).expression()
    return Place(stream, schema, TRUE if rest is None else rest)


def tapped_items(items: Arrivals, tap: Query, stream: str, flow: str, schema: Schema) -> Arrivals:
    """The items of a flow: those that the tap lets through, narrowed, at their old places."""
    (branch,) = tap.branches
    whole = Query((Construct(branch.input, PathTo(branch.input.bindings[-1].variable)),))
    return [
        (flow, narrow_item(each, schema))
        for name, item in items
        if name == stream
        for each in evaluate(whole, [(stream, item)]).results
    ]


@PROFILE
@given(data=st.data())
def test_over_items_that_flow(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    query = data.draw(queries(schema))
    items = data.draw(arrivals({"items": schema, "others": schema}, max_size=12))
    places, tapped = [], {}
    for number, asked in enumerate(asked_by(query).inputs):
        flow = f"flow{number}"
        narrow = projected(schema, asked.output)
        tap = items_tap(place(asked.stream, schema, asked, original(asked.stream, schema)))
        tapped[flow] = (asked.stream, tap, narrow)
        places.append(place(flow, narrow, asked, asked))
        event("narrower" if narrow != schema else "whole")
    flowing: list[tuple[str, str]] = []
    for arrival in items:
        for flow, (stream, tap, narrow) in tapped.items():
            flowing += tapped_items([arrival], tap, stream, flow, narrow)
    found, expected = results(post_processing(query, places), flowing), results(query, items)
    if len(query.branches) > 1:
        found, expected = sorted(found), sorted(expected)
    assert found == expected


def with_windows(query: Query, spec: WindowSpec) -> Query:
    """The query with other windows, and all that it says of them."""
    (branch,) = query.branches

    def changed(operator: object) -> object:
        return replace(operator, spec=spec) if isinstance(operator, Window) else operator

    return Query((replace(branch, input=transform_operator(branch.input, changed)),))


@PROFILE
@given(data=st.data())
def test_over_windows_that_flow(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    query = data.draw(queries(schema, shapes=(Shape.WINDOW,)))
    (asked,) = asked_by(query).inputs
    assume(asked.aggregated and asked.window is not None)
    spec = window_of(query.branches[0]).spec
    times, strides = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    if times > 1:
        spec = replace(spec, size=spec.step * data.draw(st.integers(1, 2)))
    coarse = replace(spec, size=spec.size * times, step=spec.step * strides)
    fine, query = with_windows(query, spec), with_windows(query, coarse)
    (held,), (asked,) = properties_of(fine).inputs, properties_of(query).inputs
    assume(match(asked, held, offset=0).reusable)
    event(f"{spec.kind.value}, {times} in one, every {strides}")
    items = data.draw(arrivals({"items": schema}, max_size=16))
    carried = WindowItems.of(held.window, schema)
    source = place("items", schema, held, original("items", schema))
    filtered = times == 1 and data.draw(st.booleans())
    tap = windows_tap(fine.branches[0], source, carried, filtered=filtered)
    # The end rule of the flow: here only its own windows tell how far the stream is.
    windows = [("flow", each) for each in evaluate(tap, items, end=held.window.end).results]
    rest = post_processing(query, [Place("flow", carried.schema, windows=carried)])
    assert results(rest, windows) == results(query, items)
    assert {scan.stream for branch in rest.branches for scan in scans(branch.input)} == {"flow"}
