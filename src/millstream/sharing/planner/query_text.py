"""A query of the algebra as WXQuery text, for people who read plans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from millstream.algebra.expressions import CONTEXT, TRUE, Expression
from millstream.algebra.operators import (
    AggregateFunction,
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
from millstream.algebra.scopes import rename
from millstream.algebra.show import show


def query_text(query: Query) -> str:
    """The text of a query, indented."""
    branches = [_branch(each) for each in query.branches]
    if not query.opening:
        return ",\n".join(branches)
    inner = "\n".join(f"  {{ {_indented(each)} }}" for each in branches)
    return f"{query.opening}\n{inner}\n{query.closing}"


@dataclass(slots=True)
class _Clauses:
    """The clauses of a for expression: where comes after all for and let."""

    bindings: list[str] = field(default_factory=list)
    conditions: list[Expression] = field(default_factory=list)

    def add(self, operator: Operator) -> None:
        match operator:
            case Scan(variable=variable):
                self.bindings.append(f"for ${variable} in {_source(operator)}")
            case Unnest(below, variable, source):
                self.add(below)
                self.bindings.append(f"for ${variable} in {show(source)}")
            case Select(below, predicate):
                self.add(below)
                self.conditions.append(predicate)
            case Join(left, right, predicate):
                self.add(left)
                self.add(right)
                self.conditions.append(predicate)
            case Window():
                self._window(operator)

    def _window(self, window: Window) -> None:
        below = _Clauses()
        below.add(window.input)
        node = window.input.bindings[-1].variable
        *outer, last = below.bindings
        source = last.partition(" in ")[2]
        asked = "".join(
            f"[{show(rename(each, {node: CONTEXT}))}]" for each in below.conditions if each != TRUE
        )
        self.bindings += [*outer, f"for ${window.variable} in {source}{asked}{_spec(window)}"]
        self.bindings += (
            f"let ${each.variable} := {_aggregate(each)}" for each in window.aggregations
        )

    def lines(self) -> Iterator[str]:
        yield from self.bindings
        conditions = [show(each) for each in self.conditions if each != TRUE]
        if conditions:
            yield f"where {' and '.join(conditions)}"


def _branch(branch: Construct) -> str:
    clauses = _Clauses()
    clauses.add(branch.input)
    return "\n".join((*clauses.lines(), f"return {show(branch.template)}"))


def _source(scan: Scan) -> str:
    return f'stream("{scan.stream}")/{scan.schema.root}/{scan.schema.item.name}'


def _spec(window: Window) -> str:
    """The windows; those made of windows take as many as tile them, picked by their starts."""
    if window.tile is None:
        return str(window.spec)
    tiles = window.spec.size // window.tile
    return f"|count {tiles} step {tiles}|"


def _aggregate(aggregation: Aggregation) -> str:
    if aggregation.weight is not None:
        return f"sum({show(aggregation.source)}) div sum({show(aggregation.weight)})"
    counts = aggregation.function is AggregateFunction.VALUES
    name = "count" if counts else aggregation.function.value
    return f"{name}({show(aggregation.source)})"


def _indented(text: str) -> str:
    return text.replace("\n", "\n    ")
