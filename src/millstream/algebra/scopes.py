"""Which variables an expression uses, and replacing them without capturing others.

Each and Quantified bind their variable in condition and result, not in their source. A step's
predicates see the node asked about as CONTEXT, which hides an outer CONTEXT.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import overload

from millstream.algebra.children import Rewrite, children, map_children, map_steps
from millstream.algebra.expressions import CONTEXT, Each, Expression, PathTo, Quantified
from millstream.algebra.operators import (
    Aggregation,
    Construct,
    Join,
    Operator,
    Scan,
    Select,
    Unnest,
    Window,
)
from millstream.algebra.tag_expressions import map_tag_expressions
from millstream.algebra.tag_operators import TagOperator, TagVariable
from millstream.errors import InternalError

Binder = Each | Quantified


def free_variables(expression: Expression) -> frozenset[str]:
    """The variables that an expression takes from its surroundings, CONTEXT included."""
    match expression:
        case PathTo(variable, _):
            return _union(children(expression)) - {CONTEXT} | {variable}
        case Each() | Quantified():
            inner = _union(_scope(expression)) - {expression.variable}
            return free_variables(expression.source) | inner
        case _:
            return _union(children(expression))


def substitute(expression: Expression, values: Mapping[str, Expression]) -> Expression:
    """The expression with free variables replaced by expressions, bound ones renamed if need be."""
    values = {name: value for name, value in values.items() if name in free_variables(expression)}
    if not values:
        return expression
    match expression:
        case PathTo():
            return _substitute_path(expression, values)
        case Each() | Quantified():
            return _substitute_binder(expression, values)
        case _:
            return map_children(expression, lambda child: substitute(child, values))


@overload
def rename(tree: Expression, names: Mapping[str, str]) -> Expression: ...
@overload
def rename(tree: Operator, names: Mapping[str, str]) -> Operator: ...
@overload
def rename(tree: Construct, names: Mapping[str, str]) -> Construct: ...


def rename(
    tree: Expression | Operator | Construct, names: Mapping[str, str]
) -> Expression | Operator | Construct:
    """The tree with free variables, and those that its operators bind, named anew."""
    match tree:
        case Construct():
            renamed = rename(tree.template, names)
            return Construct(rename(tree.input, names), renamed, tree.carries_tags)
        case Scan() | Unnest() | Select() | Window() | Join():
            return _rename_operator(tree, names)
        case _ if isinstance(tree, TagOperator):
            return _rename_tag_operator(tree, names)
        case _:
            return substitute(tree, {old: PathTo(new) for old, new in names.items()})


def fresh_name(name: str, taken: frozenset[str]) -> str:
    """The name, or the first of name_2, name_3, … that is not taken."""
    candidate, number = name, 1
    while candidate in taken:
        number += 1
        candidate = f"{name}_{number}"
    return candidate


def _union(expressions: tuple[Expression, ...]) -> frozenset[str]:
    return frozenset().union(*(free_variables(each) for each in expressions))


def _substitute_path(path: PathTo, values: Mapping[str, Expression]) -> Expression:
    inner = {name: value for name, value in values.items() if name != CONTEXT}
    predicates = _union(children(path))
    if any(name in predicates and CONTEXT in free_variables(inner[name]) for name in inner):
        raise InternalError("a step predicate would capture the context item")
    steps = map_steps(path.steps, lambda predicate: substitute(predicate, inner))
    value = values.get(path.variable, PathTo(path.variable))
    if not steps:
        return value
    if isinstance(value, PathTo):
        return PathTo(value.variable, value.steps + steps)
    variable = fresh_name("node", free_variables(value) | predicates)
    return Each(variable, value, PathTo(variable, steps))


def _substitute_binder(binder: Binder, values: Mapping[str, Expression]) -> Expression:
    source = substitute(binder.source, values)
    inner = {name: value for name, value in values.items() if name != binder.variable}
    taken = _union(tuple(inner.values()))
    if binder.variable in taken:
        taken |= _union(_scope(binder))
        inner[binder.variable] = PathTo(fresh_name(binder.variable, taken))
    variable = fresh_name(binder.variable, taken)
    return _rebind(binder, variable, source, lambda inside: substitute(inside, inner))


def _scope(binder: Binder) -> tuple[Expression, ...]:
    """The expressions in which the binder's variable is known."""
    if isinstance(binder, Quantified):
        return (binder.condition,)
    return (binder.result,) if binder.condition is None else (binder.condition, binder.result)


def _rebind(binder: Binder, variable: str, source: Expression, inside: Rewrite) -> Binder:
    if isinstance(binder, Quantified):
        return Quantified(binder.every, variable, source, inside(binder.condition))
    condition = None if binder.condition is None else inside(binder.condition)
    return Each(variable, source, inside(binder.result), condition)


def _rename_tag_operator(operator: TagOperator, names: Mapping[str, str]) -> Operator:
    changed = map_tag_expressions(operator, lambda each: rename(each, names))
    held = {each.name: getattr(changed, each.name) for each in fields(changed)}
    for name, value in held.items():
        if name in ("of", "label"):
            held[name] = _new(value, names)
        elif isinstance(value, TagVariable):
            held[name] = _rename_tag_variable(value, names)
        elif name == "tags":
            held[name] = tuple(_rename_tag_variable(each, names) for each in value)
        elif name in ("input", "left", "right"):
            held[name] = rename(value, names)
    return type(changed)(**held)


def _rename_tag_variable(tag: TagVariable, names: Mapping[str, str]) -> TagVariable:
    return TagVariable(_new(tag.variable, names), _new(tag.of, names))


def _rename_operator(
    operator: Scan | Unnest | Select | Window | Join, names: Mapping[str, str]
) -> Operator:
    match operator:
        case Scan():
            return replace(operator, variable=_new(operator.variable, names))
        case Unnest(below, variable, source, element):
            path = _rename_path(source, names)
            return Unnest(rename(below, names), _new(variable, names), path, element)
        case Select(below, predicate):
            return Select(rename(below, names), rename(predicate, names))
        case Window():
            return replace(
                operator,
                input=rename(operator.input, names),
                variable=_new(operator.variable, names),
                aggregations=tuple(_rename_one(each, names) for each in operator.aggregations),
                start=operator.start and _new(operator.start, names),
            )
        case Join(left, right, predicate):
            return Join(rename(left, names), rename(right, names), rename(predicate, names))


def _rename_one(aggregation: Aggregation, names: Mapping[str, str]) -> Aggregation:
    return replace(
        aggregation,
        variable=_new(aggregation.variable, names),
        source=_rename_path(aggregation.source, names),
        weight=aggregation.weight and _rename_path(aggregation.weight, names),
    )


def _rename_path(path: PathTo, names: Mapping[str, str]) -> PathTo:
    renamed = rename(path, names)
    assert isinstance(renamed, PathTo), "a renamed path is a path"
    return renamed


def _new(variable: str, names: Mapping[str, str]) -> str:
    return names.get(variable, variable)
