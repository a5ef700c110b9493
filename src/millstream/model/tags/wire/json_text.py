"""JSON in which numbers keep the digits with which they were written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from millstream.errors import ItemError

JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


class NumberText(str):
    """A number as it is written."""

    __slots__ = ()


def parse_json(text: str) -> Any:
    """The value of a text, or ItemError; numbers are NumberText."""
    try:
        return json.loads(
            text,
            parse_int=NumberText,
            parse_float=NumberText,
            parse_constant=_refuse,
            object_pairs_hook=_object,
        )
    except RecursionError:
        raise ItemError("the JSON is nested too deeply", code="malformed") from None
    except ValueError as error:
        raise ItemError(f"the line is not JSON: {error}", code="malformed") from None


def json_text(value: Mapping[str, Any] | str | None) -> str:
    """A value as JSON on one line."""
    match value:
        case None:
            return "null"
        case NumberText():
            return str(value)
        case str():
            return json.dumps(value, ensure_ascii=False)
        case _:
            members = (f"{json_text(name)}: {json_text(each)}" for name, each in value.items())
            return "{" + ", ".join(members) + "}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in an object")
    return found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number of JSON; write it as a string")
