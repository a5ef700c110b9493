"""Errors that only a service has: who asks, for what, and how much."""

from __future__ import annotations

from typing import Any

from millstream.errors import MillstreamError


class Unauthenticated(MillstreamError):
    """Nobody knows who asks."""

    kind = "not authenticated"
    http_status = 401


class Forbidden(MillstreamError):
    """Whoever asks has not the right."""

    kind = "not allowed"
    http_status = 403


class NotFound(MillstreamError):
    """What an address names is not there."""

    kind = "not found"
    http_status = 404


class Gone(MillstreamError):
    """It was there, and is not kept any more."""

    kind = "gone"
    http_status = 410


class TooLarge(MillstreamError):
    """A request, or a query in it, is larger than it may be."""

    kind = "too large"
    http_status = 413


class TooMany(MillstreamError):
    """A limit of whoever asks is reached."""

    kind = "limit reached"
    http_status = 429

    def __init__(self, message: str, *, retry_after: float | None = None, **fields: Any) -> None:
        super().__init__(message, **fields)
        self.retry_after = retry_after
        """Seconds after which it may be tried again, where time helps."""
