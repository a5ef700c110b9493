"""millstream generate."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from tests.cli.conftest import Call


def test_photons_are_written(call: Call, tmp_path: Path) -> None:
    outcome = call("generate", "photons", "--count", "20", "--out", str(tmp_path / "p.xml"))
    assert outcome.status == 0
    assert (tmp_path / "p.xml").read_text().count("<photon>") == 20


def test_files_are_reported(call: Call, tmp_path: Path) -> None:
    outcome = call(
        "generate", "photons", "--count", "20", "--files", "2", "--gzip", "--seed", "7",
        "--disorder", "0.1", "--dirt", "0.1", "--out", str(tmp_path), "--json",
    )  # fmt: skip
    files = json.loads(outcome.stdout)["files"]
    assert files == sorted(str(path) for path in tmp_path.iterdir())
    assert len(files) == 2


def test_unwritable_place_is_the_callers_fault(call: Call, tmp_path: Path) -> None:
    outcome = call("generate", "photons", "--count", "1", "--out", str(tmp_path / "no" / "p.xml"))
    assert outcome.status == 2
    assert "cannot write" in outcome.stderr


def test_share_above_one_is_the_callers_fault(call: Call, tmp_path: Path) -> None:
    outcome = call(
        "generate", "photons", "--count", "1", "--out", str(tmp_path / "p.xml"), "--dirt", "2"
    )
    assert outcome.status == 2


def test_patients_are_written_as_xml(call: Call, tmp_path: Path) -> None:
    out = tmp_path / "patients.xml"
    assert call("generate", "patients", "--count", "50", "--out", str(out)).status == 0
    assert out.read_text().count("<tuple ") + out.read_text().count("<tag ") == 50


def test_moving_objects_are_tagged_with_emotions(call: Call, tmp_path: Path) -> None:
    out = tmp_path / "objects.jsonl.gz"
    outcome = call(
        "generate", "moving-objects", "--count", "100", "--emotions", "0.5", "--out", str(out),
        "--json",
    )  # fmt: skip
    lines = [json.loads(line) for line in gzip.decompress(out.read_bytes()).splitlines()]
    tags = sum("tag" in line for line in lines)
    assert 30 < tags < 70
    assert json.loads(outcome.stdout)["elements"] == len(lines) == 100 + tags


def test_the_example_is_an_offer_with_78_opinions(call: Call, tmp_path: Path) -> None:
    out = tmp_path / "offer.jsonl"
    assert call("generate", "offers", "--example", "--out", str(out)).status == 0
    assert out.read_text().count('{"tag": ') == 78


def test_example_of_many_offers_is_the_callers_fault(call: Call, tmp_path: Path) -> None:
    outcome = call("generate", "offers", "--example", "--count", "3", "--out", str(tmp_path / "o"))
    assert outcome.status == 2
    assert "leave out --count" in outcome.stderr
