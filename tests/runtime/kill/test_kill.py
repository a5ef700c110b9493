"""A run that is killed at any crash point and resumed leaves the log of an undisturbed run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import millstream
from millstream.generators.photons import write
from millstream.runtime.crash import POINTS, VARIABLE
from tests.runtime.kill.run_mill import QUERIES

Logs = dict[str, list[tuple[int, tuple[int, ...], str]]]
SCRIPT = Path(__file__).with_name("run_mill.py")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kill") / "photons"
    write(folder, 4000, files=3, dirt=0.01)
    return folder


@pytest.fixture(scope="module")
def undisturbed(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Logs:
    space = tmp_path_factory.mktemp("undisturbed") / "space"
    assert run(space, source) == 0
    return logs(space)


def run(space: Path, source: Path, crash_at: str | None = None) -> int:
    environment = {**os.environ, **({VARIABLE: crash_at} if crash_at else {})}
    command = [sys.executable, str(SCRIPT), str(space), str(source)]
    return subprocess.run(command, env=environment, timeout=600, check=False).returncode


def logs(space: Path) -> Logs:
    """Every subscription's result log, read without Spark."""
    with millstream.open(space) as mill:
        return {
            name: [
                (each.step, each.ordering, each.value) for each in mill.subscriptions[name].log()
            ]
            for name in QUERIES
        }


PLACES = ("parsed", "begun:3", "evaluated", "evaluated:9", "committed:3", "merged", "ended")


def test_every_crash_point_is_tried() -> None:
    assert {each.partition(":")[0] for each in PLACES} == set(POINTS)


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("place", PLACES)
def test_killed_and_resumed_run_leaves_the_same_log(
    place: str, source: Path, undisturbed: Logs, tmp_path: Path
) -> None:
    killed = run(tmp_path / "space", source, place)
    assert killed == -signal.SIGKILL
    assert run(tmp_path / "space", source) == 0
    assert logs(tmp_path / "space") == undisturbed


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(1800)
def test_undisturbed_run_has_results_of_every_subscription(undisturbed: Logs) -> None:
    assert all(undisturbed.values())
