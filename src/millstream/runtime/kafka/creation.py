"""The record of a stream that is read from a topic: what is said of it, and what a look shows."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from millstream.errors import SchemaError, UnsupportedError
from millstream.model.reading import is_tag_structure, read_schema
from millstream.model.schema import Attribute, Schema, ValueType
from millstream.runtime.history.filler_parser import FILLER_ITEMS
from millstream.runtime.intake.listing import AUTO
from millstream.runtime.kafka.address import Topic, source_topic
from millstream.runtime.kafka.avro_values import is_avro, json_schema
from millstream.runtime.kafka.connector import check_connector, client_settings, explained
from millstream.runtime.kafka.draining import as_records, records_of
from millstream.runtime.kafka.framing import framed
from millstream.runtime.kafka.listener import TopicListener
from millstream.runtime.kafka.record import ATTRIBUTE, Framing, Record
from millstream.runtime.kafka.xml_values import root_name
from millstream.runtime.records import StreamRecord
from millstream.runtime.schema_text import schema_text
from millstream.runtime.space import Space
from millstream.runtime.tags.intake.creation import plain_format
from millstream.runtime.tags.intake.xml_parser import BESIDE

SAMPLE = 1000
"""Records that are looked at."""
AVRO = "avro"
_TYPES = {"timestamp": ValueType.TIME, "partition": ValueType.INTEGER, "offset": ValueType.INTEGER}

NewStream = Callable[..., StreamRecord]


def kafka_stream(
    name: str,
    address: str,
    given: Mapping[str, Any],
    new_stream: NewStream,
    spark: Callable[[], SparkSession] | None,
) -> StreamRecord:
    """The record of a stream that is read from a topic.

    A sample of the topic is made a file, and all the rest is as for streams of files.
    """
    topic = source_topic(address)
    options, avro = _said(name, topic, given)
    own_order = _own_order(options, topic)
    seen, notes = seen_records(topic, spark, needed=options.get("schema") is None)
    format = _format(options, seen, bool(avro))
    tagged = topic.headers or plain_format(options.get("format"))[1]
    item, root = _names(name, options, seen) if format == "xml" else ("", name)
    if topic.headers and item:
        options["item"] = item
    options["format"] = f"tagged-{format}" if tagged else format
    framing = Framing(
        format,
        item,
        root,
        beside=BESIDE if tagged else (),
        avro=avro,
        registered=topic.registered,
        tagger=topic.tagger if topic.headers else None,
        time=_path(options.get("order_by"), item) if topic.headers else (),
    )
    with tempfile.TemporaryDirectory(prefix="millstream-topic-") as folder:
        record = new_stream(name, _sample_file(Path(folder), seen, framing), **options)
    return replace(
        record,
        source=address,
        format=format,
        layout=StreamRecord.layout_of(_carrying(record.schema, topic.carry)),
        order_by=own_order or record.order_by,
        notes=(*record.notes, *notes),
        avro=avro or None,
    )


def topic_listener(
    space: Space, record: StreamRecord, folder: str, spark: Callable[[], SparkSession]
) -> TopicListener:
    """What hears the topic of a stream."""
    topic = source_topic(record.source)
    return TopicListener(
        topic,
        framing_of(record, topic),
        record.name,
        space.folder(folder),
        space.folder(f"streams/{record.name}/topic"),
        spark,
    )


def framing_of(record: StreamRecord, topic: Topic) -> Framing:
    """How the values of a stream's topic are written down."""
    own_time = record.order_by if record.order_by != "@time" else None
    return Framing(
        record.format,
        item=record.schema.item.name,
        root=record.schema.root,
        beside=BESIDE if record.tagged else (),
        avro=record.avro or "",
        registered=topic.registered,
        carry=topic.carry,
        tagger=topic.tagger if topic.headers else None,
        time=_path(own_time, record.schema.item.name) if topic.headers else (),
    )


