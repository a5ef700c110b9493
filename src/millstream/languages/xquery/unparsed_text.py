"""Characters written so that reading them gives them again."""

from __future__ import annotations

from millstream.languages.xquery.constructor_text import SPACE

_STRING = str.maketrans({'"': '""', "&": "&amp;", "\r": "&#xD;"})
_MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "{": "{{", "}": "}}", "\r": "&#xD;"}
_CONTENT = str.maketrans(_MARKUP)
_VALUE = str.maketrans(_MARKUP | {'"': "&quot;", "\n": "&#xA;", "\t": "&#x9;"})


def quoted(value: str) -> str:
    """A string literal."""
    return f'"{value.translate(_STRING)}"'


def attribute_text(value: str) -> str:
    """Characters between the quotes of a direct attribute."""
    return value.translate(_VALUE)


def content_text(value: str) -> str:
    """Characters of a direct element; a reference keeps white space from being dropped."""
    if value.strip(SPACE):
        return value.translate(_CONTENT)
    return f"&#x{ord(value[0]):X};{value[1:].translate(_CONTENT)}"
