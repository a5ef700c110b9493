"""What the documents of the project say: fenced blocks, shell commands, and paths they name."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "millstream"
README = ROOT / "README.md"

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)#\s]+)")
_HEREDOC = re.compile(r"<<-?\s*'?(\w+)'?")
_PATH = re.compile(r"^[\w.-]+(/[\w.*-]+)*/?$")
_FILE_ENDINGS = (".md", ".py", ".toml")


def documents() -> tuple[Path, ...]:
    """Every document that speaks of the project's files."""
    return (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")))


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a document."""

    language: str
    content: str


def blocks(text: str) -> tuple[Block, ...]:
    """The fenced blocks of a document, in order."""
    return tuple(Block(*found) for found in _FENCE.findall(text))


def commands(shell: str) -> Iterator[list[str]]:
    """The words of each command of a shell block; here-documents are left out."""
    lines = iter(shell.splitlines())
    gathered = ""
    for line in lines:
        gathered += line
        heredoc = _HEREDOC.search(line)
        if heredoc:
            _skip(lines, heredoc.group(1))
        if gathered.endswith("\\"):
            gathered = gathered[:-1]
            continue
        try:
            words = shlex.split(gathered, comments=True)
        except ValueError:
            # A quotation goes on in the next line.
            gathered += "\n"
            continue
        gathered = ""
        if words:
            yield words


def _skip(lines: Iterator[str], end: str) -> None:
    for line in lines:
        if line.strip() == end:
            return


def named_paths(text: str) -> Iterator[str]:
    """The paths of the project that a document names in code or in links."""
    prose = _FENCE.sub("", text)
    yield from (link for link in _LINK.findall(prose) if "://" not in link)
    yield from (code for code in _CODE.findall(prose) if is_project_path(code))


def is_project_path(code: str) -> bool:
    """True for what looks like a file or folder of ours, and not like a path in an item."""
    if not _PATH.match(code):
        return False
    first = code.split("/")[0]
    folders = {path.name for path in (*ROOT.iterdir(), *PACKAGE.iterdir()) if path.is_dir()}
    return ("/" in code and first in folders) or code.endswith(_FILE_ENDINGS)


def exists(path: str, document: Path) -> bool:
    """True if a named path is there: below the root, the package, or the document's folder."""
    return any(_found(folder, path) for folder in (ROOT, PACKAGE, document.parent))


def _found(folder: Path, path: str) -> bool:
    return any(True for _ in folder.glob(path)) if "*" in path else (folder / path).exists()
