"""Subscriptions that come and go while a stream runs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import millstream
from millstream.generators.photons import PHOTONS_DTD, generate
from millstream.mill import Mill
from millstream.runtime.session import SparkSession
from millstream.testing.memory_source import MemorySource

TYPES = {"en": "decimal", "det_time": "integer", "coord/cel/ra": "decimal"}


def energies(least: str, name: str = "e") -> str:
    return (
        f'<out>{{ for $p in stream("photons")/photons/photon where $p/en >= {least}'
        f" return <{name}>{{ $p/en }}</{name}> }}</out>"
    )


def wait_for(condition: Callable[[], bool], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "what was waited for did not happen"
        time.sleep(0.05)


class Running:
    """A mill that runs in a thread while the test acts on it."""

    def __init__(self, mill: Mill) -> None:
        self.mill = mill
        self.failure: BaseException | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                self.mill.run(until=3600, stop=self._stop)
        except BaseException as error:
            self.failure = error

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(60)
        if self.failure:
            raise self.failure

    def items(self) -> int:
        if self.failure:
            raise self.failure
        return self.mill.streams["photons"].statistics()["items"]


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_subscriptions_come_and_go_without_a_restart(spark: SparkSession, tmp_path: Path) -> None:
    photons = list(generate(300))
    source = MemorySource(tmp_path / "in")
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        stream = mill.create_stream("photons", tmp_path / "in", schema=PHOTONS_DTD, types=TYPES)
        first = mill.subscribe(energies("1.0"), name="first")
        running = Running(mill)
        source.push(photons[:100])
        wait_for(lambda: running.items() == 100)
        before = stream.run_id
        second = mill.subscribe(energies("1.0", "f"), name="second")
        source.push(photons[100:200])
        wait_for(lambda: running.items() == 200)
        first.cancel()
        source.push(photons[200:])
        wait_for(lambda: running.items() == 300)
        assert stream.run_id == before
        running.stop()
        assert list(first.results()) == expected(photons[:200], "e")
        assert list(second.results()) == expected(photons[100:], "f")


def expected(photons: list[str], name: str) -> list[str]:
    energies = (item.split("<en>")[1].split("</en>")[0] for item in photons)
    return [f"<{name}><en>{each}</en></{name}>" for each in energies if float(each) >= 1.0]
