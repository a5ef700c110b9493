"""A stream of items as a history: every item is an event under a root that never changes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pyarrow as pa

from millstream.errors import UnsupportedError
from millstream.model.filler import FillerKey, hole_text
from millstream.model.filler_layout import microseconds
from millstream.model.layout import ITEM, POSITION, view_name
from millstream.model.schema import Content, Element, Leaf, Schema, ValueType
from millstream.model.tag_structure import Tag, TagStructure, TagType
from millstream.runtime.item_text import item_text
from millstream.runtime.ledger import Json
from millstream.runtime.records import StreamRecord

_FIRST = microseconds(datetime.min.replace(tzinfo=UTC))
_LAST = microseconds(datetime.max.replace(tzinfo=UTC))

ITEMS = FillerKey(1, 2)
"""The one hole, which holds all items."""


def item_structure(record: StreamRecord) -> TagStructure:
    """The tag structure of a stream of items."""
    schema = record.schema
    leaf_of(record)
    ids = count(ITEMS.tsid + 1)
    children = tuple(_tag(child, ids, record.name) for child in schema.item.children)
    item = Tag(ITEMS.tsid, schema.item.name, TagType.EVENT, children)
    return TagStructure(Tag(1, schema.root, TagType.SNAPSHOT, (item,)))


def _tag(element: Element, ids: Iterator[int], stream: str) -> Tag:
    if element.content is Content.RAW:
        raise UnsupportedError(
            f"items of stream '{stream}' cannot be asked as events: "
            f"the schema does not say what is in {element.name}",
            code="raw-content",
        )
    id = next(ids)
    children = tuple(_tag(child, ids, stream) for child in element.children)
    return Tag(id, element.name, TagType.SNAPSHOT, children)


def root_content(schema: Schema) -> str:
    """The root of a stream of items, with the hole for them."""
    return f"<{schema.root}>{hole_text(ITEMS)}</{schema.root}>"


def leaf_of(record: StreamRecord) -> Leaf:
    """The leaf that tells when an item happened."""
    path = tuple((record.order_by or "").split("/"))
    leaf = record.schema.leaf(path) or record.schema.leaf(path[1:])
    if record.order_by is None or leaf is None:
        raise UnsupportedError(
            f"items of stream '{record.name}' have no time",
            code="no-time",
            help="create the stream with order_by, the path of a time or of seconds since 1970",
        )
    return leaf


def item_rows(table: pa.Table, record: StreamRecord) -> Iterator[tuple[int, int, str]]:
    """Position, time in microseconds and XML of the items of a log that have a time."""
    leaf = leaf_of(record)
    times, type = table[view_name(leaf.path)], leaf.type
    if type is ValueType.TIME:
        times = times.cast(pa.timestamp("us", "UTC")).cast(pa.int64())
    element = record.schema.item
    for position, time, item in zip(
        table[POSITION].to_pylist(), times.to_pylist(), table[ITEM].to_pylist(), strict=True
    ):
        instant = _microseconds(time, type)
        if instant is not None:
            yield position, instant, item_text(item, element)


def latest_item(record: StreamRecord, parts: list[Json]) -> int | None:
    """The largest time of the items in some parts of a log."""
    path = "/".join(leaf_of(record).path)
    told = (json.loads(part["statistics"] or "{}").get(path) or {} for part in parts)
    times = (_microseconds(each.get("max"), leaf_of(record).type) for each in told)
    return max((time for time in times if time is not None), default=None)


def _microseconds(time: Any, type: ValueType) -> int | None:
    if time is None or time != time or time in (float("inf"), float("-inf")):
        return None
    instant = int(time) if type is ValueType.TIME else round(time * 1_000_000)
    return instant if _FIRST <= instant <= _LAST else None
