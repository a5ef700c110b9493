"""What a translated query asks of functions of Python: a text, with the texts of all arguments."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from datetime import datetime

from millstream.errors import QueryError
from millstream.model.lifespan import format_instant
from millstream.model.user_functions import registered
from millstream.model.values import parse_instant
from millstream.model.xml_text import escaped_text

PENDING = "xcql:pending"
"""What a query gives instead of its answer when it must ask first."""
_TRUE = ("true", "1")
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def answer(question: str) -> str:
    """The values that a function gives, as XML."""
    name, _, rest = question.partition(" ")
    function = registered().get(name)
    if function is None:
        raise QueryError(
            f"no function is named {name}()",
            code="unknown-function",
            help="register it before queries that call it are run",
        )
    given = [
        [_value(form.kind, text) for text in texts]
        for form, texts in zip(function.parameters, _arguments(rest), strict=True)
    ]
    kind = function.result.kind
    return "".join(
        f'<value kind="{kind}">{escaped_text(_text(each))}</value>'
        for each in function.values(given)
    )


def answers_document(answers: Mapping[str, str]) -> str:
    """Answers as a document that a query looks them up in."""
    listed = (
        f"<answer><question>{escaped_text(question)}</question>{values}</answer>"
        for question, values in answers.items()
    )
    return f"<answers>{''.join(listed)}</answers>"


def _arguments(text: str) -> Iterator[list[str]]:
    """The values of each argument: their number, then each with its length before it."""
    place = 0
    while place < len(text):
        end = place
        while end < len(text) and text[end].isdigit():
            end += 1
        count, place = int(text[place:end]), end
        values = []
        for _ in range(count):
            begin = text.index(":", place) + 1
            length = int(text[place + 1 : begin - 1])
            values.append(text[begin : begin + length])
            place = begin + length
        yield values
        place += 1


def _value(kind: str, text: str) -> float | int | str | bool | datetime:
    match kind:
        case "float":
            return float(text)
        case "integer":
            return int(text)
        case "truth":
            return text in _TRUE
        case "time":
            return parse_instant(text)
    return text


def _text(value: object) -> str:
    """A value as XQuery writes it."""
    match value:
        case bool():
            return "true" if value else "false"
        case float() if math.isinf(value):
            return "INF" if value > 0 else "-INF"
        case float() if math.isnan(value):
            return "NaN"
        case datetime():
            return format_instant(value)
    text = str(value)
    if _NO_XML.search(text):
        raise QueryError("a function gave a character that XML has not", code="function")
    return text
