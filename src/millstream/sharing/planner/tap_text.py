"""The operators at a tap as WXQuery text."""

from __future__ import annotations

from collections.abc import Iterator

from millstream.algebra.expressions import CONTEXT, Expression
from millstream.algebra.operators import AggregateFunction
from millstream.algebra.scopes import rename
from millstream.algebra.show import show
from millstream.model.schema import Content, Element, Path, Schema
from millstream.sharing.planner.declarations import flow_schema
from millstream.sharing.planner.plan import PlanInput
from millstream.sharing.properties import ITEM, AggregateOf, Input, WindowProperties
from millstream.sharing.rewriting.window_items import START, WindowItems

_COUNTED = (AggregateFunction.COUNT, AggregateFunction.VALUES)


def tap_query(part: PlanInput, wanted: Input) -> str:
    """What is made of a tapped flow, as a query over it."""
    tapped = part.tapped
    source = f'stream("{tapped.name}")/{_path(flow_schema(tapped.content))}'
    condition = part.match.residual.expression()
    if wanted.window is None or not wanted.aggregated:
        return _items(wanted, source, condition)
    if tapped.content.aggregated and tapped.content.window is not None:
        return _from_windows(wanted, wanted.window, tapped.content, source, condition)
    return _from_items(wanted, wanted.window, source, condition)


def _path(schema: Schema) -> str:
    return f"{schema.root}/{schema.item.name}"


def _items(wanted: Input, source: str, condition: Expression | None) -> str:
    schema = flow_schema(wanted)
    where = "" if condition is None else f"\n    where {show(rename(condition, {ITEM: 'p'}))}"
    item = "$p" if schema == wanted.schema else _copied(schema.item, wanted.schema.item, "$p", 6)
    return (
        f"<{schema.root}>\n  {{ for $p in {source}{where}\n"
        f"    return\n      {item} }}\n</{schema.root}>"
    )


def _copied(kept: Element, whole: Element, path: str, indent: int) -> str:
    """A constructor of an element with those children and attributes that are kept."""
    attributes = "".join(f' {each.name}="{{ {path}/@{each.name} }}"' for each in kept.attributes)
    if kept.content is Content.LEAF:
        return f"<{kept.name}{attributes}>{{ {path}/text() }}</{kept.name}>"
    inner = "\n".join(_children(kept, whole, path, indent + 2))
    space = " " * indent
    return f"<{kept.name}{attributes}>\n{inner}\n{space}</{kept.name}>"


def _children(kept: Element, whole: Element, path: str, indent: int) -> Iterator[str]:
    for child in kept.children:
        before = whole.child(child.name)
        assert before is not None, "a projection adds nothing"
        below, space = f"{path}/{child.name}", " " * indent
        if child == before:
            yield f"{space}{{ {below} }}"
        elif not child.occurs.value:
            yield space + _copied(child, before, below, indent)
        else:
            variable = f"${child.name}"
            copied = _copied(child, before, variable, indent + 2)
            yield f"{space}{{ for {variable} in {below} return {copied} }}"


def _from_items(
    wanted: Input, window: WindowProperties, source: str, condition: Expression | None
) -> str:
    asked = "" if condition is None else f"[{show(rename(condition, {ITEM: CONTEXT}))}]"
    values = {each: _aggregate(each) for each in window.aggregates}
    carried = WindowItems.of(window, wanted.schema)
    parts = {each: _aggregate(each) for each in carried.carried}
    return _windows(carried, f"{source}{asked}{window.spec}", values, parts, window)


def _aggregate(aggregate: AggregateOf) -> str:
    function = "count" if aggregate.function in _COUNTED else aggregate.function.value
    return f"{function}({_inside(aggregate.path)})"


def _inside(path: Path) -> str:
    return "/".join(("$w", *path))


def _from_windows(
    wanted: Input,
    window: WindowProperties,
    tapped: Input,
    source: str,
    condition: Expression | None,
) -> str:
    """Aggregates of aggregates: as many as tile a new window, picked by where they start."""
    given = tapped.window
    assert given is not None, "aggregates are of windows"
    flowing = WindowItems.of(given, tapped.schema)
    carried = WindowItems.of(window, wanted.schema)
    tiles = window.spec.size // given.spec.size
    values = {each: _merged(each, flowing) for each in window.aggregates}
    parts = {each: _merged(each, flowing) for each in carried.carried}
    asked = "" if condition is None else f"\n    where {_filter(condition, values)}"
    return _layout(carried, f"{source}|count {tiles} step {tiles}|", asked, parts)


def _merged(aggregate: AggregateOf, flowing: WindowItems) -> str:
    function, path = aggregate.function, aggregate.path
    if function is AggregateFunction.AVG:
        total = _inside((flowing.holding(AggregateFunction.SUM, path),))
        values = _inside((flowing.holding(AggregateFunction.VALUES, path),))
        return f"sum({total}) div sum({values})"
    name = _inside((flowing.holding(function, path),))
    return f"{'sum' if function in _COUNTED else function.value}({name})"


def _windows(
    carried: WindowItems,
    source: str,
    values: dict[AggregateOf, str],
    parts: dict[AggregateOf, str],
    window: WindowProperties,
) -> str:
    condition = window.filter.expression()
    asked = "" if condition is None else f"\n    where {_filter(condition, values)}"
    return _layout(carried, source, asked, parts)


def _filter(condition: Expression, values: dict[AggregateOf, str]) -> str:
    """A condition on aggregates, each written as what computes it."""
    text = show(condition)
    for each, computed in values.items():
        text = text.replace(f"${each.name}", computed)
    return text


def _layout(carried: WindowItems, source: str, asked: str, parts: dict[AggregateOf, str]) -> str:
    schema = carried.schema
    start = f"<{START}>{{ (: where the window starts :) () }}</{START}>"
    values = "".join(
        f"\n        <{carried.name(each)}>{{ {parts[each]} }}</{carried.name(each)}>"
        for each in carried.carried
    )
    item = f"<{schema.item.name}>\n        {start}{values}\n      </{schema.item.name}>"
    return (
        f"<{schema.root}>\n  {{ for $w in {source}{asked}\n"
        f"    return\n      {item} }}\n</{schema.root}>"
    )
