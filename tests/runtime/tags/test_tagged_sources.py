"""Tagged sources: the intake brings what the readers of the wire formats read."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from millstream.generators.tagged.patients import PATIENTS, patient_measurements
from millstream.model.tags import Placed, StreamTuple, TickTag, format_stix, place
from millstream.model.tags.wire import (
    BadElement,
    WireOptions,
    read_json_lines,
    read_xml,
    write_json_lines,
    write_xml,
)
from millstream.runtime.intake.parts import read_passing_part
from millstream.runtime.intake.spec import IntakeSpec
from millstream.runtime.records import StreamRecord
from millstream.runtime.small_source import batches
from millstream.runtime.storage import LocalStorage
from millstream.runtime.stream_creation import new_stream
from millstream.runtime.tags.intake.chunks import ELEMENTS, TAGS_PART

DEFAULTS: dict[str, Any] = dict.fromkeys(
    ("schema", "format", "item", "order_by", "types", "retention", "key", "delimiter")
)
DEFAULTS |= {"anchor": 0, "lateness": 0, "finite": True}
DEFAULTS |= {"max_bytes_per_batch": None, "max_items_per_batch": None}

BAD = {
    "a tag on an attribute that there is not": '{"tag": {"tagger": "ann", "content": "x",'
    ' "applicability": "*,*,{hight}"}}',
    "a tag for another stream": '{"tag": {"tagger": "a", "content": "x",'
    ' "applicability": "Cars,*,{}"}}',
    "a pattern that is none": '{"tag": {"tagger": "a", "content": "x",'
    ' "applicability": "*,(p,{}"}}',
    "a lifespan below 0": '{"tag": {"tagger": "a", "content": "x", "lifespan": "-1 min"}}',
    "no content": '{"tag": {"tagger": "a"}}',
    "an unknown mode": '{"tag": {"tagger": "a", "content": "x", "mode": "Erase"}}',
    "an unknown sign": '{"tag": {"tagger": "a", "content": "x", "sign": "*"}}',
    "no tagger": '{"tag": {"content": "x"}}',
    "a tuple without a time": '{"tuple": {"id": "p1", "attributes": {"pid": "p1"}}}',
    "a tuple whose time is a word": '{"tuple": {"id": "p", "time": "soon", "attributes": {}}}',
    "an endless time": '{"tuple": {"id": "p", "time": 1e300, "attributes": {}}}',
    "an unknown kind": '{"label": {"content": "x"}}',
    "two members": '{"tag": {"tagger": "a", "content": "x"}, "stix": "(1)1"}',
    "no JSON": "not an element",
}


def stream(source: Path, **options: Any) -> StreamRecord:
    return new_stream("Patients", source, **(DEFAULTS | options))


def intake(record: StreamRecord, space: Path, **limits: int) -> Iterator[dict[str, Any]]:
    spec = IntakeSpec(
        stream=record.name,
        location=record.source,
        schema=record.schema,
        log_directory=str(space / "log"),
        quarantine_directory=str(space / "quarantine"),
        journal_directory=str(space / "intake"),
        spool_directory=str(space / "spool"),
        format=record.format,
        finite=True,
        tagged=record.tagged,
        **limits,
    )
    for batch in batches(spec):
        yield from (each.fields for each in batch.chunks)


def tables(space: Path, chunks: list[dict[str, Any]]) -> dict[str, pa.Table]:
    files: dict[str, list[Path]] = {"log": [], ELEMENTS: [], "quarantine": []}
    for chunk in chunks:
        part = json.loads(chunk["statistics"]).get(TAGS_PART)
        found = {"log": chunk["part"], ELEMENTS: part, "quarantine": chunk["quarantine"]}
        for name, file in found.items():
            files[name] += [space / name / file] if file else []
    return {
        name: pa.concat_tables(map(read, found)) if found else pa.table({})
        for name, found in files.items()
    }


def read(part: Path) -> pa.Table:
    if part.suffix == ".arrow":
        return read_passing_part(LocalStorage(str(part.parent)), part.name)
    return pq.read_table(part)


def elements(found: dict[str, pa.Table]) -> list[tuple[Any, ...]]:
    """All that was read, in order: tuples by id and time, tags by their fields, stix by text."""
    rows = [(r["position"], r["item"]["@id"], r["item"]["@time"]) for r in found["log"].to_pylist()]
    for row in found[ELEMENTS].to_pylist() if found[ELEMENTS].num_columns else ():
        position, *fields = row.values()
        rows.append((position, *fields))
    return [tuple(row[1:]) for row in sorted(rows, key=lambda row: row[0])]


def wanted(read: list[Any], texts: dict[int, str]) -> list[tuple[Any, ...]]:
    return [_wanted(each, texts) for each in read if isinstance(each, Placed)]


def _wanted(placed: Placed, texts: dict[int, str]) -> tuple[Any, ...]:
    match placed.element:
        case StreamTuple() as each:
            return each.id, texts[placed.position]
        case TickTag() as tag:
            head = (None, tag.tagger, str(tag.applicability), tag.content, tag.type.value)
            return (*head, tag.sign.value, tag.lifespan, tag.mode.name, tag.timestamp)
        case stix:
            return (format_stix(stix), *(None,) * 8)


def times_of(lines: list[str]) -> dict[int, str]:
    bodies = [json.loads(line, parse_float=str, parse_int=str) for line in lines]
    return {n: body["tuple"]["time"] for n, body in enumerate(bodies) if "tuple" in body}


@pytest.fixture
def lines() -> list[str]:
    return list(write_json_lines(patient_measurements(60), WireOptions(PATIENTS)))


def test_json_lines(lines: list[str], tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text("\n".join(lines) + "\n")
    record = stream(tmp_path / "p.jsonl")
    chunks = list(intake(record, tmp_path / "space", max_bytes_per_batch=700))
    assert record.tagged and len(chunks) > 3
    read = list(read_json_lines(lines, WireOptions(PATIENTS)))
    assert elements(tables(tmp_path / "space", chunks)) == wanted(read, times_of(lines))


def test_xml_says_the_same(lines: list[str], tmp_path: Path) -> None:
    options = WireOptions(PATIENTS)
    written = "\n".join(write_xml(patient_measurements(60), options))
    (tmp_path / "p.xml").write_text(f"<stream>\n{written}\n</stream>")
    record = stream(tmp_path / "p.xml")
    chunks = list(intake(record, tmp_path / "space", max_items_per_batch=7))
    assert record.tagged and len(chunks) > 3
    read = list(read_xml(written, options))
    assert elements(tables(tmp_path / "space", chunks)) == wanted(read, times_of(lines))


LIMITS = st.fixed_dictionaries(
    {
        "chunk_bytes": st.sampled_from([1, 100, 300, 1 << 20]),
        "max_bytes_per_batch": st.sampled_from([1, 200, 1000, 1 << 20]),
    }
)


def element(format: str, kind: str, number: int) -> str:
    """A tuple, tag or stix that tells its number."""
    match kind, format:
        case "tuple", "xml":
            return f'<tuple id="o{number}" time="1"><n>{number}</n></tuple>'
        case "tuple", _:
            attributes = {"n": number}
            return json.dumps({"tuple": {"id": f"o{number}", "time": 1, "attributes": attributes}})
        case "tag", "xml":
            return f'<tag tagger="ann" time="1">o{number}</tag>'
        case "tag", _:
            return json.dumps({"tag": {"tagger": "ann", "time": 1, "content": f"o{number}"}})
        case _, "xml":
            return f"<stix>(1)1|({number + 1})2</stix>"
    return json.dumps({"stix": f"(1)1|({number + 1})2"})


@pytest.mark.parametrize("format", ["xml", "json"])
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(kinds=st.lists(st.sampled_from(["tag", "tuple", "stix"]), min_size=1), limits=LIMITS)
def test_however_batches_are_cut_each_element_is_read_once(
    format: str, kinds: list[str], limits: dict[str, int]
) -> None:
    lines = [element(format, kind, number) for number, kind in enumerate(kinds)]
    text = "\n".join(["<s>", *lines, "</s>"] if format == "xml" else lines)
    with tempfile.TemporaryDirectory() as folder:
        source, space = Path(folder) / f"p.{format}", Path(folder) / "space"
        source.write_text(f"{text}\n")
        name = "tagged-xml" if format == "xml" else "tagged"
        record = stream(source, format=name, schema="n INT")
        found = tables(space, list(intake(record, space, **limits)))
    positions = [text.index(line) for line in lines]
    read = {row["position"]: row["item"]["@id"] for row in found["log"].to_pylist()}
    for row in found[ELEMENTS].to_pylist() if found[ELEMENTS].num_columns else ():
        read[row["position"]] = row["content"] or row["stix"]
    told = {"tuple": "o{}", "tag": "o{}", "stix": "(1)1|({})2"}
    assert [read.pop(each) for each in positions] == [
        told[kind].format(number + (kind == "stix")) for number, kind in enumerate(kinds)
    ]
    assert not read


def test_xml_in_unusual_spelling(tmp_path: Path) -> None:
    text = (
        "<s><!-- <tag tagger='x'>not one</tag> --><tag tagger='ann' time='1'>a &amp; b</tag>"
        "<stix>(1)1</stix><tag  time='2' tagger='bob' ><![CDATA[<c>]]></tag>"
        '<tuple id="1" time="3"><n>1</n></tuple><tag tagger="eve">open'
        '<tuple id="2" time="4"><n>2</n><!-- </tuple><tag> --></tuple>'
        '<tag tagger="z" time="5">at the end</tag></s>'
    )
    (tmp_path / "p.xml").write_text(text)
    record = stream(tmp_path / "p.xml", format="tagged-xml", schema="n INT")
    found = tables(tmp_path / "space", list(intake(record, tmp_path / "space")))
    contents = [row["content"] for row in found[ELEMENTS].to_pylist()]
    assert contents == ["a & b", None, "<c>", "at the end"]
    assert [row["item"]["@id"] for row in found["log"].to_pylist()] == ["1", "2"]
    assert found["quarantine"].num_rows == 1


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_bad_elements_are_set_aside_and_the_rest_is_read(
    bad: str, lines: list[str], tmp_path: Path
) -> None:
    mixed = [*lines[:5], bad, *lines[5:10]]
    (tmp_path / "p.jsonl").write_text("\n".join(mixed))
    record = stream(tmp_path / "p.jsonl", format="tagged")
    found = tables(tmp_path / "space", list(intake(record, tmp_path / "space")))
    read = list(read_json_lines(mixed, WireOptions(PATIENTS)))
    assert isinstance(read[5], BadElement)
    assert elements(found) == wanted(read, times_of([*lines[:5], "{}", *lines[5:10]]))
    (entry,) = found["quarantine"].to_pylist()
    assert entry["raw"] == bad.encode()
    assert entry["position"] == sum(len(line) + 1 for line in mixed[:5])


def test_elements_without_tags_are_no_tagged_stream(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text('{"tag": {"content": "a"}}\n{"tag": {"content": "b"}}\n')
    assert not stream(tmp_path / "p.jsonl").tagged


def test_a_shape_has_the_attributes_that_travel(lines: list[str], tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text("\n".join(lines))
    record = stream(tmp_path / "p.jsonl")
    assert set(record.shape.names) == set(PATIENTS.names)
    assert (record.tuple_id, record.tuple_time) == (("@id",), ("@time",))
    assert list(place([])) == []
