"""Photons on their way through topics, and the processes that bring them there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

import millstream
from millstream.generators.photon_queries import PHOTON_QUERIES
from millstream.generators.photons import PHOTONS_DTD, write
from tests.runtime.kafka.broker import Broker, connector

SCRIPT = Path(__file__).with_name("mill_process.py")
ROOT = Path(__file__).parents[3]
BROKEN = b"<photon><phc>1</photon>"
Process = subprocess.Popen[str]


def photons(folder: Path, count: int) -> list[bytes]:
    """Photons, each as the value of a record."""
    write(folder / "photons.xml", count)
    text = (folder / "photons.xml").read_bytes()
    found = re.findall(rb"<photon>.*?</photon>", text, re.DOTALL)
    assert len(found) == count
    return found


def embedded(spark: SparkSession, values: list[bytes], folder: Path) -> dict[str, list[str]]:
    """What the subscriptions give when photons come from a file."""
    file = folder / "embedded.xml"
    file.write_bytes(b"<photons>" + b"\n".join(values) + b"</photons>")
    with millstream.open(spark=spark) as mill:
        mill.create_stream("photons", file, schema=PHOTONS_DTD, order_by="det_time", finite=True)
        for name, text in PHOTON_QUERIES.items():
            mill.subscribe(text, name=name)
        mill.run()
        return {name: list(each.results()) for name, each in mill.subscriptions.items()}


def started(space: Path, source: str, results: str, stop: Path | None = None) -> Process:
    """A mill that has been started in a process of its own."""
    environment = {
        **os.environ,
        "MILLSTREAM_PACKAGES": connector(),
        "PYTHONPATH": str(ROOT / "src"),
    }
    command = [sys.executable, str(SCRIPT), str(space), source, results]
    return subprocess.Popen(
        command if stop is None else [*command, str(stop)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: Process, seconds: float = 240) -> dict[str, Any]:
    """What a mill knows when it has come to its end."""
    out, errors = process.communicate(timeout=seconds)
    assert process.returncode == 0, errors[-4000:]
    found: dict[str, Any] = json.loads(out.splitlines()[-1])
    return found


def by_subscription(broker: Broker, topic: str) -> dict[str, list[str]]:
    """What each subscription has brought to a topic."""
    found: dict[str, list[str]] = {name: [] for name in PHOTON_QUERIES}
    for key, value, headers in broker.messages(topic):
        assert key == headers["millstream-subscription"]
        found[key].append(value)
    return found


def positions(broker: Broker, topic: str) -> Mapping[str, list[int]]:
    """The numbers that the results of each subscription have in a topic."""
    found: dict[str, list[int]] = {name: [] for name in PHOTON_QUERIES}
    for key, _, headers in broker.messages(topic):
        found[str(key)].append(int(headers["millstream-position"]))
    return found
