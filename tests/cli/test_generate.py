"""millstream generate."""

from __future__ import annotations

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
