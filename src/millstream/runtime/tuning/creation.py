"""The record of a stream that is tuned in to: what the other Millstream tells of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from millstream.errors import SchemaError, UnsupportedError
from millstream.model.schema import Content, Element, Schema
from millstream.model.schema_json import schema_from_json
from millstream.model.tag_structure_text import read_tag_structure
from millstream.runtime.records import StreamRecord
from millstream.runtime.storage import Storage
from millstream.runtime.tuning.listener import Listener
from millstream.runtime.tuning.station import Station, is_served

_XML_NAME = re.compile(r"[^\W\d][\w.-]*(:[^\W\d][\w.-]*)?")
_TOLD = ("schema", "format", "item", "types", "key", "delimiter", "order_by")
"""What the station says, and whoever tunes in does not."""


def tuned_stream(
    name: str, address: str, options: Mapping[str, Any], *, retention: str, finite: bool
) -> StreamRecord:
    """The record of a stream elsewhere, here under a name of its own."""
    for option in _TOLD:
        if options.get(option) not in (None, {}):
            raise SchemaError(
                f"stream '{name}' is served elsewhere, where its {option.replace('_', ' ')} is told"
            )
    station = Station(address)
    page = station.described()
    try:
        schema = schema_from_json(page["layout"])
        structure = page["structure"]
        if structure is not None:
            read_tag_structure(str(structure))
        record = StreamRecord(
            name=name,
            source=address,
            format="xml",
            layout=StreamRecord.layout_of(schema),
            order_by=page["order_by"],
            anchor=str(page["anchor"]),
            lateness=int(page["lateness"]),
            finite=finite,
            retention=retention,
            notes=(f"tuned in to {station.address}",),
            structure=structure,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise SchemaError(f"{address} is no stream of a Millstream: {error}") from error
    _check_names(schema, station.address)
    return record


def listener_of(storage: Storage, record: StreamRecord) -> Listener | None:
    """What hears a stream, if it is served elsewhere."""
    if not is_served(record.source):
        return None
    station = Station(record.source)
    folder = tuned_folder(record.name)
    listener = Listener(station, storage, folder, record.schema.root)
    if station.from_now and not storage.names(folder):
        newest = station.described().get("sample") or []
        if newest:
            listener.begin_behind(str(newest[-1]["position"]))
    return listener


def tuned_folder(stream: str) -> str:
    """Where what is heard is kept, in a space."""
    return f"streams/{stream}/heard"


def _check_names(schema: Schema, address: str) -> None:
    """Items travel as XML: what has no name in XML cannot."""
    waiting: list[Element] = [schema.item]
    names = [schema.root]
    while waiting:
        element = waiting.pop()
        names += [element.name, *(each.name for each in element.attributes)]
        if element.content is not Content.RAW:
            waiting += element.children
    for name in names:
        if not _XML_NAME.fullmatch(name):
            raise UnsupportedError(
                f"items of {address} cannot travel: '{name}' is no name in XML", code="xml-name"
            )
