"""Names that an element of an item may have."""

from __future__ import annotations

import re

_NAME = re.compile(r"[^\W\d][\w.\-]*")


def is_name(text: str) -> bool:
    """True for what can stand in a path and as a tag, without a prefix."""
    return _NAME.fullmatch(text) is not None
