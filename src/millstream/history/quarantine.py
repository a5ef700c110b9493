"""What could not become part of a history, with the reason, and where it stood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from millstream.errors import ItemError

MAX_RAW = 1_000
"""Characters of the text that an entry keeps."""

MAX_ENTRIES = 10_000
"""Entries that a quarantine keeps; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A piece of a stream or document that was set aside."""

    code: str
    reason: str
    raw: str = ""
    file: str | None = None
    line: int | None = None
    help: str | None = None

    @classmethod
    def because(
        cls, error: ItemError, raw: str = "", *, file: str | None = None, line: int | None = None
    ) -> Rejected:
        """The entry for a piece that an error refuses."""
        return cls(error.code, error.message, raw[:MAX_RAW], file, line, error.help)

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        return f"{place}: {self.reason}" if place else self.reason

    def facts(self) -> dict[str, Any]:
        """The fields that are known, as plain values."""
        fields = {"code": self.code, "reason": self.reason, "file": self.file, "line": self.line}
        fields |= {"help": self.help, "raw": self.raw}
        return {name: value for name, value in fields.items() if value not in (None, "")}


Reject = Callable[[Rejected], None]
"""Told of each piece that is set aside."""


@dataclass(slots=True)
class Quarantine:
    """The pieces that were set aside, counted by reason; called with each."""

    counts: Counter[str] = field(default_factory=Counter)
    entries: list[Rejected] = field(default_factory=list)

    def __call__(self, rejected: Rejected) -> None:
        self.counts[rejected.code] += 1
        if len(self.entries) < MAX_ENTRIES:
            self.entries.append(rejected)

    def __len__(self) -> int:
        return self.counts.total()

    def __iter__(self) -> Iterator[Rejected]:
        return iter(self.entries)

    def __bool__(self) -> bool:
        return len(self) > 0
