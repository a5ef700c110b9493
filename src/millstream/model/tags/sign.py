"""Whether a tag speaks well or ill of what it is attached to."""

from __future__ import annotations

from enum import Enum


class Sign(Enum):
    """The context of a tag; most have none."""

    POSITIVE = "+"
    NEGATIVE = "-"
    NEUTRAL = ""


def parse_sign(text: str) -> Sign:
    """The sign that a text stands for, or ValueError with a short reason."""
    try:
        return Sign(text.strip())
    except ValueError:
        raise ValueError(
            f"not a sign: {text[:40]!r}; a sign is '+' or '-', and no sign is neutral"
        ) from None
