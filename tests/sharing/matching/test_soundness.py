"""Whatever is said to be enough for a subscription is enough: its results stay the same."""

from __future__ import annotations

from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from lxml import etree

from millstream.algebra.expressions import (
    TRUE,
    Call,
    Compare,
    Expression,
    Literal,
    NewElement,
    PathTo,
    Step,
)
from millstream.algebra.operators import (
    AggregateFunction,
    Aggregation,
    Construct,
    Operator,
    Query,
    Scan,
    Select,
    Window,
)
from millstream.algebra.walk import conjoin
from millstream.errors import QueryError
from millstream.model.schema import Leaf, Schema, ValueType
from millstream.model.window import EndRule, WindowKind, WindowSpec
from millstream.sharing.matching import match
from millstream.sharing.properties import Input, flowing
from millstream.sharing.reading_properties import properties_of
from millstream.sharing.rewriting import Place, WindowItems, post_processing, windows_tap
from millstream.sharing.rewriting.taps import window_of
from millstream.testing.reference import evaluate
from millstream.testing.strategies import arrivals, items, queries, schemas
from millstream.testing.strategies.conditions import conditions
from millstream.testing.strategies.schemas import REFERENCE
from millstream.testing.strategies.scope import Scope, plain_path
from millstream.testing.strategies.templates import elements
from tests.sharing.narrowed_items import narrowed

AVG, COUNT = AggregateFunction.AVG, AggregateFunction.COUNT
SUM, MAX = AggregateFunction.SUM, AggregateFunction.MAX
FUNCTIONS = ((AVG,), (SUM,), (COUNT,), (SUM, MAX), (AVG, SUM, COUNT, MAX, AggregateFunction.MIN))

quick = settings(max_examples=60, suppress_health_check=list(HealthCheck))


