"""Queries that call functions of Python: they tell what must be asked, as many at once as can be.

An engine for XQuery does not call Python. A call looks its answer up, and fails if there is none
yet; loops gather such failures of all their rounds. Whoever runs the query asks the functions, and
runs it again, until nothing is left to be asked.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypeVar

from millstream.languages.xquery import syntax
from millstream.languages.xquery.translation.naming import PREFIX, call
from millstream.languages.xquery.walk import walk

ASK = f"{PREFIX}:ask"
_ONE = syntax.NumberLiteral("1")
_Node = TypeVar("_Node", bound=syntax.Node)


def asks(node: syntax.Node) -> bool:
    """True if a translated expression calls functions of Python."""
    return any(isinstance(each, syntax.FunctionCall) and each.name == ASK for each in walk(node))


def gathering(node: _Node) -> _Node:
    """A translated query in which every loop gathers the questions of all its rounds."""
    if not asks(node):
        return node
    changed: dict[str, Any] = {
        each.name: _gathered(value)
        for each in fields(node)
        if isinstance(value := getattr(node, each.name), syntax.Node | tuple)
    }
    return replace(node, **changed)


def answered(result: syntax.Expression) -> syntax.Expression:
    """The body of a query, which gives its answer or all questions."""
    return call("answered", syntax.Postponed(result))


def _gathered(value: syntax.Node | tuple[object, ...]) -> object:
    if isinstance(value, tuple):
        return tuple(_gathered(each) if isinstance(each, syntax.Node) else each for each in value)
    inner = gathering(value)
    match inner:
        case syntax.Flwor() if asks(inner):
            return _loop(inner)
        case syntax.Quantified() if asks(inner):
            return _quantified(inner)
    return inner


def _loop(loop: syntax.Flwor) -> syntax.Expression:
    result, where = loop.result, loop.where
    if not any(isinstance(each, syntax.For) for each in loop.clauses):
        return loop
    if where is not None and asks(where):
        result, where = syntax.If(where, result, syntax.Sequence()), None
    attempt = call("attempt", syntax.Postponed(result))
    return call("gathered", replace(loop, result=attempt, where=where))


def _quantified(asked: syntax.Quantified) -> syntax.Expression:
    clauses = tuple(syntax.For(each.variable, each.source, each.type) for each in asked.bindings)
    held = (_ONE, syntax.Sequence()) if not asked.every else (syntax.Sequence(), _ONE)
    loop = syntax.Flwor(clauses, syntax.If(asked.condition, *held))
    return syntax.FunctionCall("empty" if asked.every else "exists", (_loop(loop),))
