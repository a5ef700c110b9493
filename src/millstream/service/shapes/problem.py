"""The one form in which anything that went wrong is told: RFC 9457."""

from __future__ import annotations

from millstream.service.shapes.shape import Shape


class Place(Shape):
    """Where in a query text something is wrong: characters from `start` to before `end`."""

    start: int
    end: int
    line: int | None = None
    """From 1."""
    column: int | None = None
    """From 1."""


class Problem(Shape):
    """A problem document (application/problem+json)."""

    type: str
    """A name for this kind of problem, as a URI."""
    title: str
    """Whose fault it is, in a word or two."""
    status: int
    detail: str
    """What is wrong, in a sentence."""
    code: str
    """A short name that programs can rely on."""
    help: str | None = None
    """What to do about it."""
    span: Place | None = None
    """Where in the query it is."""
    instance: str | None = None
    """The address that was asked."""
