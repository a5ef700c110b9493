"""The intake spec."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from millstream.errors import StateError, UnsupportedError
from millstream.runtime.intake.parsers import columns_of, namespaces_of
from millstream.runtime.intake.spec import IntakeSpec
from tests.runtime.intake.driving import NUMBERS, Intake

SPEC = IntakeSpec("s", "in/*.csv", NUMBERS, "log", "bad", "journal", "spool", columns=("a", "b"))


def test_spec_travels_as_json() -> None:
    assert IntakeSpec.from_json(SPEC.to_json()) == SPEC


def test_unreadable_spec_is_refused() -> None:
    with pytest.raises(StateError, match="cannot be read"):
        IntakeSpec.from_json('{"stream": "s"}')


def test_places_become_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    spec = replace(SPEC, log_directory="file:///log", spool_directory="s3://b/spool").absolute()
    assert spec.location == f"{tmp_path}/in/*.csv"
    assert (spec.log_directory, spec.spool_directory) == ("/log", "s3://b/spool")


def test_limits_must_be_positive() -> None:
    with pytest.raises(StateError, match="chunk_bytes of stream 's' must be at least 1"):
        replace(SPEC, chunk_bytes=0)
    with pytest.raises(UnsupportedError, match="no reader for format 'yaml'"):
        replace(SPEC, format="yaml")


def test_columns_are_named_by_a_header() -> None:
    assert columns_of('"a,b",c', ",") == ("a,b", "c")


def test_namespaces_are_declared_on_a_tag() -> None:
    tag = "<root xmlns='urn:d' xmlns:a=\"urn:a\" xmlns:b = 'urn:b'>"
    assert namespaces_of(tag) == {"a": "urn:a", "b": "urn:b"}


def test_namespaces_of_the_root_reach_every_chunk_of_every_file(tmp_path: Path) -> None:
    intake = Intake(tmp_path, {"chunk_bytes": 10})
    item = '<number><n>1</n><note x:a="2"/></number>'
    intake.put("a.xml", f'<numbers xmlns:x="urn:x">{item}{item}')
    intake.put("b.xml", f"{item}</numbers>")
    intake.drain()
    headers = [file.header for file in intake.reader._planner.journal.files.values()]
    assert headers == ['<numbers xmlns:x="urn:x">'] * 2
