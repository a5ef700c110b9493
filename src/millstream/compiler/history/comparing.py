"""Comparisons of values and of nodes."""

from __future__ import annotations

from collections.abc import Callable

from millstream.compiler.history.atoms import AtomReader
from millstream.compiler.history.sequences import Atoms, Role, Type
from millstream.compiler.history.texts import trimmed
from millstream.compiler.history.untranslatable import Untranslatable

_SQL = {"=": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
GENERAL_OF = {"eq": "=", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def compared(reader: AtomReader, operator: str, left: Atoms, right: Atoms) -> str:
    """True if some pair of values is so related; null or false if none is."""
    if operator in GENERAL_OF:
        left, right = reader.one(left), reader.one(right)
        if Type.UNTYPED in (left.type, right.type) and (left.type.numeric or right.type.numeric):
            raise Untranslatable("a single value of no type compared with a number")
        operator = GENERAL_OF[operator]
    one, other = converters(left, right)
    return _some(reader, left, lambda x: _some(
        reader, right, lambda y: f"{one(x)} {_SQL[operator]} {other(y)}"
    ))  # fmt: skip


def _some(reader: AtomReader, atoms: Atoms, test: Callable[[str], str]) -> str:
    if atoms.one:
        return test(atoms.sql)
    variable = reader.statement.fresh("x")
    return f"exists({atoms.sql}, {variable} -> {test(variable)})"


Converter = Callable[[str], str]


def converters(left: Atoms, right: Atoms) -> tuple[Converter, Converter]:
    """How the values of both sides are written for a comparison."""
    types = {left.type, right.type}
    if any(each.numeric for each in types):
        if types <= {Type.INTEGER, Type.DECIMAL, Type.DOUBLE}:
            if len(types) == 1 or Type.DOUBLE not in types:
                return _same, _same
            return _double(left), _double(right)
        if types - {Type.UNTYPED, Type.INTEGER, Type.DECIMAL, Type.DOUBLE}:
            raise Untranslatable("a number compared with what is none")
        return _double(left), _double(right)
    if all(each.textual for each in types):
        return _text(left), _text(right)
    if len(types) == 1:
        return _same, _same
    raise Untranslatable("values of different types compared")


def _same(sql: str) -> str:
    return sql


def _double(atoms: Atoms) -> Converter:
    if atoms.type is Type.UNTYPED:
        return lambda sql: f"CAST({trimmed(sql)} AS DOUBLE)"
    return lambda sql: f"CAST({sql} AS DOUBLE)"


def _text(atoms: Atoms) -> Converter:
    if atoms.type is Type.UNTYPED and atoms.role in (Role.ELEMENT, Role.TEXT_NODE):
        return trimmed
    return _same
