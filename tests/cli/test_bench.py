"""millstream bench: experiments are found in a checkout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call

EXPERIMENT = """
from __future__ import annotations
from dataclasses import dataclass

@dataclass(slots=True)
class Size:
    ratio: float = 0.5

def measure(quick):
    return {"quick": quick, "ratio": Size().ratio}

def table(facts):
    return f"ratio {facts['ratio']}"
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "src" / "millstream").mkdir(parents=True)
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench" / "little.py").write_text(EXPERIMENT)
    monkeypatch.chdir(tmp_path / "src")
    return tmp_path


def test_experiment_reports_json(call: Call, checkout: Path) -> None:
    outcome = call("bench", "little", "--quick", "--json")
    assert json.loads(outcome.stdout) == {"quick": True, "ratio": 0.5}


def test_experiment_prints_its_table(call: Call, checkout: Path) -> None:
    assert call("bench", "little").stdout == "ratio 0.5\n"


def test_unknown_experiment_is_the_callers_fault(call: Call, checkout: Path) -> None:
    outcome = call("bench", "litle")
    assert outcome.status == 2
    assert "did you mean 'little'" in outcome.stderr
