"""Pages of a log."""

from __future__ import annotations

from millstream.service.shapes.shape import Shape


class Item(Shape):
    """An item of a stream, or a result of a subscription."""

    position: str
    """Where it stands; send it back to read on behind it."""
    value: str
    """The item as XML text."""


class Page(Shape):
    """Some items in order, and where to read on."""

    items: list[Item]
    next: str
    """Ask for what is behind this position; the same as before if nothing has come."""
    more: bool
    """True when there are more items already."""
    finished: bool
    """True when nothing will follow these items."""
