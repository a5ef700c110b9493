"""The command line with a fake mill behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Run the command line with some arguments."""

    def run(*arguments: str) -> Outcome:
        status = status_of(arguments)
        captured = capsys.readouterr()
        return Outcome(status, captured.out, captured.err)

    return run
