"""A service in a process of its own, for tests that kill it."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

Event = tuple[str, str]
"""The id of an item, and its value."""
PATIENCE = 240.0
"""Seconds to wait for what must come, on a machine that may have much else to do."""


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@dataclass
class Live:
    """A running service."""

    process: subprocess.Popen[str]
    port: int

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """The status and the content of an answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        content = None if body is None else json.dumps(body)
        headers = {"Content-Type": "application/json"} if body is not None else {}
        connection.request(method, path, content, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        kind = answer.getheader("content-type") or ""
        is_json = kind in ("application/json", "application/problem+json")
        return answer.status, json.loads(text) if is_json and text else text

    def get(self, path: str) -> Any:
        status, content = self.ask("GET", path)
        assert status == 200, content
        return content

    def post(self, path: str, body: object) -> Any:
        status, content = self.ask("POST", path, body)
        assert status in (200, 201, 202), content
        return content

    def events(
        self, path: str, last: str | None = None, timeout: float = PATIENCE
    ) -> Iterator[Event]:
        """The items of an event stream, as they come."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        connection.request("GET", path, headers={"Last-Event-ID": last} if last else {})
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        try:
            yield from _items(answer)
        finally:
            connection.close()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def _items(answer: HTTPResponse) -> Iterator[Event]:
    for line in answer:
        if line.startswith(b"data: {") and line != b"data: {}\n":
            content = json.loads(line.removeprefix(b"data: "))
            yield content["position"], content["value"]
        elif line == b"event: end\n":
            return


@contextlib.contextmanager
def serving(*arguments: str | Path, port: int | None = None) -> Iterator[Live]:
    """A service, up and answering, that is ended afterwards if nobody has."""
    port = port or free_port()
    command = [sys.executable, "-m", "millstream", "serve", *map(str, arguments)]
    process = subprocess.Popen(
        [*command, "--port", str(port), "--json"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        assert process.stdout is not None
        told = process.stdout.readline()
        assert json.loads(told)["address"] == f"http://127.0.0.1:{port}"
        live = Live(process, port)
        eventually(lambda: live.ask("GET", "/health")[0] == 200)
        yield live
        if process.poll() is None:
            process.terminate()
            assert process.wait(PATIENCE) == 0
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def eventually(true: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(ConnectionError):
            if true():
                return
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.1)
