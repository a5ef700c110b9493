"""The tutorial and the how-tos run from top to bottom, and print what they show of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.documents import ROOT, blocks

DOCUMENTS = ("TUTORIAL.md", "HOWTO.md")
_NEXT = "=== next"
_IN_A_FOLDER = "import os; os.makedirs({0!r}); os.chdir({0!r})\n"


def steps(text: str) -> list[tuple[str, str]]:
    """Each block of Python with the output shown after it."""
    found: list[tuple[str, str]] = []
    for block in blocks(text):
        if block.language == "python":
            found.append((block.content, ""))
        elif block.language == "text":
            found[-1] = (found[-1][0], block.content)
    return found


def printed(scripts: list[str], folder: Path) -> list[str]:
    """What each of some blocks prints, run one after the other in one process."""
    script = f"\nprint({_NEXT!r})\n".join(scripts)
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout.split(f"{_NEXT}\n")


def all_steps() -> list[tuple[str, str]]:
    """The steps of all documents; each works in a folder of its own."""
    found = []
    for name in DOCUMENTS:
        text = (ROOT / "docs" / name).read_text(encoding="utf-8")
        folder = _IN_A_FOLDER.format(f"../{name}" if found else name)
        (first, shown), *others = steps(text)
        found += [(folder + first, shown), *others]
    return found


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(600)
def test_documents_print_what_they_show(tmp_path: Path) -> None:
    found = all_steps()
    told = printed([script for script, _ in found], tmp_path)
    # Where nothing is shown, it is enough that nothing goes wrong.
    compared = [(was, shown) for was, (_, shown) in zip(told, found, strict=True) if shown]
    assert [was for was, _ in compared] == [shown for _, shown in compared]
