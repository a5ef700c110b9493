"""The words of the prolog: how expressions of the translation are put together."""

from __future__ import annotations

from collections.abc import Iterable

from millstream.languages.xquery import syntax

PREFIX = "xcql"
NAMESPACE = "urn:millstream:xcql"
OF_XQUERY = frozenset({"xs", "fn", "math", "local", "map", "xml", PREFIX})
"""Prefixes that mean something in every query."""


def call(name: str, *arguments: syntax.Expression) -> syntax.FunctionCall:
    """A call of a function of the prolog."""
    return syntax.FunctionCall(f"{PREFIX}:{name}", arguments)


def variable(name: str) -> syntax.VariableReference:
    """A variable of the prolog."""
    return syntax.VariableReference(f"{PREFIX}:{name}")


def number(value: int) -> syntax.NumberLiteral:
    return syntax.NumberLiteral(str(value))


def text(value: str) -> syntax.StringLiteral:
    return syntax.StringLiteral(value)


def numbers(values: Iterable[int]) -> syntax.Expression:
    """A number, or several in ascending order."""
    listed = tuple(number(value) for value in sorted(values))
    return listed[0] if len(listed) == 1 else syntax.Sequence(listed)


def union_of(parts: list[syntax.Expression]) -> syntax.Expression:
    """The nodes of some expressions in document order."""
    joined = parts[0]
    for part in parts[1:]:
        joined = syntax.Binary("|", joined, part)
    return joined


def let(name: str, value: syntax.Expression, result: syntax.Expression) -> syntax.Flwor:
    """An expression in which a variable of the prolog has a value."""
    return syntax.Flwor((syntax.Let(f"{PREFIX}:{name}", value),), result)
