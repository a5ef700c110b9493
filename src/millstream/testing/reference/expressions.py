"""The value of an expression: a sequence, found by walking trees."""

from __future__ import annotations

from collections.abc import Mapping

from millstream.algebra.expressions import (
    CONTEXT,
    And,
    Arithmetic,
    Call,
    Compare,
    Each,
    Expression,
    If,
    Literal,
    NewElement,
    Or,
    PathTo,
    Quantified,
    Sequence,
    Step,
    Text,
)
from millstream.errors import InternalError
from millstream.testing.reference.arithmetic import calculate
from millstream.testing.reference.construction import new_attribute, new_element
from millstream.testing.reference.functions import call
from millstream.testing.reference.nodes import ElementNode, Node, TextNode
from millstream.testing.reference.values import Atomic, Value, Values, atomize, is_related, truth

Environment = Mapping[str, Values]
"""What each variable holds."""


def value_of(expression: Expression, environment: Environment) -> Values:
    """The sequence that an expression gives."""
    match expression:
        case Literal(value):
            return (value,)
        case Text(value):
            return (TextNode(value),) if value else ()
        case PathTo():
            return _path(expression, environment)
        case Compare() | And() | Or() | Quantified():
            return (_is_true(expression, environment),)
        case Arithmetic():
            left, right = _operands(expression, environment)
            return calculate(expression.operator, left, right)
        case If(condition, then, otherwise):
            return value_of(then if holds(condition, environment) else otherwise, environment)
        case Sequence(items):
            return tuple(value for item in items for value in value_of(item, environment))
        case Call(function, arguments):
            return call(function, *(value_of(argument, environment) for argument in arguments))
        case Each():
            return _each(expression, environment)
        case NewElement():
            return (_element(expression, environment),)
        case _:
            raise InternalError("tuples with tags have a reference of their own")


def holds(condition: Expression, environment: Environment) -> bool:
    """The effective boolean value of a condition."""
    return truth(value_of(condition, environment))


def _is_true(condition: Compare | And | Or | Quantified, environment: Environment) -> bool:
    match condition:
        case Compare():
            return _compare(condition, environment)
        case And(operands):
            return all(holds(operand, environment) for operand in operands)
        case Or(operands):
            return any(holds(operand, environment) for operand in operands)
        case Quantified():
            return _quantified(condition, environment)


def _path(path: PathTo, environment: Environment) -> Values:
    if path.variable not in environment:
        raise InternalError(f"variable ${path.variable} is not bound")
    values = environment[path.variable]
    for step in path.steps:
        values = tuple(found for value in values for found in _take(step, value, environment))
    return values


def _take(step: Step, value: Value, environment: Environment) -> list[Node]:
    """The nodes that a step finds below one parent, narrowed by one predicate after another."""
    nodes = _below(value, step.name) if isinstance(value, ElementNode) else []
    for predicate in step.predicates:
        position = _position(predicate)
        if position is not None:
            nodes = nodes[position - 1 : position] if position > 0 else []
        else:
            nodes = [node for node in nodes if holds(predicate, {**environment, CONTEXT: (node,)})]
    return nodes


def _below(element: ElementNode, name: str) -> list[Node]:
    if name.startswith("@"):
        return [each for each in element.attributes if each.name == name[1:]]
    if name == "text()":
        return [each for each in element.children if isinstance(each, TextNode)]
    elements = [each for each in element.children if isinstance(each, ElementNode)]
    return [each for each in elements if name in ("*", each.name)]


def _position(predicate: Expression) -> int | None:
    match predicate:
        case Literal(value=bool()):
            return None
        case Literal(value=int(position)):
            return position
        case _:
            return None


def _compare(comparison: Compare, environment: Environment) -> bool:
    lefts, rights = _operands(comparison, environment)
    return any(is_related(comparison.operator, left, right) for left in lefts for right in rights)


def _operands(
    expression: Compare | Arithmetic, environment: Environment
) -> tuple[tuple[Atomic, ...], tuple[Atomic, ...]]:
    left = atomize(value_of(expression.left, environment))
    return left, atomize(value_of(expression.right, environment))


def _each(each: Each, environment: Environment) -> Values:
    results: list[Value] = []
    for value in value_of(each.source, environment):
        inner = {**environment, each.variable: (value,)}
        if each.condition is None or holds(each.condition, inner):
            results += value_of(each.result, inner)
    return tuple(results)


def _quantified(quantified: Quantified, environment: Environment) -> bool:
    quantifier = all if quantified.every else any
    return quantifier(
        holds(quantified.condition, {**environment, quantified.variable: (value,)})
        for value in value_of(quantified.source, environment)
    )


def _element(element: NewElement, environment: Environment) -> ElementNode:
    attributes = [
        new_attribute(each.name, [value_of(part, environment) for part in each.parts])
        for each in element.attributes
    ]
    parts = [value_of(part, environment) for part in element.content]
    return new_element(element.name, attributes, parts)
