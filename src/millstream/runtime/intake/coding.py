"""What the first bytes of a file tell: compression, encoding, or that it is no text at all."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from millstream.runtime.intake.listing import AUTO

HEAD_BYTES = 4096
GZIP = b"\x1f\x8b"
PARQUET = b"PAR1"
UTF8 = "utf-8"

# Longest first: the mark of UTF-32-LE begins with that of UTF-16-LE.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, UTF8),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDE_XML = ((b"<\0?\0", "utf-16-le"), (b"\0<\0?", "utf-16-be"))
_FOREIGN = (
    (b"PK\x03\x04", "a zip archive"),
    (b"BZh91AY&SY", "compressed with bzip2"),
    (b"\xfd7zXZ\0", "compressed with xz"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstandard"),
)
_DECLARED = re.compile(rb"""\s*<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']""")
_CONTROL = bytes(each for each in range(32) if each not in b"\t\n\r\f")


@dataclass(frozen=True, slots=True)
class Coding:
    """How the bytes of a text are to be understood."""

    encoding: str = UTF8
    mark: int = 0
    """The length of the byte order mark."""
    problem: str = ""
    """Why the file cannot be read; empty when it can."""


def coding_of(head: bytes) -> Coding:
    """The encoding of a text that begins like this."""
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return Coding(encoding, len(mark))
    for start, encoding in _WIDE_XML:
        if head.startswith(start):
            return Coding(encoding)
    problem = _foreign(head)
    return Coding(problem=problem) if problem else _declared(head)


def undecided(head: bytes, format: str) -> bool:
    """True when more bytes may still change what the first ones tell."""
    if len(head) >= HEAD_BYTES:
        return False
    text = head.removeprefix(codecs.BOM_UTF8)
    if format == "json":
        return b"\n" not in text  # without a whole line, nothing could be read anyway
    return len(text) < 4 or (text.lstrip().startswith(b"<?xml") and b"?>" not in text)


def format_by_content(head: bytes) -> str:
    """The format of a file whose name does not tell."""
    if head.startswith(PARQUET):
        return "parquet"
    first = head.removeprefix(codecs.BOM_UTF8).lstrip()[:1]
    if first == b"<":
        return "xml"
    return "json" if first in (b"{", b"[") else "csv"


def resolved(format: str, head: bytes) -> str:
    """The format, by content where it is not known."""
    return format_by_content(head) if format in ("", AUTO) else format


def _foreign(head: bytes) -> str:
    for start, what in _FOREIGN:
        if head.startswith(start):
            return f"the file is {what}; only gzip is unpacked"
    controls = len(head) - len(head.translate(None, _CONTROL))
    # A damaged text may hold a few; a binary file has about one in ten.
    return "the file is binary, not text" if controls * 20 > len(head) else ""


def _declared(head: bytes) -> Coding:
    declaration = _DECLARED.match(head)
    if declaration is None:
        return Coding()
    name = declaration.group(1).decode("ascii")
    try:
        codec = codecs.lookup(name)
        "".encode(codec.name)
    except LookupError:
        return Coding(problem=f"unknown encoding '{name}'")
    # A declaration that can be read as ASCII cannot itself be in a wide encoding.
    if codec.name.startswith(("ascii", "utf-8", "utf-16", "utf-32")):
        return Coding()
    return Coding(codec.name)
