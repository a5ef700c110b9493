"""Expressions over histories as indented text, for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from millstream.algebra.xcql.expressions import Expression, Literal, Place, Step, Stream, Variable
from millstream.model.tag_structure import TagStructure

_INDENT = "  "
_MOST_PLACES = 6


def show(expression: Expression, structures: Mapping[str, TagStructure]) -> str:
    """An expression with one part a line, and the paths that its steps lead to."""
    return "\n".join(_lines(expression, "", structures))


def _lines(
    node: Expression, label: str, structures: Mapping[str, TagStructure], depth: int = 0
) -> list[str]:
    head = f"{_INDENT * depth}{label}{_head(node, structures)}"
    lines = [head]
    for each in fields(node):
        value = getattr(node, each.name)
        parts = value if isinstance(value, tuple) else (value,)
        for part in parts:
            if isinstance(part, Expression):
                name = "" if each.name in ("base", "operand", "operands", "items") else each.name
                inner = f"{name}: " if name else ""
                lines += _lines(part, inner, structures, depth + 1)
    return lines


def _head(node: Expression, structures: Mapping[str, TagStructure]) -> str:
    match node:
        case Variable(name):
            return f"${name}"
        case Literal(value):
            return repr(value)
        case Stream(name):
            return f'stream("{name}")'
        case Step(targets=targets):
            return f"Step to {_places(targets, structures)}"
    plain = [
        f"{each.name}={getattr(node, each.name)!r}"
        for each in fields(node)
        if isinstance(getattr(node, each.name), str | int | bool)
    ]
    return f"{type(node).__name__} {' '.join(plain)}".rstrip()


def _places(places: frozenset[Place], structures: Mapping[str, TagStructure]) -> str:
    shown = sorted("/".join(structures[each.stream].path(each.tag or 0)) for each in places)
    more = len(shown) - _MOST_PLACES
    listed = ", ".join(shown[:_MOST_PLACES])
    return f"{listed} and {more} more" if more > 0 else listed or "nothing"
