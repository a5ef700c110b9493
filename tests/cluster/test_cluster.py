"""On a cluster everything gives what it gives in one process, also when a worker is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cluster.standalone import Standalone
from tests.cluster.workload import prepare

pytestmark = [pytest.mark.spark, pytest.mark.long, pytest.mark.timeout(3600)]
ROOT = Path(__file__).parents[2]
Results = dict[str, list[str]]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Standalone]:
    found = Standalone(tmp_path / "cluster")
    yield found
    found.stop()


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return run("local[2]", tmp_path_factory.mktemp("embedded"))


def run(master: str, folder: Path, on_step: Callable[[int], None] = lambda step: None) -> Results:
    """The results of the workload on a Spark."""
    prepare(folder)
    command = [sys.executable, "-m", "tests.cluster.workload", master, str(folder)]
    with (
        (folder / "results.json").open("wb") as out,
        subprocess.Popen(
            command, cwd=ROOT, stdout=out, stderr=subprocess.PIPE, text=True, env=_environment()
        ) as process,
    ):
        assert process.stderr is not None
        told = []
        for line in process.stderr:
            told.append(line)
            if line.startswith("step "):
                on_step(int(line.split()[1]))
    assert process.returncode == 0, "".join(told[-80:])
    found: Results = json.loads((folder / "results.json").read_text())
    return found


def _environment() -> dict[str, str]:
    paths = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    return {**os.environ, "PYTHONPATH": paths, "PYSPARK_PYTHON": sys.executable}


def test_cluster_gives_what_one_process_gives(
    cluster: Standalone, embedded: Results, tmp_path: Path
) -> None:
    assert all(embedded[name] for name in ("vela", "average_60", "tagged", "averages", "limits"))
    assert run(cluster.address, _made(tmp_path / "on the cluster")) == embedded


def test_lost_worker_loses_nothing(cluster: Standalone, embedded: Results, tmp_path: Path) -> None:
    killed: list[int] = []

    def lose(step: int) -> None:
        if step >= 3 and not killed:
            killed.append(step)
            cluster.kill_worker(0)

    assert run(cluster.address, _made(tmp_path / "lost"), lose) == embedded
    assert killed


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder
