"""Where in a tree of operators a condition or a loop belongs: as low as its variables allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from millstream.algebra.expressions import Expression, PathTo
from millstream.algebra.operators import Aggregation, Join, Operator, Select, Unnest, Window
from millstream.algebra.walk import conjoin, free_variables, operators, transform_operator
from millstream.model.schema import Element


def place_condition(operator: Operator, condition: Expression) -> Operator:
    """The operator tree with one more condition."""
    needs = free_variables(condition)
    match operator:
        case Join(left, right, predicate):
            if needs <= _bound(left):
                return replace(operator, left=place_condition(left, condition))
            if needs <= _bound(right):
                return replace(operator, right=place_condition(right, condition))
            return replace(operator, predicate=conjoin((predicate, condition)))
        case Unnest(below) if needs <= _bound(below):
            return replace(operator, input=place_condition(below, condition))
        case Select(below, predicate) if isinstance(below, Unnest | Join):
            sunk = place_condition(below, condition)
            if not isinstance(sunk, Select):
                return replace(operator, input=sunk)
            return Select(below, conjoin((predicate, condition)))
        case Select(below, predicate):
            return Select(below, conjoin((predicate, condition)))
        case _:
            return Select(operator, condition)


def place_unnest(operator: Operator, variable: str, source: PathTo, element: Element) -> Operator:
    """The operator tree with one more loop over nodes inside its rows."""
    needs = free_variables(source)
    if isinstance(operator, Join) and needs <= _bound(operator.left):
        left = place_unnest(operator.left, variable, source, element)
        return replace(operator, left=left)
    if isinstance(operator, Join) and needs <= _bound(operator.right):
        right = place_unnest(operator.right, variable, source, element)
        return replace(operator, right=right)
    return Unnest(operator, variable, source, element)


def complete_windows(
    operator: Operator,
    aggregations: dict[str, list[Aggregation]],
    uses: Sequence[Expression],
) -> Operator:
    """The operator tree with each window computing what is asked of it.

    A window keeps its contents if they are used otherwise, by an expression or by a loop.
    """
    loops = [each.source for each in operators(operator) if isinstance(each, Unnest)]
    used = frozenset().union(*(free_variables(each) for each in (*uses, *loops)))

    def complete(each: Operator) -> Operator:
        if not isinstance(each, Window):
            return each
        asked = tuple(aggregations[each.variable])
        return replace(each, aggregations=asked, keeps_contents=each.variable in used)

    return transform_operator(operator, complete)


def _bound(operator: Operator) -> frozenset[str]:
    """The variables of an operator's rows; a window's own one may come to be kept."""
    windows = {each.variable for each in operators(operator) if isinstance(each, Window)}
    return frozenset(windows.union(binding.variable for binding in operator.bindings))
