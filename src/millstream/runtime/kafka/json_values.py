"""Values that are JSON objects, each written down as one line."""

from __future__ import annotations

import json
from typing import Any

from millstream.runtime.kafka.header_tags import contents, shared_fields
from millstream.runtime.kafka.record import Framing, Record, Refusal

_BREAKS = bytes.maketrans(b"\r\n", b"  ")
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str)


class JsonFramer:
    """Writes down values that are an object."""

    def __init__(self, framing: Framing) -> None:
        self._framing = framing

    def __call__(self, record: Record) -> bytes:
        """The lines of a record, or Refusal."""
        assert record.value is not None, "a record without a value is refused before"
        return self.lines(record, record.value)

    def lines(self, record: Record, value: bytes) -> bytes:
        """The lines of a record with this value."""
        text = _text(value)
        content = _object(text)
        carried = record.carried(self._framing.carry)
        line = _with(text, carried).encode().translate(_BREAKS)
        if self._framing.tagger is None:
            return line + b"\n"
        time = self._time(content) if self._framing.time else record.seconds
        fields = shared_fields(self._framing.tagger, record.id, time)
        tags = [{"tag": {**fields, "content": each}} for each in contents(record)]
        head = json.dumps({"id": record.id, "time": time})[:-1].encode()
        element = b'{"tuple": ' + head + b', "attributes": ' + line + b"}}"
        written = [json.dumps(each, ensure_ascii=False).encode() for each in tags]
        return b"\n".join([*written, element]) + b"\n"

    def _time(self, content: dict[str, Any]) -> str:
        place: Any = content
        for step in self._framing.time:
            place = place.get(step) if isinstance(place, dict) else None
        if not isinstance(place, str) or not place:
            raise Refusal(f"the item has no {'/'.join(self._framing.time)}")
        return place


def _text(value: bytes) -> str:
    try:
        return value.decode(json.detect_encoding(value)).removeprefix("\ufeff").strip()
    except UnicodeDecodeError as error:
        raise Refusal(f"not text in {error.encoding}: byte {error.start} is wrong") from None


def _object(text: str) -> dict[str, Any]:
    try:
        content = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise Refusal(f"not JSON: {error.msg} at character {error.pos}") from None
    except RecursionError:
        raise Refusal("values are nested too deeply") from None
    if not isinstance(content, dict):
        raise Refusal("the value is no JSON object")
    return content


def _with(text: str, carried: dict[str, str]) -> str:
    """The object with some attributes more; its own text stays as it is."""
    if not carried:
        return text
    more = json.dumps({f"@{name}": value for name, value in carried.items()}, ensure_ascii=False)
    rest = text[1:].lstrip()
    return more[:-1] + ("" if rest.startswith("}") else ", ") + rest
