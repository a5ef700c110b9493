"""Every example of the paper on tags, from the command line."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import millstream
from millstream.runtime.session import SparkSession
from tests.cli.conftest import Call
from tests.languages.tagql import examples

pytestmark = [pytest.mark.spark, pytest.mark.timeout(900)]


def measured(id: str, time: int, measure: int, loc: str) -> str:
    attributes = {"pid": id.partition("-")[0], "measure": measure, "loc": loc, "time": time}
    return json.dumps({"tuple": {"id": id, "time": time, "attributes": attributes}})


URGENT = "Emergency"
PATIENTS = f"""\
{{"tag": {{"applicability": "*,*,{{measure}}", "tagger": "a", "sign": "-", "content": "{URGENT}"}}}}
{measured("p1-1", 0, 95, "0.1 0.1")}
{measured("p2-1", 1, 70, "0.5 0.5")}
{{"tag": {{"tagger": "bob", "content": "Nice", "sign": "+"}}}}
{measured("p1-2", 2, 90, "0.1 0.1")}
"""
ANIMALS = """\
{"tag": {"tagger": "eve", "content": "Big dog"}}
{"tuple": {"id": "a1-1", "time": 1, "attributes": {"pid": "a1", "loc": "0.2 0.2"}}}
{"tuple": {"id": "a2-1", "time": 2, "attributes": {"pid": "a2", "loc": "0.9 0.9"}}}
"""


def traffic(*tags: str) -> str:
    lines = []
    for number, tag in enumerate(tags):
        if tag:
            lines.append(json.dumps({"tag": {"tagger": "ann", "content": tag}}))
        attributes = {"object_id": f"o{number}", "location": "0.5 0.52", "speed": 1.5}
        moved = {"id": f"o{number}-1", "time": number, "attributes": attributes}
        lines.append(json.dumps({"tuple": moved}))
    return "\n".join(lines) + "\n"


@pytest.fixture
def streams(tmp_path: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The streams of the examples as options, and a mill that uses the session of the tests."""
    monkeypatch.setattr(millstream, "open", partial(millstream.open, spark=spark))
    files = {
        "Patients": PATIENTS,
        "Animals": ANIMALS,
        "Vehicles": traffic("sad", "", "Joyful", "angry"),
        "Pedestrians": traffic("", "happy", "x"),
    }
    options = []
    for name, text in files.items():
        (tmp_path / f"{name}.jsonl").write_text(text)
        options += ["--stream", f"{name}={tmp_path / name}.jsonl"]
    return options


def answered(call: Call, streams: list[str], text: str, *options: str) -> list[dict[str, Any]]:
    outcome = call("query", text, *streams, "--format", "json", *options)
    assert outcome.status == 0, outcome.stderr
    return [json.loads(line) for line in outcome.stdout.splitlines()]


def contents(lines: list[dict[str, Any]]) -> list[str]:
    """What tags say, where tuples stand, and what a stix says."""
    return [
        each["tag"]["content"]
        if "tag" in each
        else each["stix"]
        if "stix" in each
        else each["tuple"]["id"]
        for each in lines
    ]


EXPECTED = {
    "panic attack": ["Emergency", "Panic attack", "p1-1", "p2-1", "Nice", "p1-2"],
    "running": ["Emergency", "Running", "p1-1", "p2-1", "Nice", "p1-2"],
    "dangerous": ["Emergency", "Dangerous", "p1-1", "p2-1", "Nice", "Dangerous", "p1-2"],
    "Q1": ["Emergency"],
    "Q2": ["p1-1"],
    "Q3": ["p1-1", "Nice", "p1-2"],
    "Q4": ["(1:2)1", "Big dog", "p1-1+a1-1", "(1:2)2|(1:1)1", "Nice", "Big dog", "p1-2+a1-1"],
    "experiment 2": ["sad", "angry"],
    "experiment 3": ["(2)2|(1)1", "happy", "Joyful", "o1-1", "o2-1"],
}


def test_examples(call: Call, streams: list[str]) -> None:
    found = {name: contents(answered(call, streams, examples.EXAMPLES[name])) for name in EXPECTED}
    assert found["experiment 3"] in (
        EXPECTED["experiment 3"],
        ["(2)2|(1)1", "Joyful", "happy", "o2-1", "o1-1"],
    )
    assert {**found, "experiment 3": []} == {**EXPECTED, "experiment 3": []}


