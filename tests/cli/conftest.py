"""The command line with a fake mill behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import millstream
from millstream.cli.main import status_of
from tests.cli.fake_door import FakeMill


@dataclass(frozen=True)
class Outcome:
    status: int
    stdout: str
    stderr: str


Call = Callable[..., Outcome]


@pytest.fixture
def mill(monkeypatch: pytest.MonkeyPatch) -> FakeMill:
    fake = FakeMill()
    monkeypatch.setattr(millstream, "open", fake.open, raising=False)
    return fake


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a file of photons in it."""
    (tmp_path / "p.xml").write_text("<photons/>")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Run the command line with some arguments."""

    def run(*arguments: str) -> Outcome:
        status = status_of(arguments)
        captured = capsys.readouterr()
        return Outcome(status, captured.out, captured.err)

    return run
