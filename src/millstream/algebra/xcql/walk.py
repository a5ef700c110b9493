"""Going through an expression."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from millstream.algebra.xcql.expressions import (
    Combined,
    Expression,
    For,
    Let,
    Place,
    Step,
    Stream,
    Untranslated,
    Variable,
)


def parts(expression: Expression) -> Iterator[Expression]:
    """The expressions directly inside another."""
    for each in fields(expression):
        value = getattr(expression, each.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Expression):
                yield part


def walk(expression: Expression) -> Iterator[Expression]:
    """An expression and everything inside it."""
    waiting = [expression]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += parts(each)


def variables(expression: Expression) -> frozenset[str]:
    """The names of the variables that an expression asks for and does not bind itself."""
    asked = {each.name for each in walk(expression) if isinstance(each, Variable)}
    return frozenset(asked - set(bound(expression)))


def bound(expression: Expression) -> Iterator[str]:
    """The variables that are bound inside an expression: names are unique all over a query."""
    for each in walk(expression):
        match each:
            case For(variable, _, position):
                yield variable
                if position is not None:
                    yield position
            case Let(variable):
                yield variable


def places(expression: Expression) -> frozenset[Place]:
    """The places that an expression names: where its steps lead, and the streams it reads."""
    found: set[Place] = set()
    for each in walk(expression):
        match each:
            case Step(targets=targets) | Combined(places=targets):
                found |= targets
            case Stream(name):
                found.add(Place(name))
    return frozenset(found)


def untranslated(expression: Expression) -> tuple[Untranslated, ...]:
    """What an expression holds that has no form in the algebra."""
    return tuple(each for each in walk(expression) if isinstance(each, Untranslated))