@quick
@given(st.data())
def test_what_is_asked_of_streams_is_enough(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    query = data.draw(queries(schema))
    arrived = data.draw(arrivals({"items": schema, "others": schema}, max_size=8))
    for branch in query.branches:
        alone = Query((branch,))
        expected = evaluate(alone, arrived).results
        try:
            asked = properties_of(alone).inputs
        except QueryError:
            assert expected == ()
            continue
        going_on = arrived
        for each in asked:
            going_on = narrowed(going_on, each)
        places = [Place(each.stream, each.schema) for each in asked]
        assert evaluate(post_processing(alone, places), going_on).results == expected


@quick
@given(st.data())
def test_a_stream_that_matches_is_enough(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    scope = Scope((("p", schema.item),), (), False)
    shared, further, other = (data.draw(conditions(scope, 1)) for _ in range(3))
    chosen = data.draw(st.sampled_from(((shared,), (shared, further), (further,), ())))
    old = _stream(schema, data.draw(st.sampled_from((shared, other))), data.draw(_templates(scope)))
    new = _query(schema, conjoin(chosen), data.draw(_templates(scope)))
    asked = _asked(new)
    answer = match(asked, old)
    event(f"reusable: {answer.reusable}")
    if not answer.reusable:
        return
    arrived = [("items", xml) for xml in data.draw(items(schema, max_size=8))]
    remaining = answer.residual.expression() or TRUE
    rest = post_processing(new, [Place("items", schema, remaining)])
    assert evaluate(rest, narrowed(arrived, old)).results == evaluate(new, arrived).results


@settings(quick, max_examples=150)
@given(st.data())
def test_windows_that_match_are_enough(data: st.DataObject) -> None:
    schema, rule = data.draw(schemas()), data.draw(st.sampled_from(EndRule))
    old_spec, new_spec = data.draw(_windows())
    leaf = data.draw(
        st.sampled_from([each for each in schema.leaves() if each.type.numeric] or [None])
    )
    chosen = data.draw(st.sampled_from(FUNCTIONS))
    given = data.draw(st.sampled_from((chosen, chosen, (AVG, MAX), FUNCTIONS[-1])))
    old = data.draw(_aggregation(schema, old_spec, leaf, given))
    new = data.draw(_aggregation(schema, new_spec, leaf, chosen))
    (flow,) = properties_of(Query((old,)), end=rule).inputs
    (asked,) = properties_of(Query((new,)), end=rule).inputs
    answer = match(asked, flow, offset=0)
    event(f"reusable: {answer.reusable}, composes: {answer.composes}")
    if not answer.reusable:
        return
    assert flow.window is not None
    arrived = [("items", xml) for xml in data.draw(items(schema))]
    carried = WindowItems.of(flow.window, schema)
    tap = windows_tap(old, Place("items", schema, _selection(old)), carried, filtered=True)
    tapped = [("flow", xml) for xml in evaluate(tap, arrived, end=rule).results]
    rest = post_processing(Query((new,)), [Place("flow", carried.schema, windows=carried)])
    expected = evaluate(Query((new,)), arrived, end=rule).results
    assert [_rounded(each) for each in evaluate(rest, tapped, end=rule).results] == [
        _rounded(each) for each in expected
    ]


def _selection(branch: Construct) -> Expression:
    """What is asked of items before they are in windows."""
    inner = window_of(branch).input
    return inner.predicate if isinstance(inner, Select) else TRUE


@st.composite
def _windows(draw: st.DrawFn) -> tuple[WindowSpec, WindowSpec]:
    """Windows to be reused and new ones, which mostly can be made of them."""
    kind = draw(st.sampled_from((WindowKind.DIFF, WindowKind.DIFF, WindowKind.COUNT)))
    reference = (REFERENCE,) if kind is WindowKind.DIFF else ()
    step, apart = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    count, advance = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    size = step * apart + draw(st.sampled_from((0, 0, 0, 1)))
    coarse = WindowSpec(kind, size * count, step * advance, reference)
    return WindowSpec(kind, size, step, reference), coarse


@st.composite
def _aggregation(
    draw: st.DrawFn,
    schema: Schema,
    spec: WindowSpec,
    leaf: Leaf | None,
    functions: tuple[AggregateFunction, ...],
) -> Construct:
    """Windows with aggregates, of which some are filtered."""
    aggregations = [Aggregation("n", COUNT, PathTo("w"), ValueType.INTEGER)]
    for each in functions if leaf else ():
        source, kind = plain_path("w", leaf.path), _result_type(each, leaf.type)
        aggregations.append(Aggregation(each.value, each, source, kind))
    scan = Scan("items", "p", schema)
    present = Call("exists", (PathTo("p", (Step(REFERENCE),)),))
    below = Select(scan, present) if draw(st.integers(0, 9)) == 0 else scan
    rows: Operator = Window(below, "w", spec, tuple(aggregations))
    least = draw(st.sampled_from((0, 0, 0, 1, 2)))
    if least:
        rows = Select(rows, Compare(">=", PathTo("n"), Literal(least)))
    shown = (NewElement("v", (), (PathTo(each.variable),)) for each in aggregations)
    return Construct(rows, NewElement("r", (), tuple(shown)))


def _result_type(function: AggregateFunction, leaf: ValueType) -> ValueType:
    if function is COUNT:
        return ValueType.INTEGER
    means = function is AVG and leaf is ValueType.INTEGER
    return ValueType.DECIMAL if means else leaf


def _rounded(xml: str) -> list[str | float]:
    """The values of a result; doubles are added in any order."""
    texts = [each.text or "" for each in etree.fromstring(xml)]
    return [float(f"{float(text):.9e}") if text else "" for text in texts]


def _templates(scope: Scope) -> st.SearchStrategy[Expression]:
    return st.one_of(st.just(PathTo("p")), elements(scope, 1))


def _query(schema: Schema, condition: Expression, template: Expression) -> Query:
    return Query((Construct(Select(Scan("items", "p", schema), condition), template),))


def _stream(schema: Schema, condition: Expression, template: Expression) -> Input:
    return flowing(_asked(_query(schema, condition, template)))


def _asked(query: Query) -> Input:
    try:
        return properties_of(query).inputs[0]
    except QueryError:
        assume(False)
        raise