def test_tags_that_are_drawn_are_drawn_again(call: Call, streams: list[str]) -> None:
    first = answered(call, streams, examples.EXPERIMENT_1, "--tagger", "me")
    tagged = [each["tag"] for each in first if "tag" in each and each["tag"]["tagger"] == "me"]
    assert tagged and answered(call, streams, examples.EXPERIMENT_1, "--tagger", "me") == first


def test_tags_of_both_sides_of_a_join(call: Call, streams: list[str]) -> None:
    lines = answered(call, streams, examples.EXPERIMENT_4)
    assert contents(lines)[:3] == ["(1:1)1", "sad", "o0-1+o0-1"]


def test_the_answer_of_a_tagging_query_is_xml_as_well(call: Call, streams: list[str]) -> None:
    outcome = call("query", examples.DANGEROUS, *streams, "--tagger", "doctor")
    first = '<tag tagger="a" applicability="*,*,{measure}" type='
    assert outcome.stdout.startswith(first)
    assert '<tag tagger="doctor" applicability="*,*,{pid.value}"' in outcome.stdout


def test_a_space_is_asked_for_what_is_live(call: Call, streams: list[str], tmp_path: Path) -> None:
    space = str(tmp_path / "space")
    with millstream.open(space) as mill:
        mill.create_stream("Patients", tmp_path / "Patients.jsonl", finite=True)
        mill.run()
    asked = ("query", "SELECT TAGS FROM Patients [2 s]", "--space", space)
    lines = call(*asked, "--format", "json").stdout.splitlines()
    assert contents([json.loads(line) for line in lines]) == ["Nice"]
    facts = json.loads(call(*asked, "--json").stdout)
    assert (facts["now"], facts["run"]["results"], facts["engine"]) == ("2", 1, "spark")
    refused = call(*asked, "--now", "2026-01-01")
    assert refused.status == 2 and "no --now" in refused.stderr


FIGURE_5 = {
    "A": '{"tag": {"tagger": "ann", "applicability": "*,o[123],{}", "content": "Accident"}}\n'
    + "".join(
        f'{{"tuple": {{"id": "o{number}", "time": {number}, "attributes": {{"x": {number}}}}}}}\n'
        for number in (1, 2, 3)
    ),
    "B": '{"tag": {"tagger": "bob", "content": "Accident"}}\n'
    '{"tuple": {"id": "o4", "time": 4, "attributes": {"y": 4}}}\n',
}
FIGURE_6 = {
    "A": '{"tag": {"tagger": "ann", "content": "t1"}}\n'
    '{"tuple": {"id": "x", "time": 1, "attributes": {"a": "a1", "b": "b1", "c": "c1"}}}\n',
    "B": '{"tag": {"tagger": "bob", "content": "t2"}}\n'
    '{"tuple": {"id": "y", "time": 2, "attributes": {"a": "a1", "e": "e2", "f": "f2"}}}\n',
}


def written(folder: Path, files: dict[str, str]) -> list[str]:
    options = []
    for name, text in files.items():
        (folder / f"{name}.jsonl").write_text(text)
        options += ["--stream", f"{name}={folder / name}.jsonl"]
    return options


def test_stix_of_figure_5(call: Call, streams: list[str], tmp_path: Path) -> None:
    text = "SELECT TAGGED OBJECTS FROM A [1 min], B [1 min] WHERE TAG(A) = TAG(B)"
    lines = answered(call, written(tmp_path, FIGURE_5), text)
    expected = ["(4)2|(1-3)1", "Accident", "Accident", "o1", "o2", "o3", "o4"]
    assert contents(lines) == expected


def test_stix_of_figure_6(call: Call, streams: list[str], tmp_path: Path) -> None:
    text = "SELECT * FROM A [1 min], B [1 min] WHERE A.a = B.a WITH TAGS"
    lines = answered(call, written(tmp_path, FIGURE_6), text)
    assert contents(lines) == ["(1:1,4-5)2|(1:1-3)1", "t1", "t2", "x+y"]
