"""The worked example of the service runs as printed, and gets the answers that it shows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.documents import ROOT, blocks
from tests.service.live import free_port

SECTION = "## A worked example"


def example() -> tuple[list[str], list[str]]:
    """The commands of the example, and what is shown of their answers."""
    text = (ROOT / "docs" / "SERVICE.md").read_text(encoding="utf-8")
    section = blocks(text.split(SECTION)[1].split("\n## ")[0])
    commands = [each.content for each in section if each.language == "sh"]
    return commands, [each.content for each in section if each.language != "sh"]


ANSWERED = "localhost:8090/v1/subscriptions/high/results?wait=60"
WAITING = f"until curl -s '{ANSWERED}' | grep position > /dev/null; do :; done\n"
"""Spark is started for the first result, which takes as long as it takes."""


def run(folder: Path) -> list[str]:
    """What each block of commands prints."""
    commands, _ = example()
    assert ANSWERED in commands[-1]
    port = str(free_port())
    blocks_of_commands = [*commands[:-1], WAITING + commands[-1]]
    script = "trap 'kill $(jobs -p); wait' EXIT\n"
    script += "\necho; echo '=== next'\n".join(blocks_of_commands)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script.replace("8090", port)],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("=== next\n")


@pytest.mark.spark
@pytest.mark.timeout(400)
def test_worked_example_gets_what_it_shows(tmp_path: Path) -> None:
    _, made, problem, registered, results = run(tmp_path)
    shown_problem, shown_event = example()[1]
    assert json.loads(made)["leaves"][0] == {"path": "minute", "type": "integer", "repeated": False}
    told, shown = json.loads(problem), json.loads(shown_problem)
    assert told["help"].startswith(shown.pop("help").rstrip(" …"))
    assert {name: told[name] for name in shown} == shown
    assert json.loads(registered)["name"] == "high"
    page, _, events = results.partition("\n")
    page = results[: results.index("retry:")]
    value = "<alarm><minute>9</minute></alarm>"
    assert [each["value"] for each in json.loads(page)["items"]] == [value]
    assert shown_event.splitlines()[1:2] == ["event: item"]
    assert events.count("event: item") == 1 and value in events
