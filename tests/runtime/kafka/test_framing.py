"""Values of a topic, written down so that none can touch another."""

from __future__ import annotations

import io
import json

import fastavro
import pytest

from millstream.errors import UnsupportedError
from millstream.runtime.kafka.avro_values import json_schema
from millstream.runtime.kafka.framing import Framed, framed, in_order
from millstream.runtime.kafka.record import Framing, Record

XML = Framing("xml", item="photon", root="photons")
JSON = Framing("json", item="item", root="photons")
AVRO_SCHEMA = json.dumps(
    {
        "type": "record",
        "name": "Reading",
        "fields": [
            {"name": "sensor", "type": "string"},
            {"name": "value", "type": ["null", "double"]},
            {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
        ],
    }
)


def record(value: bytes | None, **others: object) -> Record:
    return Record(
        **{"partition": 0, "offset": 7, "timestamp": 1_500, "key": None, **others}, value=value
    )  # type: ignore[arg-type]


def text(value: bytes | None, framing: Framing, **others: object) -> str:
    (found,) = framed([record(value, **others)], framing)
    assert found.good, found.text
    return found.text.decode()


def reason(value: bytes | None, framing: Framing) -> str:
    (found,) = framed([record(value)], framing)
    assert not found.good
    return str(json.loads(found.text)["reason"])


def test_an_item_stays_as_it_is() -> None:
    value = b'<photon a="1"><en>1.30</en><!-- x --></photon>'
    assert text(b"\n" + value + b"  ", XML) == value.decode() + "\n"


def test_what_surrounds_an_item_is_left_out() -> None:
    value = '<?xml version="1.0" encoding="ISO-8859-1"?><!-- a --><photon><n>é</n></photon><?b?>'
    assert text(value.encode("latin-1"), XML) == "<photon><n>é</n></photon>\n"


def test_a_document_brings_its_items() -> None:
    value = b'<photons xmlns:p="u"><photon><p:n/></photon> <photon/></photons>'
    assert text(value, XML) == '<photon xmlns:p="u"><p:n/></photon>\n<photon xmlns:p="u"/>\n'


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (b"<photon><en>1</photon>", "not well-formed"),
        (b"<photon>", "not well-formed"),
        (b"</photon><photon>", "not well-formed"),
        (b"<photon/><photon/>", "not well-formed"),
        (b"<photon><![CDATA[ </photon>", "not well-formed"),
        (b"<photon>\xff</photon>", "not well-formed"),
        (b"", "not well-formed"),
        (b"\x00\x01\x02", "not well-formed"),
        (b"<star/>", "the value is a 'star', not a 'photon'"),
        (b"<photons><star/></photons>", "'star' stands in the value"),
        (b"<photons/>", "no 'photon' in the value"),
        (None, "the record has no value"),
    ],
)
def test_a_value_that_is_no_item_is_refused_with_its_place(value: bytes | None, told: str) -> None:
    found = reason(value, XML)
    assert told in found
    assert found.endswith("(partition 0, offset 7)")


def test_entities_are_not_resolved() -> None:
    value = b'<!DOCTYPE photon [<!ENTITY e SYSTEM "file:///etc/passwd">]><photon>&e;</photon>'
    assert text(value, XML) == "<photon>&e;</photon>\n"


def test_json_stands_on_one_line_with_its_numbers_as_written() -> None:
    assert text(b'{\n "en": 1.30,\r\n "n": 1e2}\n', JSON) == '{  "en": 1.30,   "n": 1e2}\n'


def test_wide_json_becomes_utf8() -> None:
    assert text('{"é": 1}'.encode("utf-16"), JSON) == '{"é": 1}\n'


@pytest.mark.parametrize("value", [b"[1]", b'{"a": 1', b'{"a": 1}{"a": 2}', b"\xff{", b"\x1f\x8b1"])
def test_json_that_is_no_object_is_refused(value: bytes) -> None:
    assert reason(value, JSON)


