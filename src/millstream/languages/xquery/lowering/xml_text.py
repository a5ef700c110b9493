"""Text inside the XML that opens and closes a result stream."""

from __future__ import annotations

from xml.sax.saxutils import escape


def escaped(text: str) -> str:
    """Text as element content."""
    return escape(text, {"\r": "&#xD;"})


def quoted_attribute(value: str) -> str:
    """Text as an attribute value, in double quotes."""
    marks = {'"': "&quot;", "\n": "&#xA;", "\t": "&#x9;", "\r": "&#xD;"}
    return f'"{escape(value, marks)}"'
