"""The demo that goes on: three worlds, served until somebody ends it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from millstream.cli.live_demo import CREDIT_QUERIES, PEERS, VEHICLE_QUERIES, worlds
from millstream.errors import StateError
from tests.service.live import eventually, free_port


def test_three_worlds_are_set_up(tmp_path: Path) -> None:
    with worlds(tmp_path, None) as (mill, feeds):
        assert list(mill.streams) == ["photons", "vehicles", "credit"]
        assert set(mill.subscriptions) == {*PEERS, *VEHICLE_QUERIES, *CREDIT_QUERIES}
        assert mill.subscriptions["rxj"].peer == "SP7"
        assert [feed.written for feed in feeds] == [1, 1, 1]


def test_space_with_streams_is_refused(tmp_path: Path) -> None:
    with worlds(tmp_path / "one", tmp_path / "space"):
        pass
    with pytest.raises(StateError, match="there are streams in"):
        worlds(tmp_path / "two", tmp_path / "space").__enter__()


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(400)
def test_worlds_flow_until_they_are_ended(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "millstream", "demo", "--serve", "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True
    )

    def asked(path: str) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=60) as answer:
            return json.load(answer)

    def is_there() -> bool:
        try:
            return asked("/health") is not None
        except urllib.error.URLError:
            return False

    def results(name: str) -> int:
        return len(asked(f"/v1/subscriptions/{name}/results?limit=1000")["items"])

    try:
        eventually(is_there, 60)
        for name in (*PEERS, "unhappy", "moods", "large_charges"):
            eventually(lambda name=name: results(name) > 0, 150)  # type: ignore[misc]
        before = {each["name"]: each["items"] for each in asked("/v1/streams")}
        eventually(
            lambda: all(each["items"] > before[each["name"]] for each in asked("/v1/streams")), 60
        )
        assert [each["quarantined"] for each in asked("/v1/streams")] == [0, 0, 0]
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert "Traceback" not in (process.stderr.read() if process.stderr else "")
        assert list(tmp_path.glob("millstream-demo-*")) == []
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
