"""Where in a tree of operators a condition or a loop belongs: as low as its variables allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from millstream.algebra.expressions import Expression, PathTo
from millstream.algebra.operators import Aggregation, Join, Operator, Select, Unnest, Window
from millstream.algebra.walk import conjoin, free_variables, operators, transform_operator
from millstream.model.schema import Element


def place_conditions(operator: Operator, conditions: Sequence[Expression]) -> Operator:
    """The operator tree with more conditions."""
    if not conditions:
        return operator
    match operator:
        case Join(left, right, predicate):
            on_left, others = _split(conditions, left)
            on_right, on_both = _split(others, right)
            return Join(
                place_conditions(left, on_left),
                place_conditions(right, on_right),
                conjoin((predicate, *on_both)),
            )
        case Unnest(below):
            outside, inside = _split(conditions, below)
            placed = replace(operator, input=place_conditions(below, outside))
            return Select(placed, conjoin(inside)) if inside else placed
        case Select(Unnest() as below, predicate):
            return place_conditions(below, (predicate, *conditions))
        case Select(below, predicate):
            return Select(below, conjoin((predicate, *conditions)))
        case _:
            return Select(operator, conjoin(conditions))


def _split(
    conditions: Sequence[Expression], operator: Operator
) -> tuple[list[Expression], list[Expression]]:
    """The conditions that an operator's variables suffice for, and the others."""
    bound = _bound(operator)
    enough = [free_variables(each) <= bound for each in conditions]
    pairs = tuple(zip(conditions, enough, strict=True))
    return [each for each, fits in pairs if fits], [each for each, fits in pairs if not fits]


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
