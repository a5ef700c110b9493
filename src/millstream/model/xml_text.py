"""Characters of XML as results show them: the same for what was stored and what is made."""

from __future__ import annotations

import re

# Control characters and line separators would not survive being read again as they are.
_IN_TEXT = re.compile("[&<>\r\x7f-\x9f\u2028]")
_IN_ATTRIBUTE = re.compile('[&<>"\t\n\r\x7f-\x9f\u2028]')
_NAMED = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&#34;",
    "\t": "&#x9;",
    "\n": "&#xA;",
    "\r": "&#xD;",
}


def escaped_text(text: str) -> str:
    """Text as it stands between tags."""
    return _IN_TEXT.sub(_reference, text)


def escaped_attribute(text: str) -> str:
    """Text as it stands between the quotes of an attribute."""
    return _IN_ATTRIBUTE.sub(_reference, text)


def _reference(found: re.Match[str]) -> str:
    character = found[0]
    return _NAMED.get(character) or f"&#x{ord(character):x};"
