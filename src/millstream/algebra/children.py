"""The expressions directly inside an expression: one place that knows every node's shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from millstream.algebra.expressions import (
    And,
    Arithmetic,
    Call,
    Compare,
    Each,
    Expression,
    If,
    Literal,
    NewAttribute,
    NewElement,
    NewPair,
    NewTag,
    NewTuple,
    Or,
    PathTo,
    Quantified,
    Sequence,
    Step,
    Text,
)

Rewrite = Callable[[Expression], Expression]


def children(expression: Expression) -> tuple[Expression, ...]:
    """The expressions directly inside, in order of writing; a path holds its predicates."""
    found: list[Expression] = []

    def note(child: Expression) -> Expression:
        found.append(child)
        return child

    map_children(expression, note)
    return tuple(found)


def map_children(expression: Expression, function: Rewrite) -> Expression:
    """The expression with each expression directly inside replaced."""
    match expression:
        case Literal() | Text():
            return expression
        case PathTo():
            return replace(expression, steps=map_steps(expression.steps, function))
        case Compare() | Arithmetic():
            left, right = function(expression.left), function(expression.right)
            return replace(expression, left=left, right=right)
        case And() | Or():
            return replace(expression, operands=_all(expression.operands, function))
        case If(condition, then, otherwise):
            return If(function(condition), function(then), function(otherwise))
        case Sequence():
            return Sequence(_all(expression.items, function))
        case Call():
            return replace(expression, arguments=_all(expression.arguments, function))
        case Each():
            return _map_each(expression, function)
        case Quantified():
            source, condition = function(expression.source), function(expression.condition)
            return replace(expression, source=source, condition=condition)
        case NewElement():
            return _map_element(expression, function)
        case NewTuple() | NewPair() | NewTag():
            return _map_result(expression, function)


def map_steps(steps: tuple[Step, ...], function: Rewrite) -> tuple[Step, ...]:
    """The steps with each predicate replaced."""
    return tuple(replace(step, predicates=_all(step.predicates, function)) for step in steps)


def _all(expressions: tuple[Expression, ...], function: Rewrite) -> tuple[Expression, ...]:
    return tuple(function(each) for each in expressions)


def _map_each(each: Each, function: Rewrite) -> Each:
    source = function(each.source)
    condition = None if each.condition is None else function(each.condition)
    return replace(each, source=source, condition=condition, result=function(each.result))


def _map_element(element: NewElement, function: Rewrite) -> NewElement:
    attributes = tuple(
        NewAttribute(attribute.name, _all(attribute.parts, function))
        for attribute in element.attributes
    )
    return NewElement(element.name, attributes, _all(element.content, function))


def _map_result(result: NewTuple | NewPair | NewTag, function: Rewrite) -> Expression:
    match result:
        case NewTuple():
            return _map_tuple(result, function)
        case NewPair(left, right):
            return NewPair(_map_tuple(left, function), _map_tuple(right, function))
        case NewTag(tag):
            mapped = function(tag)
            assert isinstance(mapped, PathTo), "a tag is held by a variable"
            return NewTag(mapped)


def _map_tuple(new: NewTuple, function: Rewrite) -> NewTuple:
    columns = tuple(replace(each, value=function(each.value)) for each in new.columns)
    return replace(new, columns=columns)
