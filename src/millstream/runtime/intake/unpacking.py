"""A compressed or otherwise encoded file as UTF-8, block by block, in bounded memory."""

from __future__ import annotations

import codecs
import zlib

from millstream.runtime.intake.coding import GZIP, UTF8, Coding
from millstream.runtime.intake.files import files_at
from millstream.runtime.intake.json_layout import LineLayout

BLOCK_BYTES = 1 << 18
_GZIP_WINDOW = 31
_LONGEST_OUTPUT = 1 << 22


class Inflater:
    """The content of a gzip file, member after member, as far as it can be had."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(_GZIP_WINDOW)
        self._rest = b""
        self.whole = False
        """True when the data may end here."""
        self.problem = ""

    def inflate(self, data: bytes) -> bytes:
        """What more can be unpacked with these bytes, at most a few MiB at a time."""
        data, self._rest = self._rest + data, b""
        if self.problem or not data:
            return b""
        if self._member.eof and not self._begin_member(data):
            return b""
        output = self._decompressed(data)
        self.whole = self._member.eof
        self._rest = self._member.unused_data if self.whole else self._member.unconsumed_tail
        return output

    @property
    def waiting(self) -> bool:
        """True when there is input that has not been unpacked yet."""
        return bool(self._rest) and not self.problem

    def _begin_member(self, data: bytes) -> bool:
        if not data.strip(b"\0"):
            return False  # padding
        if not GZIP.startswith(data[:2]):
            self.problem = "there is something else behind the gzip data"
            return False
        self._member = zlib.decompressobj(_GZIP_WINDOW)
        return True

    def _decompressed(self, data: bytes) -> bytes:
        before = self._member.copy()
        try:
            return self._member.decompress(data, _LONGEST_OUTPUT)
        except zlib.error as error:
            self.problem = f"the gzip data is corrupt: {str(error).partition(': ')[2] or error}"
            return _until_error(before, data)


def _until_error(member: zlib._Decompress, data: bytes) -> bytes:
    """What comes out before the corrupt place: zlib itself gives nothing of a failed call."""
    output = []
    at, step = 0, max(1, len(data) // 64)
    while at < len(data) and step:
        before = member.copy()
        try:
            output.append(member.decompress(data[at : at + step]))
            at += step
        except zlib.error:
            member, step = before, step // 8
    return b"".join(output)


class Unpacker:
    """A file's text in UTF-8, read on from where the last call stopped."""

    def __init__(self, path: str, compressed: bool) -> None:
        self._path = path
        self._inflater = Inflater() if compressed else None
        self._raw = 0
        self._first = b""
        self._decoder: codecs.IncrementalDecoder | None = None
        self._encoding = UTF8
        self._layout: LineLayout | None = None
        self.problem = ""
        """Why no more can be read; empty while more can."""
        self.note = ""
        """What was wrong with what could be read all the same."""

    @property
    def compressed(self) -> bool:
        """True when the file must be unpacked."""
        return self._inflater is not None

    def head(self) -> bytes:
        """The first bytes, unpacked but in their own encoding."""
        while len(self._first) < BLOCK_BYTES and (data := self._unpacked()):
            self._first += data
        return self._first

    def read_as(self, coding: Coding, layout: LineLayout | None) -> None:
        """Read on as text of an encoding, behind its byte order mark, and lay it out anew."""
        self._first = self.head()[coding.mark :]
        self._layout = layout
        if coding.encoding != UTF8:
            self._encoding = coding.encoding
            self._decoder = codecs.getincrementaldecoder(coding.encoding)()

    def next_block(self) -> bytes:
        """The next bytes in UTF-8; none at the end of what the file holds now."""
        while data := self._first or self._unpacked():
            self._first = b""
            text = self._translated(data)
            if self._layout is not None:
                text = self._layout.laid_out(text)
            if text:
                return text
        return b""

    def incomplete(self) -> str:
        """Why the file cannot end here, or empty."""
        truncated = self._inflater is not None and not self._inflater.whole
        return "the gzip data is truncated" if truncated else ""

    def _unpacked(self) -> bytes:
        while not self.problem:
            data = b""
            if self._inflater is None or not self._inflater.waiting:
                data = files_at(self._path).read(self._path, self._raw, BLOCK_BYTES)
                self._raw += len(data)
            if self._inflater is None:
                return data
            output = self._inflater.inflate(data)
            self.problem = self._inflater.problem
            if output or not (data or self._inflater.waiting):
                return output
        return b""

    def _translated(self, data: bytes) -> bytes:
        if self._decoder is None:
            return data
        before = self._decoder.getstate()
        try:
            return self._decoder.decode(data).encode()
        except UnicodeDecodeError:
            self.note = f"some bytes are no characters of {self._encoding} and were replaced"
            return self._replaced(before, data)

    def _replaced(self, before: tuple[bytes, int], data: bytes) -> bytes:
        lenient = codecs.getincrementaldecoder(self._encoding)("replace")
        lenient.setstate(before)
        text = lenient.decode(data)
        self._decoder = codecs.getincrementaldecoder(self._encoding)()
        self._decoder.setstate(lenient.getstate())
        return text.encode(errors="replace")
