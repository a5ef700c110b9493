"""A source for tests: items are pushed, and arrive as files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


class MemorySource:
    """A directory into which items are published, each push as one file, at once and whole."""

    def __init__(self, directory: str | os.PathLike[str], suffix: str = ".xml") -> None:
        self._directory = Path(directory)
        self._directory.mkdir(parents=True, exist_ok=True)
        self._suffix = suffix

    def push(self, items: Iterable[str]) -> None:
        """Publish items; nothing happens when there are none."""
        text = "".join(f"{item}\n" for item in items)
        if text:
            number = sum(1 for _ in self._directory.glob(f"*{self._suffix}"))
            self._publish(f"{number:09d}{self._suffix}", text)

    def end(self) -> None:
        """Say that nothing more will come."""
        self._publish("ended", "")

    def _publish(self, name: str, text: str) -> None:
        temporary = self._directory / f"{name}.tmp"
        temporary.write_text(text, encoding="utf-8", newline="")
        temporary.replace(self._directory / name)

    def __fspath__(self) -> str:
        return str(self._directory)

    def __str__(self) -> str:
        return str(self._directory)