def test_keys_and_offsets_are_attributes_on_request() -> None:
    carrying = Framing("xml", "photon", "photons", carry=("key", "timestamp", "offset"))
    time = 'kafka_timestamp="1970-01-01T00:00:01.500Z"'
    expected = f'<photon kafka_key="k&quot;1" {time} kafka_offset="7"/>\n'
    assert text(b"<photon/>", carrying, key=b'k"1') == expected
    lines = Framing("json", "item", "photons", carry=("key",))
    assert json.loads(text(b"{}", lines, key=b"k")) == {"@kafka_key": "k"}
    assert json.loads(text(b'{"a": 1}', lines, key=b"\xff")) == {"@kafka_key": "ff", "a": 1}


def test_headers_are_tags_before_their_item() -> None:
    tagging = Framing("xml", "photon", "photons", tagger="kafka", time=("t",))
    found = text(b"<photon><t>5</t></photon>", tagging, headers=(("site", b"ann"), ("ok", None)))
    assert found.splitlines() == [
        '<tag tagger="kafka" applicability="*,0-7,{}" lifespan="1 us" time="5">site=ann</tag>',
        '<tag tagger="kafka" applicability="*,0-7,{}" lifespan="1 us" time="5">ok</tag>',
        '<photon id="0-7" time="5"><t>5</t></photon>',
    ]


def test_headers_are_tags_in_json_too() -> None:
    tagging = Framing("json", "item", "photons", tagger="kafka")
    tag, item = text(b'{"a": 1.0}', tagging, headers=(("site", b"x"),)).splitlines()
    assert json.loads(tag)["tag"]["content"] == "site=x"
    assert item == '{"tuple": {"id": "0-7", "time": "1.500", "attributes": {"a": 1.0}}}'


def avro(**fields: object) -> bytes:
    data = io.BytesIO()
    fastavro.schemaless_writer(data, fastavro.parse_schema(json.loads(AVRO_SCHEMA)), fields)
    return data.getvalue()


def test_avro_becomes_json() -> None:
    framing = Framing("json", "item", "readings", avro=AVRO_SCHEMA)
    value = avro(sensor="a", value=2.5, at=1_500)
    expected = {"sensor": "a", "value": 2.5, "at": "1970-01-01T00:00:01.500000Z"}
    assert json.loads(text(value, framing)) == expected
    registered = Framing("json", "item", "readings", avro=AVRO_SCHEMA, registered=True)
    assert json.loads(text(b"\0\0\0\0\x09" + value, registered)) == expected


@pytest.mark.parametrize("value", [b"", b"\x02", b"\x02a\x02", b"\xff" * 40, b"{}"])
def test_bytes_that_are_no_avro_are_refused(value: bytes) -> None:
    framing = Framing("json", "item", "readings", avro=AVRO_SCHEMA)
    assert "not Avro of this schema" in reason(value, framing)


def test_an_avro_schema_tells_the_schema_of_items() -> None:
    described = json.loads(json_schema(AVRO_SCHEMA))
    assert described["required"] == ["sensor", "at"]
    assert described["properties"]["at"] == {"type": "string", "format": "date-time"}


def test_avro_without_names_for_paths_is_refused() -> None:
    maps = {
        "type": "record",
        "name": "M",
        "fields": [{"name": "m", "type": {"type": "map", "values": "int"}}],
    }
    with pytest.raises(UnsupportedError, match="maps"):
        json_schema(json.dumps(maps))


def test_partitions_are_merged_by_time_and_keep_their_own_order() -> None:
    given = [(0, 0, 10), (0, 1, 5), (0, 2, 30), (1, 0, 8), (1, 1, 20)]
    found = in_order(Framed(*each, b"", True) for each in given)
    order = [(each.partition, each.offset) for each in found]
    assert order == [(1, 0), (0, 0), (0, 1), (1, 1), (0, 2)]
