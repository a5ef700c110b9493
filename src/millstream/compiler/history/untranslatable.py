"""What cannot be said in SQL here, and is left to an engine for all of XQuery."""

from __future__ import annotations

from millstream.errors import Span

NOWHERE = Span(0, 0)


class Untranslatable(Exception):
    """Raised inside the compiler; the query is then answered in another way, not refused."""

    def __init__(self, reason: str, span: Span = NOWHERE) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span
