"""Which bytes are text that XML can hold."""

from __future__ import annotations


def is_sound(data: bytes) -> bool:
    """True for UTF-8 without the two characters above the control codes that XML forbids."""
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\xef\xbf\xbe" not in data and b"\xef\xbf\xbf" not in data
