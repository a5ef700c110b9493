"""Entity and character references, and the characters that XML knows."""

from __future__ import annotations

import re

from millstream.errors import QueryError, Span

PREDEFINED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}

_REFERENCE = re.compile(r"&(?:#x(?P<hex>[0-9a-fA-F]+)|#(?P<decimal>[0-9]+)|(?P<name>[\w.\-]+));")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def reference_at(text: str, offset: int) -> tuple[str, int]:
    """The character that the reference at an offset stands for, and where the reference ends."""
    found = _REFERENCE.match(text, offset)
    if found is None:
        raise QueryError(
            "an '&' here must begin a reference",
            span=Span(offset, offset + 1),
            help="write &amp; for the character itself",
        )
    span = Span(offset, found.end())
    if found["name"]:
        return _entity(found["name"], span), found.end()
    digits, base = (found["hex"], 16) if found["hex"] else (found["decimal"], 10)
    return _character(digits, base, span), found.end()


def forbidden_character(text: str) -> int | None:
    """The offset of the first character that XML cannot hold, or None."""
    found = _FORBIDDEN.search(text)
    return found.start() if found else None


def normalize_line_ends(text: str) -> str:
    """Text with every line end as one newline, as XML processors see it."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _entity(name: str, span: Span) -> str:
    if name not in PREDEFINED:
        raise QueryError(
            f"no entity is named '{name}'",
            span=span,
            help=f"known: {', '.join(f'&{each};' for each in PREDEFINED)}",
        )
    return PREDEFINED[name]


def _character(digits: str, base: int, span: Span) -> str:
    # A million digits would take long to convert, and none beyond seven can be a character.
    significant = digits.lstrip("0") or "0"
    code = int(significant, base) if len(significant) <= 7 else 0
    if not 0 < code <= 0x10FFFF or _FORBIDDEN.match(chr(code)):
        raise QueryError("no XML character has this number", span=span)
    return chr(code)
