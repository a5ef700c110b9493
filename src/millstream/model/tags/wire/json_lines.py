"""Tagged streams as JSON lines: one tuple, tag or stix a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from millstream.errors import ItemError, did_you_mean
from millstream.model.schema import ValueType
from millstream.model.tags.elements import Element, StreamTuple
from millstream.model.tags.event_time import TimeForm, format_time
from millstream.model.tags.stix import Stix
from millstream.model.tags.stix_text import format_stix, parse_stix
from millstream.model.tags.stream_shape import StreamShape
from millstream.model.tags.tick_tag import TickTag
from millstream.model.tags.wire.fields import read_tag, read_tuple, write_tag
from millstream.model.tags.wire.json_text import JSON_NUMBER, NumberText, json_text, parse_json
from millstream.model.tags.wire.reading import Parsed, Piece, Read, WireOptions, read_pieces

_KINDS = ("tuple", "tag", "stix")


def read_json_lines(
    lines: Iterable[str], options: WireOptions, *, start: int = 0, first_line: int = 1
) -> Iterator[Read]:
    """The elements of some lines, and the lines that hold none; empty lines are passed over."""
    numbered = enumerate(lines, first_line)
    pieces = (Piece(number, line.strip()) for number, line in numbered if line.strip())
    return read_pieces(pieces, lambda text: _parse(text, options), start)


def write_json_lines(elements: Iterable[Element], options: WireOptions) -> Iterator[str]:
    """Each element as a line, without its line break."""
    return (json_text(_written(element, options.shape)) for element in elements)


def _parse(text: str, options: WireOptions) -> Parsed:
    element = parse_json(text)
    if not isinstance(element, dict) or len(element) != 1:
        raise ItemError(
            "the line is not an object with one member",
            code="malformed",
            help='a line is {"tuple": …}, {"tag": …} or {"stix": …}',
        )
    ((kind, body),) = element.items()
    match kind, body:
        case "stix", str():
            return parse_stix(body)
        case "tag", dict():
            return _tag(body, options)
        case "tuple", dict():
            return _tuple(body, options)
        case _ if kind in _KINDS:
            raise ItemError(f"the {kind} is not what a {kind} is made of", code="malformed")
    raise ItemError(
        f"{kind[:40]!r} is no element", code="malformed", help=did_you_mean(kind, _KINDS)
    )


def _tag(body: Mapping[str, Any], options: WireOptions) -> Parsed:
    fields = _texts({name: value for name, value in body.items() if name != "content"})
    content = body.get("content", "")
    if not isinstance(content, str):
        raise ItemError("the content of a tag is a string", code="malformed")
    return read_tag(fields, str(content), options)


def _tuple(body: Mapping[str, Any], options: WireOptions) -> StreamTuple:
    attributes = body.get("attributes", {})
    if not isinstance(attributes, dict):
        raise ItemError("the attributes of a tuple are an object", code="malformed")
    fields = _texts({name: value for name, value in body.items() if name != "attributes"})
    return read_tuple(fields, dict(_flattened(attributes, "")), options)


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    for name, value in values.items():
        if not isinstance(value, str):
            raise ItemError(f"{name[:40]!r} is neither a string nor a number", code="malformed")
    return {name: str(value) for name, value in values.items()}


def _flattened(attributes: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for name, value in attributes.items():
        match value:
            case None:
                continue
            case bool():
                yield prefix + name, str(value).lower()
            case str():
                yield prefix + name, str(value)
            case dict():
                yield from _flattened(value, f"{prefix}{name}/")
            case _:
                raise ItemError(f"{name[:40]!r} has several values", code="repeated-attribute")


def _written(element: Element, shape: StreamShape) -> dict[str, Any]:
    match element:
        case Stix():
            return {"stix": format_stix(element)}
        case TickTag():
            fields: dict[str, str] = {**write_tag(element, shape), "content": element.content}
            fields["time"] = _time(element.timestamp, shape)
            return {"tag": fields}
        case StreamTuple():
            head = {"id": element.id, "time": _time(element.time, shape)}
            return {"tuple": {**head, "attributes": _nested(element, shape)}}


def _time(microseconds: int, shape: StreamShape) -> str:
    text = format_time(microseconds, shape.time)
    return NumberText(text) if shape.time is TimeForm.SECONDS else text


def _nested(element: StreamTuple, shape: StreamShape) -> dict[str, Any]:
    """The attributes of a tuple by name, those with paths inside each other."""
    found: dict[str, Any] = {}
    for attribute, text in zip(shape.attributes, element.texts, strict=True):
        if text is None:
            continue
        *parents, last = attribute.name.split("/")
        place = found
        for parent in parents:
            place = place.setdefault(parent, {})
        number = attribute.type is not ValueType.TEXT and JSON_NUMBER.fullmatch(text)
        place[last] = NumberText(text) if number else text
    return found
