"""Arithmetic on numbers, times and durations."""

from __future__ import annotations

from millstream.compiler.history.atoms import AtomReader
from millstream.compiler.history.binding import let
from millstream.compiler.history.lifespans import OPEN_SQL, START_SQL
from millstream.compiler.history.sequences import Atoms, Type
from millstream.compiler.history.untranslatable import Untranslatable

_ROOM = "DECIMAL(18,9)"
"""Wide enough for what people write; a product of two is exact."""


def calculated(reader: AtomReader, operator: str, left: Atoms, right: Atoms) -> Atoms:
    """One value of two; none if either is missing."""
    one, other = reader.one(left), reader.one(right)
    types = (one.type, other.type)
    if Type.TIME in types or Type.DURATION in types:
        return _in_time(reader, operator, one, other)
    if Type.TRUTH in types or Type.TEXT in types:
        raise Untranslatable("a calculation with what is no number")
    if types == (Type.INTEGER, Type.INTEGER):
        return _of_integers(operator, one.sql, other.sql)
    if Type.DECIMAL in types and set(types) <= {Type.DECIMAL, Type.INTEGER}:
        return _of_decimals(operator, one.sql, other.sql)
    return _of_doubles(operator, reader.double(one).sql, reader.double(other).sql)


def negative(reader: AtomReader, operand: Atoms) -> Atoms:
    one = reader.one(operand)
    if one.type is Type.UNTYPED:
        one = reader.double(one)
    if not one.type.numeric and one.type is not Type.DURATION:
        raise Untranslatable("the negative of what is no number")
    return Atoms(f"(- {one.sql})", one.type)


def _of_integers(operator: str, one: str, other: str) -> Atoms:
    if operator in ("+", "-", "*"):
        return Atoms(f"({one} {operator} {other})", Type.INTEGER)
    if operator == "mod":
        return Atoms(f"({one} % {other})", Type.INTEGER)
    if operator == "idiv":
        return Atoms(f"({one} div {other})", Type.INTEGER)
    raise Untranslatable("a quotient of integers, which is a decimal")


def _of_decimals(operator: str, one: str, other: str) -> Atoms:
    if operator not in ("+", "-", "*"):
        raise Untranslatable("a quotient of decimals")
    exact = f"(CAST({one} AS {_ROOM}) {operator} CAST({other} AS {_ROOM}))"
    return Atoms(exact, Type.DECIMAL)


def _of_doubles(operator: str, one: str, other: str) -> Atoms:
    if operator in ("+", "-", "*"):
        return Atoms(f"({one} {operator} {other})", Type.DOUBLE)
    if operator == "div":
        # Spark refuses zero, which XQuery divides by.
        ratio = let(
            "divisor",
            other,
            lambda by: f"if({by} = 0D, {one} * power({by}, -1D), {one} / {by})",
        )
        return Atoms(f"({ratio})", Type.DOUBLE)
    if operator == "mod":
        rest = let(
            "divisor", other, lambda by: f"if({by} = 0D, {one} * double('NaN'), {one} % {by})"
        )
        return Atoms(f"({rest})", Type.DOUBLE)
    raise Untranslatable(f"'{operator}' of doubles")


def _in_time(reader: AtomReader, operator: str, one: Atoms, other: Atoms) -> Atoms:
    if operator not in ("+", "-"):
        raise Untranslatable("a product of durations")
    if other.type is Type.TIME and one.type is not Type.TIME:
        one, other = other, one
        if operator == "-":
            raise Untranslatable("a time taken from what is none")
    if one.type is not Type.TIME:
        if one.type is Type.DURATION and other.type is Type.DURATION:
            return Atoms(f"({one.sql} {operator} {other.sql})", Type.DURATION)
        raise Untranslatable("a duration and what is none")
    if other.type is Type.TIME:
        return _difference(one.sql, other.sql)
    if other.type is not Type.DURATION:
        return _by_seconds(operator, one.sql, reader.double(other).sql)
    length = other.sql
    moved = let(
        "time",
        one.sql,
        lambda time: f"if({time} IN ({START_SQL}, {OPEN_SQL}), {time}, {time} {operator} {length})",
    )
    return Atoms(f"({moved})", Type.TIME)


def _difference(one: str, other: str) -> Atoms:
    """The time between two times, of which neither is an end of all time."""
    raised = "CAST(raise_error('a length of all time') AS BIGINT)"
    ends = f"({START_SQL}, {OPEN_SQL})"
    length = let(
        "since",
        other,
        lambda since: let(
            "upto",
            one,
            lambda upto: f"if({since} IN {ends} OR {upto} IN {ends}, {raised}, {upto} - {since})",
        ),
    )
    return Atoms(f"({length})", Type.DURATION)


def _by_seconds(operator: str, time: str, seconds: str) -> Atoms:
    """A time moved by a number, which is one of seconds, to the nanosecond."""
    raised = "CAST(raise_error('a number of seconds before or after all time') AS BIGINT)"
    moved = let(
        "time",
        time,
        lambda time: (
            f"if({time} IN ({START_SQL}, {OPEN_SQL}), {raised}, "
            f"{time} * 1000L {operator} CAST({seconds} * 1e9D AS BIGINT))"
        ),
    )
    return Atoms(f"({moved})", Type.FINE_TIME)
