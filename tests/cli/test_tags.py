"""millstream tags: attached from the command line, and read there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import millstream
from millstream.cli.main import status_of
from millstream.generators.tagged.patients import PATIENTS, patient_measurements
from millstream.model.tags.wire import WireOptions, write_json_lines

READINGS = ("live", "opinion", "cloud", "distribution", "taggers")


@pytest.fixture
def space(tmp_path: Path) -> str:
    lines = write_json_lines(patient_measurements(20), WireOptions(PATIENTS))
    (tmp_path / "p.jsonl").write_text("\n".join(lines))
    with millstream.open(tmp_path / "space") as mill:
        mill.create_stream("Patients", tmp_path / "p.jsonl")
    return str(tmp_path / "space")


def told(capsys: Any, *arguments: str) -> Any:
    assert status_of(["tags", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_an_attached_tag_waits(space: str, capsys: Any) -> None:
    fields = ["--sign", "-", "--lifespan", "2 h", "--mode", "Overwrite", "--time", "7"]
    fields += ["--tagger", "ann", "--on", "*,*,{loc}"]
    told(capsys, "attach", space, "Patients", "Panic", *fields)
    (tag,) = told(capsys, "live", space, "Patients")["tags"]
    expected = {"tagger": "ann", "content": "Panic", "sign": "-", "lifespan": "2 h"}
    expected |= {"mode": "Overwrite", "time": "7", "applicability": "*,*,{loc}", "number": None}
    assert {name: tag[name] for name in expected} == expected


@pytest.mark.parametrize("reading", READINGS[1:])
def test_before_the_first_step_there_is_nothing_to_read(
    reading: str, space: str, capsys: Any
) -> None:
    assert list(told(capsys, reading, space, "Patients").values()) == [[]]


@pytest.mark.parametrize("reading", READINGS)
def test_a_reading_is_a_table_for_people(reading: str, space: str, capsys: Any) -> None:
    assert status_of(["tags", reading, space, "Patients"]) == 0
    assert "┏" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["Patient", "x", "--tagger", "ann"], "no stream 'Patient'"),
        (["Patients", "x", "--tagger", "ann", "--on", "*,*,{hight}"], "attribute 'hight'"),
        (["Patients", "x", "--tagger", "ann", "--on", "*,(,{}"], "not a pattern"),
        (["Patients", "x", "--tagger", "ann", "--lifespan", "-1 min"], "not negative"),
        (["Patients", "", "--tagger", "ann"], "a tag has a content"),
        (["Patients", "x", "--tagger", "ann", "--mode", "Erase"], "not a mode"),
        (["Patients", "x", "--tagger", "ann", "--sign", "!"], "not a sign"),
        (["Patients", "x"], "--tagger"),
    ],
)
def test_a_bad_tag_is_refused(arguments: list[str], reason: str, space: str, capsys: Any) -> None:
    assert status_of(["tags", "attach", space, *arguments]) == 2
    assert reason in capsys.readouterr().err
    assert told(capsys, "live", space, "Patients") == {"tags": []}
