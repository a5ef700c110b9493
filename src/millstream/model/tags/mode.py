"""What becomes of a tagger's earlier tags on the same object."""

from __future__ import annotations

from enum import Enum

from millstream.errors import did_you_mean


class Mode(Enum):
    """How a tag combines with the earlier ones of its tagger."""

    OVERWRITE = "O"
    """It ends them."""
    COMBINE = "C"
    """It stands beside them."""


_SPELLINGS = {mode.value: mode for mode in Mode} | {mode.name: mode for mode in Mode}


def parse_mode(text: str) -> Mode:
    """The mode that a text stands for, or ValueError with a short reason."""
    mode = _SPELLINGS.get(text.strip().upper())
    if mode is None:
        names = [each.name.capitalize() for each in Mode]
        raise ValueError(f"not a mode: {text[:40]!r}; {did_you_mean(text, names)}")
    return mode
