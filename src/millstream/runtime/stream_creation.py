"""A stream's record from what its creator says and what a sample of its source shows."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Final, TypedDict, Unpack

from millstream.errors import SchemaError, did_you_mean
from millstream.model.inference import infer, typed
from millstream.model.reading import is_tag_structure, read_schema
from millstream.model.sample import Sample
from millstream.model.schema import Path as LeafPath
from millstream.model.schema import Schema, ValueType
from millstream.model.tags.stream_shape import WIRE_TIME
from millstream.runtime.history.filler_stream_creation import (
    new_filler_stream,
    structure_beside,
)
from millstream.runtime.kafka.address import is_kafka
from millstream.runtime.kafka.creation import kafka_stream
from millstream.runtime.records import StreamRecord
from millstream.runtime.sampling import sample
from millstream.runtime.schema_text import schema_text
from millstream.runtime.segments import parse_retention
from millstream.runtime.session import SparkSession
from millstream.runtime.tags.intake.creation import (
    TUPLE,
    around,
    holds_tags,
    plain_format,
    time_type,
    tuples_only,
    with_wire_fields,
)
from millstream.runtime.tuning.creation import tuned_stream
from millstream.runtime.tuning.station import tells_schema

TOLERATED_DIRT = 0.02
"""The share of values that may be of another kind before a sample gives a leaf another type."""

_OF_ITEMS: Final = ("item", "order_by", "types", "key", "delimiter")


class StreamOptions(TypedDict, total=False):
    """What the creator of a stream may say of it; what is left out is found out or usual."""

    schema: Schema | str | os.PathLike[str] | None
    format: str | None
    item: str | None
    order_by: str | None
    anchor: int | Decimal | str
    lateness: int
    types: Mapping[str, str | ValueType] | None
    finite: bool
    retention: str | None
    max_bytes_per_batch: int | None
    max_items_per_batch: int | None
    key: str | None
    delimiter: str | None


def new_stream(
    name: str,
    source: str | os.PathLike[str],
    spark: Callable[[], SparkSession] | None = None,
    **given: Unpack[StreamOptions],
) -> StreamRecord:
    """The record of a new stream; raises SchemaError where something does not fit.

    Topics are looked at by Spark.
    """
    location = os.fspath(source)
    if is_kafka(location):
        return kafka_stream(_valid_name(name), location, given, new_stream, spark)
    location = location if "://" in location else os.path.abspath(location)
    finite = given.get("finite", False)
    if tells_schema(location):
        said = {each: given.get(each) for each in (*_OF_ITEMS, "schema", "format")}
        kept = _retention(given.get("retention"))
        return tuned_stream(_valid_name(name), location, said, retention=kept, finite=finite)
    structure = _structure(given.get("schema"), location)
    if structure is not None:
        return new_filler_stream(
            _valid_name(name),
            location,
            structure,
            {each: given.get(each) for each in (*_OF_ITEMS, "retention", "format")},
            finite=finite,
            max_bytes_per_batch=given.get("max_bytes_per_batch"),
            max_items_per_batch=given.get("max_items_per_batch"),
        )
    return _of_items(name, location, given)


def _of_items(name: str, location: str, given: StreamOptions) -> StreamRecord:
    """The record of a stream whose source holds items."""
    item, key, delimiter = given.get("item"), given.get("key"), given.get("delimiter")
    kind, tagged, samples = _looked_at(location, given.get("format"), item, delimiter)
    order_by = given.get("order_by") or ("/".join(WIRE_TIME) if tagged else None)
    describe = _tagged_schema if tagged else _schema
    layout, notes = describe(name, given.get("schema"), item, samples)
    types = given.get("types") or {}
    layout = layout.with_types(
        {_leaf_path(path, layout): ValueType(type) for path, type in types.items()}
    )
    _check(layout, order_by, key)
    layout, assumed = _ordered(layout, order_by, bool(samples))
    return StreamRecord(
        name=_valid_name(name),
        source=location,
        format=kind,
        layout=StreamRecord.layout_of(layout),
        order_by=order_by,
        anchor=_anchor(given.get("anchor", 0)),
        lateness=_lateness(given.get("lateness", 0)),
        finite=given.get("finite", False),
        retention=_retention(given.get("retention")),
        max_bytes_per_batch=given.get("max_bytes_per_batch"),
        max_items_per_batch=given.get("max_items_per_batch"),
        key=None if key is None else "/".join(_leaf_path(key, layout)),
        delimiter=delimiter,
        notes=notes + assumed,
        tagged=tagged,
    )


def _structure(given: Schema | str | os.PathLike[str] | None, location: str) -> str | None:
    """The tag structure of a stream, if its schema is one or one lies beside its source."""
    if given is None:
        return structure_beside(location)
    if isinstance(given, Schema):
        return None
    text = schema_text(given)
    return text if is_tag_structure(text) else None


def _looked_at(
    location: str, format: str | None, item: str | None, delimiter: str | None
) -> tuple[str, bool, list[Sample]]:
    """The format of a source, whether tags stand in it, and a sample of it."""
    kind, tagged = plain_format(format)
    samples = sample(location, kind, delimiter or ",")
    return kind, tagged or (format is None and holds_tags(samples, item)), samples


def _tagged_schema(
    name: str,
    given: Schema | str | os.PathLike[str] | None,
    item: str | None,
    samples: list[Sample],
) -> tuple[Schema, tuple[str, ...]]:
    """The schema of a stream's tuples, whose id and time come beside their attributes."""
    time = time_type(samples, item)
    layout, notes = _schema(name, given, item or TUPLE, tuples_only(samples))
    return replace(with_wire_fields(layout, time), root=around(samples, layout.root)), notes


