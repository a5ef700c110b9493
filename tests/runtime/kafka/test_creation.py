"""Streams of topics as they are created: what is said, and what a look at the topic shows."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest

from millstream.errors import SchemaError, UnsupportedError
from millstream.generators.photons import PHOTONS_DTD
from millstream.model.schema import ValueType
from millstream.model.tag_structure_text import tag_structure_text
from millstream.runtime.kafka.address import source_topic
from millstream.runtime.kafka.creation import framing_of
from millstream.runtime.kafka.record import Record
from millstream.runtime.records import StreamRecord
from millstream.runtime.stream_creation import new_stream
from tests.history.credit import STRUCTURE
from tests.runtime.kafka.test_framing import AVRO_SCHEMA

ADDRESS = "kafka://127.0.0.1:9092/t"
Make = Callable[..., StreamRecord]
POST = b"<post><at>1</at><text>quiet</text></post>"


@pytest.fixture
def created(monkeypatch: pytest.MonkeyPatch) -> Make:
    """Makes a stream of a topic that holds some values."""

    def make(values: Sequence[bytes], options: str = "", **said: object) -> StreamRecord:
        seen = [Record(0, n, n, None, value) for n, value in enumerate(values)]

        def look(*_: object, **__: object) -> tuple[list[Record], tuple[str, ...]]:
            return seen, ()

        monkeypatch.setattr("millstream.runtime.kafka.creation.seen_records", look)
        return new_stream("ticks", f"{ADDRESS}{options}", **said)

    return make


def leaf(record: StreamRecord, *path: str) -> ValueType | None:
    found = record.schema.leaf(path)
    return None if found is None else found.type


def test_items_of_xml_show_their_schema(created: Make) -> None:
    record = created([POST, b"<post><at>2</at></post>", b"broken"], order_by="at")
    assert (record.source, record.format) == (ADDRESS, "xml")
    assert (record.schema.root, record.schema.item.name) == ("ticks", "post")
    assert leaf(record, "at") is ValueType.INTEGER


def test_documents_bring_items_that_are_named(created: Make) -> None:
    record = created([b"<posts>" + POST + POST + b"</posts>"], item="post")
    assert (record.schema.root, record.schema.item.name) == ("posts", "post")


def test_a_schema_is_enough(created: Make) -> None:
    record = created([], schema=PHOTONS_DTD, order_by="det_time")
    assert (record.format, record.schema.root) == ("xml", "photons")


def test_json_shows_its_schema_and_items_tell_of_records(created: Make) -> None:
    record = created([b'{"a": 1.5}', b"[]"], "?carry=key,timestamp", order_by="@kafka_timestamp")
    assert (record.format, record.order_by) == ("json", "@kafka_timestamp")
    assert leaf(record, "a") is ValueType.DECIMAL
    assert leaf(record, "@kafka_key") is ValueType.TEXT
    assert leaf(record, "@kafka_timestamp") is ValueType.TIME


def test_avro_tells_the_schema(created: Make) -> None:
    record = created([], format="avro", schema=AVRO_SCHEMA, order_by="at")
    assert (record.format, json.loads(record.avro)["name"]) == ("json", "Reading")
    assert (leaf(record, "at"), leaf(record, "value")) == (ValueType.TIME, ValueType.DOUBLE)


@pytest.mark.parametrize("values", [[POST], [b'{"at": 1, "text": "x"}']])
def test_headers_make_a_tagged_stream(created: Make, values: list[bytes]) -> None:
    record = created(values, "?headers=tags", order_by="at")
    framing = framing_of(record, source_topic(record.source))
    assert record.tagged
    assert (framing.tagger, framing.time) == ("kafka", ("at",))
    assert leaf(record, "@id") is ValueType.TEXT
    assert leaf(record, "at") is ValueType.INTEGER


def test_fillers_are_values_like_any_other(created: Make) -> None:
    record = created([], schema=tag_structure_text(STRUCTURE))
    assert record.structure is not None
    assert framing_of(record, source_topic(record.source)).item == "filler"


def test_what_cannot_be_is_refused(created: Make) -> None:
    with pytest.raises(UnsupportedError, match="not read as 'csv'"):
        created([], format="csv", schema="a INT")
    with pytest.raises(SchemaError, match="in Avro"):
        created([], format="avro", schema="a INT")
    with pytest.raises(SchemaError, match="for values in Avro"):
        created([], "?framing=registry", schema="a INT")
    with pytest.raises(UnsupportedError, match="neither headers nor keys"):
        created([], "?carry=key", schema=tag_structure_text(STRUCTURE))
    with pytest.raises(SchemaError, match="no schema"):
        created([])


def test_nobody_looks_at_a_topic_without_spark() -> None:
    with pytest.raises(SchemaError, match="not looked at here"):
        new_stream("ticks", ADDRESS)
    assert new_stream("ticks", ADDRESS, schema="a INT").format == "json"
