"""Items that were set aside, on the wire."""

from __future__ import annotations

from pydantic import Field

from millstream.service.shapes.shape import Request, Shape


class SetAside(Shape):
    """Something that could not be taken, and why."""

    number: int
    """Its place in the quarantine."""
    kind: str
    reason: str
    position: int | None
    file: str | None
    offset: int | None
    step: int
    raw: str
    """Its text; bytes that are no UTF-8 are shown as \\\\xNN."""
    replayed: bool
    """True when it has been given to the stream again."""


class QuarantinePage(Shape):
    """Some of what was set aside, oldest first."""

    entries: list[SetAside]
    total: int
    next: int
    """Ask for entries from this number on."""


class Replay(Request):
    """Something that was set aside, to be given to its stream again."""

    text: str | None = Field(default=None, max_length=1 << 20)
    """Its text, mended; without it, the text that was set aside."""
