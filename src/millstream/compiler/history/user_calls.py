"""Functions that are registered from Python: in SQL, functions of the session."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from millstream.algebra.xcql import expressions as core
from millstream.compiler.history.base import CompilerBase
from millstream.compiler.history.environment import Environment
from millstream.compiler.history.sequences import Atoms, Role, Type
from millstream.compiler.history.texts import shown, trimmed
from millstream.compiler.history.untranslatable import Untranslatable
from millstream.model.filler_layout import OPEN, START, instant_of, microseconds
from millstream.model.user_functions import UserFunction, ValueForm, registered

TYPES: Mapping[str, tuple[Type, str]] = {
    "float": (Type.DOUBLE, "DOUBLE"),
    "integer": (Type.INTEGER, "BIGINT"),
    "text": (Type.TEXT, "STRING"),
    "truth": (Type.TRUTH, "BOOLEAN"),
    "time": (Type.TIME, "BIGINT"),
}
_ODD = re.compile(r"\W")


class UserCallCompiler(CompilerBase):
    """Compiles calls of registered functions."""

    def user_call(self, call: core.UserCall, environment: Environment) -> Atoms:
        function = registered()[call.function]
        if environment.local or environment.context_is_local:
            raise Untranslatable("a function of Python for each element inside a row", call.span)
        given = [
            self._argument(each, form, environment)
            for each, form in zip(call.arguments, function.parameters, strict=True)
        ]
        type, _ = TYPES[function.result.kind]
        sql = f"{sql_name(call.function)}({', '.join(given)})"
        return Atoms(sql, type, one=not function.result.many)

    def _argument(
        self, argument: core.Expression, form: ValueForm, environment: Environment
    ) -> str:
        values = self.atoms(argument, environment)
        converted = self._converted(values if form.many else self.reader.one(values), form.kind)
        return self.reader.array(converted) if form.many else converted.sql

    def _converted(self, values: Atoms, kind: str) -> Atoms:
        wanted, _ = TYPES[kind]
        if values.type is wanted:
            return values
        if kind == "float":
            return self.reader.double(values)
        if kind == "text" and values.type is not Type.DURATION:
            return replace(shown(values), role=Role.VALUE)
        if kind == "integer" and values.type is Type.UNTYPED:
            return _each(values, lambda sql: f"CAST({trimmed(sql)} AS BIGINT)", Type.INTEGER)
        raise Untranslatable(f"an argument that is made {kind}")


def _each(values: Atoms, write: Callable[[str], str], type: Type) -> Atoms:
    if values.one:
        return Atoms(write(values.sql), type)
    return Atoms(f"transform({values.sql}, x -> {write('x')})", type, one=False)


def sql_name(name: str) -> str:
    """The name of a registered function in a session."""
    return "millstream_" + _ODD.sub(lambda odd: f"_{ord(odd[0]):x}_", name)


def result_type(function: UserFunction) -> str:
    """The type of what a function gives, in SQL."""
    _, type = TYPES[function.result.kind]
    return f"ARRAY<{type}>" if function.result.many else type


def called_functions(sql: str) -> Iterator[UserFunction]:
    """The registered functions that a statement calls."""
    return (each for name, each in registered().items() if f"{sql_name(name)}(" in sql)


def as_sql_function(function: UserFunction) -> Callable[..., Any]:
    """A function of Python that takes and gives values as they are in SQL."""
    forms, result = function.parameters, function.result

    def called(*arguments: Any) -> Any:
        given = [_values(value, form) for value, form in zip(arguments, forms, strict=True)]
        values = [
            _stored(each) if result.kind == "time" else each for each in function.values(given)
        ]
        return values if result.many else next(iter(values), None)

    return called


def _values(value: Any, form: ValueForm) -> list[Any]:
    listed = ([] if value is None else list(value)) if form.many else [value]
    known = [each for each in listed if each is not None]
    return [_instant(each) for each in known] if form.kind == "time" else known


def _instant(time: int) -> Any:
    if time in (START, OPEN):
        raise ValueError("a time before or after all others")
    return instant_of(time)


def _stored(value: Any) -> int:
    return microseconds(value)
