"""Steps over tagged sources: what the views of a step and the tables of a stream say of tags."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import millstream
from millstream.cli.main import app
from millstream.errors import QueryError
from millstream.generators.tagged.emotions import Moods, tag_with_emotions
from millstream.generators.tagged.patients import PATIENTS, patient_measurements
from millstream.mill import Mill
from millstream.model.tags import Mark, StreamTuple, place
from millstream.model.tags.wire import WireOptions, write_json_lines
from millstream.runtime.session import SparkSession
from millstream.runtime.tags.known_tags import Deed
from millstream.runtime.tags.tags_on_items import sets_at
from millstream.testing.tags import resolve

ALL = '<o>{ for $t in stream("Patients")/Patients/tuple return <m>{ $t/measure }</m> }</o>'
ELEMENTS = list(tag_with_emotions(patient_measurements(120), Moods(share=0.4)))


def table(mill: Mill, name: str) -> pa.Table:
    segments = mill.runner("Patients").journal.state.tables[name]
    files = [mill.space.storage.address(each.name) for each in segments]
    found = [pq.read_table(each, partitioning=None) for each in files]
    return pa.concat_tables(found, promote_options="default")


def marks_of(mill: Mill) -> dict[str, list[set[tuple[str, str, str, str]]]]:
    """By the ids of tuples: who put what on which attribute, tuple by tuple."""
    tags = {row["tag"]: row for row in table(mill, "tags").to_pylist()}
    sets: dict[int, set[tuple[str, str, str, str]]] = {}
    for row in table(mill, "tag_sets").to_pylist():
        tag = tags[row["tag"]]
        names = [row["attribute"]] if row["attribute"] else PATIENTS.names
        marks = {(name, row["granularity"], tag["tagger"], tag["content"]) for name in names}
        sets.setdefault(row["tagset"], set()).update(marks)
    positions = table(mill, "log").column("position").to_pylist()
    tables = mill.runner("Patients").journal.state.tables
    tagged = sets_at(mill.space.storage, tables, positions)
    found: dict[str, list[set[tuple[str, str, str, str]]]] = {}
    for row in table(mill, "log").to_pylist():
        marks = sets[tagged[row["position"]]] if row["position"] in tagged else set()
        found.setdefault(row["item"]["@id"], []).append(marks)
    return found


def wanted_marks() -> dict[str, list[set[tuple[str, str, str, str]]]]:
    found: dict[str, list[set[tuple[str, str, str, str]]]] = {}
    for marked in resolve(place(ELEMENTS), PATIENTS):
        found.setdefault(marked.element.id, []).append(set(map(_told, marked.marks)))
    return found


def _told(mark: Mark) -> tuple[str, str, str, str]:
    tag = mark.tag.tag
    return mark.attribute, mark.granularity.value, tag.tagger, tag.content


@pytest.mark.spark
def test_steps_resolve_the_tags_of_their_source(spark: SparkSession, tmp_path: Path) -> None:
    lines = list(write_json_lines(ELEMENTS, WireOptions(PATIENTS)))
    (tmp_path / "p.jsonl").write_text("\n".join(lines))
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        mill.create_stream(
            "Patients", tmp_path / "p.jsonl", finite=True, max_items_per_batch=60, lateness=1000
        )
        subscription = mill.subscribe(ALL)
        report = mill.run()
        tuples = sum(isinstance(each, StreamTuple) for each in ELEMENTS)
        assert (report.items, report.quarantined) == (tuples, 0)
        assert len(list(subscription.results())) == tuples
        assert marks_of(mill) == wanted_marks()


@pytest.mark.spark
def test_a_stream_without_tags_keeps_no_tables_of_them(spark: SparkSession, tmp_path: Path) -> None:
    plain = [each for each in ELEMENTS if isinstance(each, StreamTuple)]
    lines = list(write_json_lines(plain, WireOptions(PATIENTS)))
    (tmp_path / "p.jsonl").write_text("\n".join(lines))
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        mill.create_stream("Patients", tmp_path / "p.jsonl", finite=True)
        mill.subscribe(ALL)
        mill.run()
        tables = mill.runner("Patients").journal.state.tables
        assert not any(tables[name] for name in ("tags", "tag_sets", "tagged", "live_tags"))


@pytest.mark.spark
def test_tags_attached_to_plain_items(spark: SparkSession, tmp_path: Path) -> None:
    rows = "".join(f"<i><id>a{n}</id><t>{n}</t><v>{n % 3}</v></i>" for n in range(9))
    (tmp_path / "r.xml").write_text(f"<r>{rows}</r>")
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        source = tmp_path / "r.xml"
        mill.create_stream("R", source, order_by="t", key="id", max_items_per_batch=4, finite=True)
        mill.attach("R", "odd", tagger="ann", applicability="*,a[1357],{v}", lifespan="6 s")
        mill.attach("R", "first", tagger="bob", sign="+")
        mill.attach("R", "same", tagger="bob", applicability="*,*,{v.value}", lifespan="1 h")
        mill.subscribe('<o>{ for $i in stream("R")/r/i return <v>{ $i/v }</v> }</o>')
        mill.run()
        assert mill.tags("R").taggers() == [
            Deed("ann", "v", "odd", 1, 3),
            Deed("bob", None, "first", 1, 1),
            Deed("bob", "v", "same", 1, 3),
        ]
        with pytest.raises(QueryError, match="has ended"):
            mill.attach("R", "too late", tagger="bob")
    shown = CliRunner().invoke(app, ["tags", "opinion", str(tmp_path / "space"), "R", "--json"])
    assert json.loads(shown.stdout) == {
        "opinion": [
            {"object": None, "positive": 1, "negative": 0, "neutral": 0},
            {"object": "v", "positive": 0, "negative": 0, "neutral": 2},
        ]
    }
