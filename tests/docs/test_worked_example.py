"""The worked example of the README runs as printed and prints what it shows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.documents import README, blocks

EXAMPLE = "## A worked example"


def example_steps() -> list[tuple[str, str]]:
    """Each shell block of the example with the output shown after it."""
    section = README.read_text(encoding="utf-8").split(EXAMPLE)[1].split("\n## ")[0]
    steps: list[tuple[str, str]] = []
    for block in blocks(section):
        if block.language == "sh":
            steps.append((block.content, ""))
        else:
            steps[-1] = (steps[-1][0], block.content)
    return steps


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_worked_example_prints_what_it_shows(tmp_path: Path) -> None:
    bin_folder = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"}
    shown, printed = [], []
    for script, output in example_steps():
        done = subprocess.run(
            ["bash", "-ec", script.replace(".venv/bin/", "")],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        shown.append(output)
        printed.append(_as_shown(done.stdout, output))
    assert printed == shown


def _as_shown(printed: str, shown: str) -> str:
    """What was printed, cut where the document cuts it with a line of '…'."""
    if not shown.rstrip().endswith("…"):
        return printed
    kept = shown.rstrip().removesuffix("…")
    return shown if printed.startswith(kept) else printed