def _schema(
    name: str,
    given: Schema | str | os.PathLike[str] | None,
    item: str | None,
    samples: list[Sample],
) -> tuple[Schema, tuple[str, ...]]:
    if isinstance(given, Schema):
        return given, ()
    if given is None:
        if not samples:
            raise SchemaError(
                f"stream '{name}' has no schema, and its source has no items yet to infer one from",
                code="no-schema",
                help="pass a schema: a DTD, a JSON Schema or a Spark DDL string",
            )
        inferred = infer(samples, stream=name, item=item, tolerance=TOLERATED_DIRT)
        return inferred.schema.loosened(), inferred.notes
    written = read_schema(schema_text(given), stream=name, item=item)
    if not samples or all(leaf.type is not ValueType.TEXT for leaf in written.leaves()):
        return written, ()
    decided = typed(written, samples, tolerance=TOLERATED_DIRT)
    return decided.schema, decided.notes


def _leaf_path(text: str, schema: Schema) -> LeafPath:
    path = tuple(text.split("/"))
    known = {leaf.path for leaf in schema.leaves()}
    if path not in known and path[0] == schema.item.name and path[1:] in known:
        return path[1:]
    return path


def _check(schema: Schema, order_by: str | None, key: str | None) -> None:
    for role, text in (("order", order_by), ("key", key)):
        if text is None:
            continue
        leaf = schema.leaf(_leaf_path(text, schema))
        if leaf is None:
            raise SchemaError(
                f"the {role} path {text} is no leaf of {schema.item.name}",
                help=did_you_mean(text, (str(each) for each in schema.leaves())),
            )
        if leaf.repeated:
            raise SchemaError(f"the {role} path {text} may occur more than once in an item")


def _ordered(schema: Schema, order_by: str | None, sampled: bool) -> tuple[Schema, tuple[str, ...]]:
    """The schema with an order that can be compared, and what had to be assumed for it."""
    if order_by is None:
        return schema, ()
    path = _leaf_path(order_by, schema)
    leaf = schema.leaf(path)
    if leaf is None or leaf.type is not ValueType.TEXT:
        return schema, ()
    if sampled:
        raise SchemaError(
            f"the order path {order_by} is text, which does not tell a time",
            help="choose a number or a time, or set its type",
        )
    note = f"{schema.item.name}/{leaf}: decimal (assumed, as there is nothing to see yet)"
    return schema.with_types({path: ValueType.DECIMAL}), (note,)


def _valid_name(name: str) -> str:
    if not name or name.startswith(".") or any(each in name for each in "/\\\0"):
        raise SchemaError(f"'{name}' is no name for a stream", help="letters, digits, - _ and .")
    return name


def _anchor(anchor: int | Decimal | str) -> str:
    try:
        return "first" if anchor == "first" else str(Decimal(str(anchor)))
    except InvalidOperation as error:
        raise SchemaError(f"anchor '{anchor}' is neither a number nor 'first'") from error


def _lateness(lateness: int) -> int:
    if int(lateness) != lateness or lateness < 0:
        raise SchemaError(f"lateness {lateness} is not a whole number of at least 0")
    return int(lateness)


def _retention(retention: str | None) -> str:
    if retention in (None, "all", "none"):
        return retention or "all"
    try:
        parse_retention(retention)
    except ValueError as error:
        raise SchemaError(str(error)) from error
    return retention
