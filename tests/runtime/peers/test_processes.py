"""Every super-peer a process: killed and started again, they leave what an undisturbed run does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

import millstream
from millstream.generators.photons import write
from millstream.runtime.crash import PEER_POINTS, VARIABLE
from millstream.runtime.peers.presence import Presence
from millstream.runtime.storage import LocalStorage
from millstream.sharing.network import cube
from tests.runtime.peers.shared import PLACES, create, results, subscribe

pytestmark = [pytest.mark.spark, pytest.mark.long, pytest.mark.timeout(3600)]
PEERS = tuple(each.name for each in cube().peers)
ROOT = Path(__file__).parents[3]
KILLED = [
    ("SP4", "committed:3"),
    ("SP4", "sent:4"),
    ("SP5", "received:3"),
    ("SP1", "evaluated:2"),
    ("SP1", "received:2"),
    ("SP3", "begun:1"),
]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("peers") / "photons"
    write(folder, 1200, rate=3)
    return folder


@pytest.fixture(scope="module")
def undisturbed(source: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What a mill in one process gives; it runs in a process of its own."""
    space = tmp_path_factory.mktemp("undisturbed") / "space"
    with millstream.open(space, network=cube()) as mill:
        create(mill, source)
        subscribe(mill, *PLACES)
        mill.run()
    return results(space)


@pytest.fixture
def space(source: Path, tmp_path: Path) -> Path:
    with millstream.open(tmp_path / "space", network=cube(), peers=True) as mill:
        create(mill, source)
        subscribe(mill, *PLACES)
    return tmp_path / "space"


@contextmanager
def started(
    space: Path, *names: str, crash_at: str | None = None, until: str = "drained"
) -> Iterator[Processes]:
    with ExitStack() as stack:
        found = {}
        for name in names:
            found[name] = stack.enter_context(_peer(space, name, crash_at, until))
            stack.callback(found[name].kill)
        yield found


Processes = dict[str, subprocess.Popen[bytes]]


def _peer(space: Path, name: str, crash_at: str | None, until: str) -> subprocess.Popen[bytes]:
    command = (sys.executable, "-m", "millstream", "peer", "--until", until, "--name", name)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    if crash_at is not None:
        environment[VARIABLE] = crash_at
    with (space.parent / f"{name}.log").open("ab") as log:
        return subprocess.Popen(
            [*command, "--space", str(space)], env=environment, stdout=log, stderr=log
        )


def ended(processes: Processes, space: Path) -> None:
    """Wait for all, none of which may fail."""
    for name, each in processes.items():
        told = space.parent / f"{name}.log"
        assert each.wait(900) == 0, told.read_text()[-4000:]


def test_peers_as_processes_give_what_one_process_gives(
    space: Path, undisturbed: dict[str, list[str]]
) -> None:
    with started(space, *PEERS) as processes:
        ended(processes, space)
    assert all(undisturbed.values())
    assert results(space) == undisturbed


def test_every_crash_point_of_peers_is_tried() -> None:
    assert set(PEER_POINTS) <= {place.partition(":")[0] for _, place in KILLED}


@pytest.mark.parametrize(("victim", "place"), KILLED)
def test_killed_peer_resumes_exactly(
    victim: str, place: str, space: Path, undisturbed: dict[str, list[str]]
) -> None:
    others = [each for each in PEERS if each != victim]
    with started(space, *others) as processes:
        with started(space, victim, crash_at=place) as doomed:
            assert doomed[victim].wait(600) == -signal.SIGKILL
        with started(space, victim) as again:
            ended(again, space)
            ended(processes, space)
    assert results(space) == undisturbed


def test_killed_coordinator_is_not_missed(space: Path, undisturbed: dict[str, list[str]]) -> None:
    with started(space, *PEERS) as processes:
        for _ in range(2):
            with _coordinating(space) as coordinator:
                time.sleep(8)
                assert coordinator.poll() is None
                coordinator.kill()
        ended(processes, space)
    assert results(space) == undisturbed


@pytest.mark.parametrize("names", [("vela",), ("vela", "rxj")])
def test_peer_that_died_is_gone_around(
    names: tuple[str, ...], source: Path, undisturbed: dict[str, list[str]], tmp_path: Path
) -> None:
    """SP5 passes photons on, or is where the second is made from the first; it is gone for good."""
    space = tmp_path / "space"
    with millstream.open(space, network=cube(), peers=True) as mill:
        create(mill, source)
        subscribe(mill, *names)
        assert mill.plans.rerouting().flows.records["vela"].route == ("SP4", "SP5", "SP1")
    (space / "peers").mkdir()
    seen = Presence(LocalStorage(str(space)), "SP5")
    seen.start()
    seen.stop()
    others = [each for each in PEERS if each != "SP5"]
    expected = {name: undisturbed[name] for name in names}
    with (
        started(space, *others, until="forever"),
        _coordinating(space, "--away", "3") as coordinator,
    ):
        deadline = time.monotonic() + 600
        while results(space) != expected and time.monotonic() < deadline:
            time.sleep(2)
        coordinator.kill()
    assert results(space) == expected


def _coordinating(space: Path, *options: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "millstream", "coordinate", "--space", str(space)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    return subprocess.Popen([*command, *options], env=environment)
