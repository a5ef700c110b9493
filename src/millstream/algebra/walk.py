"""Walking and rewriting expressions and operators, without regard to what names mean.

Names and their scopes are the business of scopes.py; its functions are offered here as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from millstream.algebra.children import children, map_children
from millstream.algebra.expressions import TRUE, And, Expression, PathTo
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
from millstream.algebra.scopes import free_variables, rename, substitute
from millstream.algebra.tag_expressions import map_tag_expressions, tag_expressions
from millstream.algebra.tag_operators import JoinTags, JoinTuples

__all__ = [
    "children",
    "conjoin",
    "conjuncts",
    "expressions",
    "free_variables",
    "inputs",
    "map_children",
    "map_expressions",
    "operators",
    "rename",
    "subexpressions",
    "substitute",
    "transform",
    "transform_operator",
    "transform_query",
]


def subexpressions(expression: Expression) -> Iterator[Expression]:
    """The expression and all expressions inside it, outer before inner, in order of writing."""
    yield expression
    for child in children(expression):
        yield from subexpressions(child)


def transform(expression: Expression, function: Callable[[Expression], Expression]) -> Expression:
    """The expression rewritten from the leaves up: the function sees rewritten children."""
    return function(map_children(expression, lambda child: transform(child, function)))


def inputs(operator: Operator) -> tuple[Operator, ...]:
    """The operators whose rows this one reads."""
    match operator:
        case Scan():
            return ()
        case Join() | JoinTuples() | JoinTags():
            return (operator.left, operator.right)
        case _:
            return (operator.input,)


def operators(operator: Operator) -> Iterator[Operator]:
    """The operator and all below it, an operator before its inputs, left before right."""
    yield operator
    for each in inputs(operator):
        yield from operators(each)


def transform_operator(operator: Operator, function: Callable[[Operator], Operator]) -> Operator:
    """The operator tree rewritten from the scans up: the function sees rewritten inputs."""
    match operator:
        case Scan():
            return function(operator)
        case Join() | JoinTuples() | JoinTags():
            left = transform_operator(operator.left, function)
            right = transform_operator(operator.right, function)
            return function(replace(operator, left=left, right=right))
        case _:
            return function(replace(operator, input=transform_operator(operator.input, function)))


def transform_query(query: Query, function: Callable[[Construct], Construct]) -> Query:
    """The query with each branch rewritten."""
    return replace(query, branches=tuple(function(branch) for branch in query.branches))


def expressions(operator: Operator | Construct) -> tuple[Expression, ...]:
    """The expressions that an operator itself holds, not those of its inputs."""
    match operator:
        case Scan():
            return ()
        case Unnest():
            return (operator.source,)
        case Select() | Join():
            return (operator.predicate,)
        case Window():
            return tuple(path for each in operator.aggregations for path in _paths(each))
        case Construct():
            return (operator.template,)
        case _:
            return tag_expressions(operator)


def map_expressions(operator: Operator, function: Callable[[Expression], Expression]) -> Operator:
    """The operator with its own expressions replaced; paths must stay paths."""
    match operator:
        case Scan():
            return operator
        case Unnest():
            return replace(operator, source=_path(function(operator.source)))
        case Select() | Join():
            return replace(operator, predicate=function(operator.predicate))
        case Window():
            aggregations = tuple(_map_paths(each, function) for each in operator.aggregations)
            return replace(operator, aggregations=aggregations)
        case _:
            return map_tag_expressions(operator, function)


def conjuncts(predicate: Expression) -> tuple[Expression, ...]:
    """The operands of a conjunction, however nested; none for the constant true."""
    if predicate == TRUE:
        return ()
    if isinstance(predicate, And):
        return tuple(each for operand in predicate.operands for each in conjuncts(operand))
    return (predicate,)


def conjoin(predicates: Iterable[Expression]) -> Expression:
    """The conjunction of predicates, flat and each once; the constant true for none."""
    parts = tuple(dict.fromkeys(part for each in predicates for part in conjuncts(each)))
    if not parts:
        return TRUE
    return parts[0] if len(parts) == 1 else And(parts)


def _paths(aggregation: Aggregation) -> tuple[PathTo, ...]:
    if aggregation.weight is None:
        return (aggregation.source,)
    return (aggregation.source, aggregation.weight)


def _map_paths(
    aggregation: Aggregation, function: Callable[[Expression], Expression]
) -> Aggregation:
    paths = [_path(function(each)) for each in _paths(aggregation)]
    return replace(aggregation, source=paths[0], weight=paths[1] if len(paths) > 1 else None)


def _path(expression: Expression) -> PathTo:
    assert isinstance(expression, PathTo), "only a path can be unnested or aggregated"
    return expression
