"""Functions written in Python that queries over histories may call."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from inspect import Parameter, signature
from typing import Any, TypeVar, get_args, get_origin, get_type_hints, overload

from millstream.errors import QueryError, SchemaError

KINDS: Mapping[type, str] = {
    float: "float",
    int: "integer",
    str: "text",
    bool: "truth",
    datetime: "time",
}
"""The types of arguments and results, with their names."""
_NAME = re.compile(r"[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?")
_ANY_ARGUMENTS = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD, Parameter.KEYWORD_ONLY)
_Called = TypeVar("_Called", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class ValueForm:
    """What an argument or a result is: one value of a kind, or any number of them."""

    kind: str
    many: bool = False

    def __str__(self) -> str:
        return f"{self.kind}*" if self.many else self.kind


@dataclass(frozen=True, slots=True)
class UserFunction:
    """A function of Python, under the name by which queries call it."""

    name: str
    called: Callable[..., Any]
    parameters: tuple[ValueForm, ...]
    result: ValueForm

    def values(self, arguments: list[list[Any]]) -> list[Any]:
        """What it gives for the values of each argument; nothing if one of them is missing."""
        given: list[Any] = []
        for form, values in zip(self.parameters, arguments, strict=True):
            if form.many:
                given.append(values)
            elif not values:
                return []
            elif len(values) > 1:
                raise QueryError(
                    f"{self.name}() takes one value, here it has {len(values)}", code="arity"
                )
            else:
                given.append(values[0])
        return self._checked(self._called(given))

    def _called(self, given: list[Any]) -> Any:
        try:
            return self.called(*given)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".rstrip(": ")
            raise QueryError(f"{self.name}() failed: {reason}", code="function") from error

    def _checked(self, found: Any) -> list[Any]:
        """The values that were given back, if they are what was promised."""
        if found is None:
            return []
        values = list(found) if self.result.many else [found]
        return [self._converted(each) for each in values]

    def _converted(self, value: Any) -> Any:
        match self.result.kind, value:
            case ("float", bool()) | ("integer", bool()):
                pass
            case "float", int() | float():
                return float(value)
            case ("integer", int()) | ("text", str()) | ("truth", bool()) | ("time", datetime()):
                return value
        raise QueryError(
            f"{self.name}() gave {type(value).__name__}, not {self.result.kind}", code="function"
        )


_registered: dict[str, UserFunction] = {}


def registered() -> Mapping[str, UserFunction]:
    """The functions that queries of this process may call, by name."""
    return _registered


def restore(functions: Mapping[str, UserFunction]) -> None:
    """Register functions that another process had."""
    _registered.update(functions)


def forget(name: str) -> None:
    """Let queries no longer call a function."""
    _registered.pop(name, None)


@overload
def function(called: _Called) -> _Called: ...
@overload
def function(*, name: str) -> Callable[[_Called], _Called]: ...
def function(called: Any = None, *, name: str | None = None) -> Any:
    """Let queries over histories call a function of Python, by its own name or another.

    Its annotations say what it takes and gives: float, int, str, bool, datetime, or lists of these.
    """
    if called is None:
        return lambda each: _register(each, name)
    return _register(called, name)


def _register(called: Callable[..., Any], name: str | None) -> Callable[..., Any]:
    known = name or str(getattr(called, "__name__", ""))
    if not _NAME.fullmatch(known):
        raise SchemaError(f"'{known}' is no name of a function", code="function")
    forms = [_form(each, known) for each in _annotations(called, known)]
    _registered[known] = UserFunction(known, called, tuple(forms[:-1]), forms[-1])
    return called


def _annotations(called: Callable[..., Any], name: str) -> list[Any]:
    """The types of the parameters, and of the result last."""
    hints = get_type_hints(called)
    found = []
    for parameter in signature(called).parameters.values():
        if parameter.kind in _ANY_ARGUMENTS:
            raise SchemaError(f"{name}() must take a fixed number of arguments", code="function")
        found.append(hints.get(parameter.name))
    return [*found, hints.get("return")]


def _form(annotation: Any, name: str) -> ValueForm:
    many = get_origin(annotation) in (list, tuple)
    inner = set(get_args(annotation)) - {Ellipsis} if many else {annotation}
    if len(inner) == 1 and (only := inner.pop()) in KINDS:
        return ValueForm(KINDS[only], many)
    raise SchemaError(
        f"{name}() must say what it takes and gives",
        code="function",
        help=f"annotate it with {', '.join(each.__name__ for each in KINDS)} or lists of one",
    )
