"""One sitting at the shell: what was chosen, what was asked last, and where words go."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TextIO

from rich.console import Console, RenderableType

from millstream.errors import MillstreamError
from millstream.languages.compiling import Language, language_of
from millstream.rendering.tables import fact_table, result_table
from millstream.shell.backend import Backend, Facts, Shown

Format = Literal["table", "xml", "json"]
FORMATS: tuple[Format, ...] = ("table", "xml", "json")
UNBOUNDED_WIDTH = 10_000
"""The width of a table that no terminal shows, so that nothing of it is cut."""


@dataclass
class Session:
    """A mill, and how one talks with it: data goes to `out`, everything about it to `err`."""

    backend: Backend
    out: TextIO = field(default_factory=lambda: sys.stdout)
    err: TextIO = field(default_factory=lambda: sys.stderr)
    format: Format = "table"
    rows: int = 20
    now: datetime | None = None
    last: str = ""
    """The query that was asked last."""
    status: int = 0
    """The exit status that the first error asks for."""
    over: bool = False

    def show(self, renderable: RenderableType) -> None:
        """Draw something as data."""
        width = None if self.out.isatty() else UNBOUNDED_WIDTH
        console = Console(file=self.out, width=width, highlight=False)
        console.print(renderable, crop=False, soft_wrap=False)

    def write(self, line: str) -> None:
        """Write a line of data."""
        self.out.write(f"{line}\n")
        self.out.flush()

    def say(self, text: str) -> None:
        """Tell something that is not data."""
        self.err.write(f"{text}\n")
        self.err.flush()

    def fail(self, error: MillstreamError) -> None:
        """Tell what went wrong, at its place."""
        self.say(str(error))
        self.status = self.status or error.exit_status

    def facts(self, found: list[Facts], empty: str) -> None:
        """Show facts of the same form, each on a line of its own."""
        if self.format == "json":
            for each in found:
                self.write(json.dumps(each, ensure_ascii=False, default=str))
        elif found:
            self.show(fact_table(found, empty))
        else:
            self.say(empty)

    def ask(self, text: str) -> None:
        """Answer a query once; one that attaches tags is registered, as it has no answer."""
        self.last = text
        if language_of(text) is Language.TAGQL and text.lstrip()[:6].upper() == "ATTACH":
            name = self.backend.subscribe(text, None)
            self.say(f"registered as {name}; \\cancel {name} ends it")
            return
        self.results(self.backend.ask(text, self.now, self.rows))

    def results(self, shown: Shown) -> None:
        """Show result items as chosen."""
        if self.format == "table" and shown.items:
            self.show(result_table(shown.items))
        else:
            self._written(shown.items)
        count = len(shown.items)
        before = f", after {shown.left_out:,} that are not shown" if shown.left_out else ""
        note = f" {shown.note}" if shown.note else ""
        self.say(f"{count:,} result{'' if count == 1 else 's'}{before}{note}")

    def _written(self, items: Iterable[str]) -> None:
        for item in items:
            self.write(json.dumps({"item": item}) if self.format == "json" else item)
