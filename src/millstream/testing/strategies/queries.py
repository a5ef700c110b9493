"""Random queries over a schema, as algebra; query_text writes them down."""

from __future__ import annotations

from enum import Enum

from hypothesis import strategies as st

from millstream.algebra.expressions import Each, Expression, NewElement, PathTo, Step
from millstream.algebra.operators import (
    AggregateFunction,
    Aggregation,
    Construct,
    Join,
    NodeBinding,
    Operator,
    Query,
    Scan,
    Select,
    Unnest,
    Window,
)
from millstream.model.schema import Element, Leaf, Schema, ValueType
from millstream.model.window import WindowKind, WindowSpec
from millstream.testing.strategies.conditions import conditions, steps_to
from millstream.testing.strategies.schemas import REFERENCE, leaves, places
from millstream.testing.strategies.scope import Scope, plain_path
from millstream.testing.strategies.templates import elements


class Shape(Enum):
    """What a random query is made of."""

    ITEMS = "items"
    """Items of one stream that pass a condition."""
    NESTED = "nested"
    """Repeated elements inside the items."""
    WINDOW = "window"
    """Windows, with aggregates or contents or both."""
    JOIN = "join"
    """Pairs of items of streams 'items' and 'others'."""
    UNION = "union"
    """Two branches, each of another shape but a join."""


@st.composite
def queries(
    draw: st.DrawFn,
    schema: Schema,
    *,
    shapes: tuple[Shape, ...] = tuple(Shape),
    untyped: bool = False,
) -> Query:
    """A query of one of the shapes over stream 'items'; `untyped` ones mean the same to XQuery."""
    shape = draw(st.sampled_from(shapes))
    if shape is Shape.UNION:
        single = (Shape.ITEMS, Shape.NESTED, Shape.WINDOW)
        kinds = draw(st.lists(st.sampled_from(single), min_size=2, max_size=2))
    else:
        kinds = [shape]
    branches = tuple(draw(BRANCHES[kind](schema, untyped)) for kind in kinds)
    return Query(branches, "<out>", "</out>")


@st.composite
def _items(draw: st.DrawFn, schema: Schema, untyped: bool) -> Construct:
    return draw(_constructed(Scan("items", "p", schema), untyped))


@st.composite
def _nested(draw: st.DrawFn, schema: Schema, untyped: bool) -> Construct:
    scan = Scan("items", "p", schema)
    below = [place for place in places(schema.item) if place.repeated] or places(schema.item)
    place = draw(st.sampled_from(below))
    source = draw(steps_to("p", place, Scope(untyped=untyped)))
    return draw(_constructed(Unnest(scan, "n", source, place.element), untyped))


@st.composite
def _joined(draw: st.DrawFn, schema: Schema, untyped: bool) -> Construct:
    left, right = Scan("items", "p", schema), Scan("others", "q", schema)
    scope = _scope((*left.bindings, *right.bindings), untyped)
    join = Join(left, right, draw(conditions(scope, 1)))
    return Construct(join, draw(elements(scope, 1)))


@st.composite
def _windowed(draw: st.DrawFn, schema: Schema, untyped: bool) -> Construct:
    scan = Scan("items", "p", schema)
    below = draw(st.one_of(st.just(scan), _selected(scan, untyped)))
    keeps = draw(st.booleans())
    functions = draw(st.lists(_aggregates(schema.item), min_size=0 if keeps else 1, max_size=3))
    aggregations = tuple(
        Aggregation(f"a{place}", function, plain_path("w", leaf.path), _result(function, leaf))
        for place, (function, leaf) in enumerate(functions)
    )
    window = Window(below, "w", draw(_specs()), aggregations, keeps)
    scope = Scope((), tuple((each.variable, each.type) for each in aggregations), untyped)
    operator: Operator = window
    filtered = draw(st.booleans())
    if aggregations and filtered:
        operator = Select(window, draw(conditions(scope, 1)))
    template = draw(elements(scope, 1))
    if keeps:
        contents = draw(_contents(schema.item, untyped))
        template = NewElement("r", template.attributes, (*template.content, contents))
    return Construct(operator, template)


BRANCHES = {
    Shape.ITEMS: _items,
    Shape.NESTED: _nested,
    Shape.WINDOW: _windowed,
    Shape.JOIN: _joined,
}


@st.composite
def _constructed(draw: st.DrawFn, operator: Operator, untyped: bool) -> Construct:
    if draw(st.booleans()):
        operator = draw(_selected(operator, untyped))
    return Construct(operator, draw(elements(_scope(operator.bindings, untyped))))


@st.composite
def _selected(draw: st.DrawFn, operator: Operator, untyped: bool) -> Operator:
    return Select(operator, draw(conditions(_scope(operator.bindings, untyped))))


def _scope(bindings: tuple[object, ...], untyped: bool) -> Scope:
    nodes = [(each.variable, each.element) for each in bindings if isinstance(each, NodeBinding)]
    return Scope(tuple(nodes), (), untyped)


@st.composite
def _specs(draw: st.DrawFn) -> WindowSpec:
    kind = draw(st.sampled_from(WindowKind))
    size, step = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    return WindowSpec(kind, size, step, (REFERENCE,) if kind is WindowKind.DIFF else ())


@st.composite
def _aggregates(draw: st.DrawFn, item: Element) -> tuple[AggregateFunction, Leaf]:
    """A function with the leaf that it aggregates; the empty path counts the items."""
    leaf = draw(st.sampled_from(leaves(item)))
    functions = [AggregateFunction.COUNT, AggregateFunction.MIN, AggregateFunction.MAX]
    if leaf.type.numeric:
        functions += [AggregateFunction.SUM, AggregateFunction.AVG] * 2
    function = draw(st.sampled_from(functions))
    if function is AggregateFunction.COUNT and draw(st.booleans()):
        leaf = Leaf((), ValueType.TEXT, False)
    return function, leaf


def _result(function: AggregateFunction, leaf: Leaf) -> ValueType:
    if function is AggregateFunction.COUNT:
        return ValueType.INTEGER
    # The mean of integers need not be one.
    means = function is AggregateFunction.AVG and leaf.type is ValueType.INTEGER
    return ValueType.DECIMAL if means else leaf.type


@st.composite
def _contents(draw: st.DrawFn, item: Element, untyped: bool) -> Expression:
    """The contents of window $w: as they are, a part of each, or something made of each."""
    inside = Scope((("x", item),), (), untyped)
    place = draw(st.sampled_from(places(item)))
    part = PathTo("w", tuple(Step(name) for name in place.path))
    condition = st.one_of(st.none(), conditions(inside, 1))
    each = st.builds(Each, st.just("x"), st.just(PathTo("w")), elements(inside, 1, "m"), condition)
    return draw(st.one_of(st.just(PathTo("w")), st.just(part), each))
