"""Queries of the algebra written as WXQuery text."""

from __future__ import annotations

from dataclasses import dataclass, replace

from millstream.algebra.expressions import CONTEXT, PathTo
from millstream.algebra.operators import (
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
from millstream.algebra.walk import rename


@dataclass(frozen=True, slots=True)
class Clauses:
    """The for, let and where clauses of a FLWOR."""

    bindings: tuple[str, ...]
    wheres: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        where = f" where {' and '.join(self.wheres)}" if self.wheres else ""
        return " ".join(self.bindings) + where


def query_text(query: Query) -> str:
    """The query as a user would write it: one FLWOR a branch, inside its root if it has one."""
    flwors = [_flwor(branch) for branch in query.branches]
    if query.opening:
        return query.opening + "".join(f"{{ {each} }}" for each in flwors) + query.closing
    return flwors[0] if len(flwors) == 1 else ", ".join(f"({each})" for each in flwors)


def _flwor(branch: Construct) -> str:
    return f"{_clauses(branch.input).text} return {show(branch.template)}"


def _clauses(operator: Operator) -> Clauses:
    match operator:
        case Scan():
            return Clauses((f"for ${operator.variable} in {_source(operator)}",))
        case Unnest(below, variable, source, _):
            clauses = _clauses(below)
            return replace(
                clauses, bindings=(*clauses.bindings, f"for ${variable} in {show(source)}")
            )
        case Select(below, predicate):
            clauses = _clauses(below)
            return replace(clauses, wheres=(*clauses.wheres, f"({show(predicate)})"))
        case Window():
            return Clauses((f"for ${operator.variable} in {_windowed(operator)}", *_lets(operator)))
        case Join(left, right, predicate):
            one, other = _clauses(left), _clauses(right)
            wheres = (*one.wheres, *other.wheres, f"({show(predicate)})")
            return Clauses((*one.bindings, *other.bindings), wheres)
        case _:
            raise AssertionError("TAG-QL has an unparser of its own")


def _source(operator: Operator) -> str:
    """The path of a stream's items, with the predicates that choose among them."""
    match operator:
        case Scan(stream, _, schema):
            return f'stream("{stream}")/{schema.root}/{schema.item.name}'
        case Select(below, predicate):
            variable = below.bindings[-1].variable
            return f"{_source(below)}[{show(rename(predicate, {variable: CONTEXT}))}]"
        case Unnest(below, _, PathTo(_, steps), _):
            return f"{_source(below)}/{show(PathTo(CONTEXT, steps))}"
        case _:
            raise AssertionError("only the items of one stream can be written as a path")


def _windowed(window: Window) -> str:
    return _source(window.input) + str(window.spec)


def _lets(window: Window) -> tuple[str, ...]:
    return tuple(
        f"let ${each.variable} := {each.function.value}({show(each.source)})"
        for each in window.aggregations
    )
