"""The text of a scenario file, and errors that point into it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from millstream.errors import SchemaError, Span


@dataclass(frozen=True)
class ScenarioFile:
    """A scenario file that has been read; paths in it are relative to its folder."""

    path: Path
    content: bytes

    @cached_property
    def text(self) -> str:
        return self.content.decode("utf-8-sig", "replace")

    def error(
        self, message: str, *, span: Span | None = None, help: str | None = None
    ) -> SchemaError:
        """An error of this file, at a place of it."""
        return SchemaError(
            f"in {self.path.name}: {message}",
            code="scenario",
            span=span,
            text=self.text if span else None,
            help=help,
        )

    def line(self, number: int, column: int = 1) -> Span | None:
        """What is written on a line, from a column on; both count from 1."""
        lines = self.text.split("\n")
        if not 1 <= number <= len(lines):
            return None
        line = lines[number - 1]
        start = sum(len(each) + 1 for each in lines[: number - 1])
        inset = max(len(line) - len(line.lstrip()), column - 1)
        return Span(start + inset, start + max(len(line.rstrip()), inset + 1))

    def beside(self, path: str, *, span: Span | None = None) -> Path:
        """A file that this one names; it must be there."""
        found = self.path.parent / path
        if not found.is_file():
            raise self.error(
                f"there is no file '{path}'",
                span=span,
                help=f"paths are relative to the folder of {self.path.name}",
            )
        return found

    def text_beside(self, path: str, *, span: Span | None = None) -> str:
        """The text of a file that this one names."""
        try:
            return self.beside(path, span=span).read_text(encoding="utf-8")
        except OSError as error:
            raise self.error(f"cannot read '{path}': {error.strerror}", span=span) from None
        except UnicodeDecodeError as error:
            raise self.error(f"'{path}' is not UTF-8 text: {error.reason}", span=span) from None