def seen_records(
    topic: Topic, spark: Callable[[], SparkSession] | None, *, needed: bool
) -> tuple[list[Record], tuple[str, ...]]:
    """The first records of a topic, and what is to be told of the look at it."""
    if spark is None:
        if needed:
            raise SchemaError(f"{topic} is not looked at here", help="pass a schema")
        return [], ()
    session = spark()
    check_connector(session)
    options = {
        **client_settings(topic),
        "subscribe": topic.name,
        "startingOffsets": "earliest",
        "endingOffsets": "latest",
        "includeHeaders": "true",
        "failOnDataLoss": "false",
        "kafkaConsumer.pollTimeoutMs": "10000",
    }
    try:
        frame = session.read.format("kafka").options(**options).load()
        batches = as_records(frame).limit(SAMPLE).toArrow().to_batches()
    except Exception as error:
        told = explained(topic, error)
        if needed:
            raise told from None
        return [], (f"{told.message}: nothing was seen of it yet",)
    return [record for batch in batches for record in records_of(batch)], ()


def _said(name: str, topic: Topic, given: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """What is said of a stream, and the schema of its values if they are Avro."""
    options = dict(given)
    schema = options.get("schema")
    text = "" if schema is None or isinstance(schema, Schema) else schema_text(schema)
    if text and is_tag_structure(text) and (topic.carry or topic.headers):
        raise UnsupportedError("fillers carry neither headers nor keys", code="kafka")
    if options.get("format") != AVRO and not is_avro(text):
        if topic.registered:
            raise SchemaError("framing=registry is for values in Avro", help="pass their schema")
        return options, ""
    if not is_avro(text):
        raise SchemaError(
            f"stream '{name}' needs the schema of its values in Avro",
            help="pass it as schema, a file or its text",
        )
    return {**options, "schema": json_schema(text), "format": "json"}, text


def _own_order(options: dict[str, Any], topic: Topic) -> str | None:
    """The order of a stream by what its records tell and no schema knows, taken out."""
    order = options.get("order_by")
    carried = {f"@{ATTRIBUTE}{each}" for each in topic.carry if each in _TYPES}
    return options.pop("order_by") if order in carried else None


def _format(options: Mapping[str, Any], seen: list[Record], avro: bool) -> str:
    """What values are written in: what is said, else what the first one shows."""
    if avro:
        return "json"
    said, _ = plain_format(options.get("format"))
    if said in ("xml", "json"):
        return said
    if said != AUTO:
        raise UnsupportedError(
            f"values of a topic are not read as '{said}'", help="known: xml, json, avro"
        )
    schema = options.get("schema")
    for record in seen:
        if record.value is not None and (start := record.value.lstrip()[:1]) in (b"<", b"{"):
            return "xml" if start == b"<" else "json"
    text = "" if schema is None or isinstance(schema, Schema) else schema_text(schema)
    return "xml" if text.lstrip("\ufeff \t\r\n").startswith("<") else "json"


def _names(name: str, options: Mapping[str, Any], seen: list[Record]) -> tuple[str, str]:
    """What items are called in values of XML, and what is around them."""
    schema, item = options.get("schema"), options.get("item")
    if isinstance(schema, Schema):
        return schema.item.name, schema.root
    if schema is not None:
        text = schema_text(schema)
        if is_tag_structure(text):
            return FILLER_ITEMS.item.name, FILLER_ITEMS.root
        written = read_schema(text, stream=name, item=item)
        return written.item.name, written.root
    found = Counter(root_name(each.value) for each in seen if each.value)
    found.pop("", None)
    usual = found.most_common(1)[0][0] if found else ""
    return (item, usual) if item and usual and item != usual else (item or usual, name)


def _sample_file(folder: Path, seen: list[Record], framing: Framing) -> Path:
    """A file with the records of a sample that are items; there is none without any."""
    file = folder / ("sample.xml" if framing.format == "xml" else "sample.jsonl")
    texts = [each.text for each in framed(seen, framing) if each.good]
    if texts:
        file.write_bytes(b"".join([framing.head, *texts, framing.foot]))
    return file


def _carrying(schema: Schema, names: tuple[str, ...]) -> Schema:
    """The schema of items that also tell of their records."""
    own = {f"{ATTRIBUTE}{each}": _TYPES.get(each, ValueType.TEXT) for each in names}
    others = tuple(each for each in schema.item.attributes if each.name not in own)
    more = tuple(Attribute(name, type) for name, type in own.items())
    return replace(schema, item=replace(schema.item, attributes=others + more)) if own else schema


def _path(text: str | None, item: str) -> tuple[str, ...]:
    steps = tuple(text.split("/")) if text else ()
    return steps[1:] if len(steps) > 1 and steps[0] == item else steps
