"""Expressions that are named more than once in SQL."""

from __future__ import annotations

from collections.abc import Callable

from millstream.compiler import names

_SHORT = 160
"""Up to so many characters an expression is written again: Spark then generates code for it, which
it does not for functions of arrays, and computes what is the same only once."""


def let(name: str, sql: str, body: Callable[[str], str]) -> str:
    """The body with an SQL expression in place, computed once."""
    if len(sql) <= _SHORT and "->" not in sql and "raise_error" not in sql:
        return body(sql)
    return names.let(name, sql, body)
