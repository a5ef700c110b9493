"""A network that is killed anywhere and resumed leaves the results of an undisturbed one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import millstream
from millstream.generators.photons import write
from millstream.runtime.crash import VARIABLE
from tests.runtime.network.run_peers import PEERS

SCRIPT = Path(__file__).with_name("run_peers.py")
Outcome = dict[str, list[str] | int]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("killed") / "photons"
    write(folder, 2500, files=2)
    return folder


@pytest.fixture(scope="module")
def undisturbed(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    space = tmp_path_factory.mktemp("undisturbed") / "space"
    assert run(space, source) == 0
    return outcome(space)


def run(space: Path, source: Path, crash_at: str | None = None) -> int:
    environment = {**os.environ, **({VARIABLE: crash_at} if crash_at else {})}
    command = [sys.executable, str(SCRIPT), str(space), str(source)]
    return subprocess.run(command, env=environment, timeout=900, check=False).returncode


def outcome(space: Path) -> Outcome:
    """All results, and the bytes that went over each link, read without Spark."""
    with millstream.open(space) as mill:
        found: Outcome = {name: list(mill.subscriptions[name].results()) for name in PEERS}
        for (start, end), use in mill.traffic().items():
            found[f"{start} to {end}"] = use.bytes
        return found


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    "place", ["begun:3", "evaluated:5", "committed:2", "committed:9", "committed:16", "ended:2"]
)
def test_killed_and_resumed_network_leaves_the_same_results(
    place: str, source: Path, undisturbed: Outcome, tmp_path: Path
) -> None:
    assert run(tmp_path / "space", source, place) == -signal.SIGKILL
    assert run(tmp_path / "space", source) == 0
    assert outcome(tmp_path / "space") == undisturbed
    assert all(undisturbed.values())
