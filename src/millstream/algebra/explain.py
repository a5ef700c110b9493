"""Queries as indented text, the same for equal queries, that can be read aloud."""

from __future__ import annotations

from collections.abc import Iterator

from millstream.algebra.operators import (
    Aggregation,
    Construct,
    Join,
    Operator,
    Query,
    Scan,
    Select,
    Unnest,
    Window,
)
from millstream.algebra.show import show
from millstream.algebra.tag_explain import explain_tags
from millstream.algebra.walk import inputs

__all__ = ["explain", "explain_operator", "show"]

INDENT = "  "


def explain(query: Query) -> str:
    """The operators of a query, one a line, inputs indented below what reads them."""
    root = f"{query.opening} … {query.closing}" if query.opening else "without a root"
    lines = [f"Query {root}"]
    for branch in query.branches:
        lines += (INDENT + line for line in _construct(branch))
    return "\n".join(lines)


def explain_operator(operator: Operator) -> str:
    """An operator and its inputs, one a line."""
    return "\n".join(_lines(operator))


def _construct(branch: Construct) -> Iterator[str]:
    shown = show(branch.template)
    tags = " with tags" if branch.carries_tags and not shown.endswith(" with tags") else ""
    yield f"Construct {shown}{tags}"
    for line in _lines(branch.input):
        yield INDENT + line


def _lines(operator: Operator) -> Iterator[str]:
    yield _line(operator)
    for each in inputs(operator):
        for line in _lines(each):
            yield INDENT + line


def _line(operator: Operator) -> str:
    match operator:
        case Scan(stream, variable, _):
            return f"Scan {stream} as ${variable}"
        case Unnest(_, variable, source, _):
            return f"Unnest {show(source)} as ${variable}"
        case Select(_, predicate):
            return f"Select {show(predicate)}"
        case Join(_, _, predicate):
            return f"Join where {show(predicate)}"
        case Window():
            return _window(operator)
        case _:
            return explain_tags(operator)


def _window(window: Window) -> str:
    parts = [f"Window {window.spec} as ${window.variable}"]
    if window.tile is not None:
        parts.append(f"of tiles of {window.tile}")
    if window.start is not None:
        parts.append(f"starting at ${window.start}")
    if window.aggregations:
        parts.append("with " + ", ".join(_aggregation(each) for each in window.aggregations))
    if window.keeps_contents:
        parts.append("keeping contents")
    if window.end is not None:
        parts.append(f"ending by {window.end.value}")
    if window.empty:
        parts.append("empty ones too")
    return " ".join(parts)


def _aggregation(aggregation: Aggregation) -> str:
    weight = "" if aggregation.weight is None else f", {show(aggregation.weight)}"
    call = f"{aggregation.function.value}({show(aggregation.source)}{weight})"
    return f"${aggregation.variable} := {call} as {aggregation.type.value}"
