"""The command line with the real mill behind it, in processes of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from millstream.generators.photon_queries import VELA
from millstream.generators.photons import dirty, write
from tests.cli.conftest import Call

pytestmark = [pytest.mark.spark, pytest.mark.timeout(900)]

PHOTONS = 3_000
FILE = f"""
[space]
path = "space"

[[stream]]
name = "photons"
source = "photons"
order_by = "det_time"

[[subscription]]
name = "vela"
text = '''{VELA}'''

[[subscription.sink]]
format = "xml"
path = "vela.xml"
"""


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "millstream", *arguments]


def wait_for(condition: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a file has content, as long as the process lives."""
    while not (condition.exists() and condition.stat().st_size):
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.2)


def test_interrupted_run_leaves_a_readable_space(tmp_path: Path, call: Call) -> None:
    write(tmp_path / "photons", PHOTONS, files=2, dirt=0.01)
    (tmp_path / "mill.toml").write_text(FILE)
    process = subprocess.Popen(
        command("run", str(tmp_path / "mill.toml"), "--json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(tmp_path / "vela.xml", process)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate()
    assert process.returncode == 0, stderr
    assert "stopped" in stderr
    assert json.loads(stdout)["subscriptions"] == ["vela"]
    check_space(str(tmp_path / "space"), (tmp_path / "vela.xml").read_text(), call)


def check_space(space: str, delivered: str, call: Call) -> None:
    """What the commands say of a space agrees with what went in and came out."""
    streams = json.loads(call("streams", space, "--json").stdout)["streams"]
    broken = dirty(PHOTONS, dirt=0.01)
    quarantined = json.loads(call("quarantine", space, "--json").stdout)["quarantine"]
    results = json.loads(call("results", space, "vela", "--json").stdout)
    assert streams[0]["items"] + streams[0]["quarantined"] == PHOTONS
    assert 0 < len(quarantined) <= len(broken)
    assert json.loads(call("subscriptions", space, "--json").stdout)["subscriptions"][0] == {
        "name": "vela",
        "text": VELA,
        "peer": "SP0",
    }
    assert delivered.splitlines() == [results["opening"], *results["items"]]


def test_demo_reports_what_it_saved() -> None:
    done = subprocess.run(
        command("demo", "--photons", str(PHOTONS), "--json"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    assert (facts["parsed"], facts["parsed_alone"]) == (PHOTONS, 4 * PHOTONS)
    results = {name: each["results"] for name, each in facts["subscriptions"].items()}
    assert results["vela"] > results["rxj"] > 0
    assert results["average_20"] > results["average_60"] > 0
