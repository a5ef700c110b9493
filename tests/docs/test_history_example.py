"""The example of the document on history runs as printed and prints what it shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.docs.documents import PACKAGE, ROOT, blocks

HISTORY = PACKAGE / "history"
CODE = re.compile(r'(?:code=|Rejected\(|, )"([a-z]+-[a-z-]+|malformed)"')
NOT_SET_ASIDE = {"no-root", "unknown-function"}
"""What ends the work instead."""
TEXT = (ROOT / "docs" / "HISTORY.md").read_text(encoding="utf-8")


def test_the_example_prints_what_it_shows(tmp_path: Path) -> None:
    section = TEXT.split("## An example")[1].split("\n## ")[0]
    found = blocks(section)
    scripts = [block.content for block in found if block.language == "sh"]
    shown = [block.content for block in found if block.language in ("xml", "xquery")]
    assert [printed(script, tmp_path) for script in scripts] == shown


def printed(script: str, folder: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-ec", script.replace(".venv/bin/", "")],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_reason_to_set_something_aside_is_listed() -> None:
    section = TEXT.split("## What is set aside")[1].split("\n## ")[0]
    listed = set(re.findall(r"`([a-z]+-[a-z-]+|malformed)`", section))
    sources = [path for path in HISTORY.glob("*.py") if path.name != "updates.py"]
    given = {code for path in sources for code in CODE.findall(path.read_text(encoding="utf-8"))}
    assert given - NOT_SET_ASIDE == listed
