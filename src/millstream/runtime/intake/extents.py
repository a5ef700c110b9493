"""What the intake has planned: files, the extents of them that form chunks, and their flaws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any, Self

CLOSED = -1
"""In the place of a finished file's size: nothing more will be read from it."""


class _Plain:
    """Conversion of a flat dataclass to and from JSON; what has its default is left out."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        return {
            each.name: getattr(self, each.name)
            for each in fields(self)  # type: ignore[arg-type]
            if getattr(self, each.name) != each.default
        }

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Self:
        return cls(**content)


@dataclass(frozen=True, slots=True)
class SourceFile(_Plain):
    """A file of the source; a file that was replaced by other content counts anew."""

    ordinal: int
    path: str
    format: str = ""
    """Empty until the file has been opened."""
    header: str = ""
    """The header line of a CSV file."""


@dataclass(frozen=True, slots=True)
class Extent(_Plain):
    """A range of a file's bytes, decoded to UTF-8, or of a Parquet file's rows."""

    file: int
    start: int
    end: int
    base: int
    """The position in the stream of what lies at the start."""
    skipped: bool = False
    """True when there is no item in it to be read."""
    given_up: bool = False
    """True when the item that it gives up goes on behind it."""
    spool: str = ""
    """The file of the spool that holds the decoded bytes; empty for the file itself."""
    spool_start: int = 0
    """Where in the decoded file the file of the spool begins."""

    @property
    def length(self) -> int:
        return self.end - self.start

    def joined(self, after: Extent) -> Extent | None:
        """This extent and the next one as one, if they are neighbours of one kind."""
        alike = (self.file, self.skipped, self.spool) == (after.file, after.skipped, after.spool)
        if not alike or after.start != self.end or self.given_up:
            return None
        return Extent(
            self.file,
            self.start,
            after.end,
            self.base,
            self.skipped,
            after.given_up,
            self.spool,
            self.spool_start,
        )


@dataclass(frozen=True, slots=True)
class Defect:
    """What a look at the bytes showed to be no item; it goes to quarantine with its chunk."""

    file: int
    offset: int
    position: int
    kind: str
    reason: str
    raw: tuple[Extent, ...] = ()
    """Where its first bytes are."""

    def to_json(self) -> dict[str, Any]:
        content = {each.name: getattr(self, each.name) for each in fields(self)}
        return content | {"raw": [each.to_json() for each in self.raw]}

    @staticmethod
    def from_json(content: dict[str, Any]) -> Defect:
        raw = tuple(Extent.from_json(each) for each in content["raw"])
        return Defect(**(content | {"raw": raw}))


@dataclass(frozen=True, slots=True)
class Mark(_Plain):
    """The check sum of the bytes before an offset: tells growth from other content."""

    file: int
    offset: int
    checksum: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """What one task reads: extents in order, cut between items."""

    ordinal: int
    first_position: int
    end_position: int
    extents: tuple[Extent, ...]
    defects: tuple[Defect, ...] = ()
    mark: Mark | None = None
    finished: tuple[tuple[int, int], ...] = ()
    """Files of which everything is planned, each with the size it had then."""

    @property
    def bytes(self) -> int:
        return sum(each.length for each in self.extents if not each.skipped)

    def files(self) -> set[int]:
        """The ordinals of the files that the chunk is about."""
        raws = (each for defect in self.defects for each in defect.raw)
        named = {each.file for each in (*self.extents, *raws)}
        return named | {each.file for each in self.defects}

    def spools(self) -> Iterator[str]:
        """The files of the spool that the chunk is read from."""
        raws = (each for defect in self.defects for each in defect.raw)
        for extent in (*self.extents, *raws):
            if extent.spool:
                yield extent.spool

    def to_json(self) -> dict[str, Any]:
        content: dict[str, Any] = {
            "ordinal": self.ordinal,
            "first_position": self.first_position,
            "end_position": self.end_position,
            "extents": [each.to_json() for each in self.extents],
        }
        if self.defects:
            content["defects"] = [each.to_json() for each in self.defects]
        if self.mark:
            content["mark"] = self.mark.to_json()
        if self.finished:
            content["finished"] = self.finished
        return content

    @staticmethod
    def from_json(content: dict[str, Any]) -> Chunk:
        mark = content.get("mark")
        return Chunk(
            content["ordinal"],
            content["first_position"],
            content["end_position"],
            tuple(Extent.from_json(each) for each in content["extents"]),
            tuple(Defect.from_json(each) for each in content.get("defects", ())),
            Mark.from_json(mark) if mark else None,
            tuple((file, size) for file, size in content.get("finished", ())),
        )


def joined(extents: Iterable[Extent]) -> tuple[Extent, ...]:
    """The extents with neighbours made one."""
    result: list[Extent] = []
    for extent in extents:
        one = result[-1].joined(extent) if result else None
        if one is None:
            result.append(extent)
        else:
            result[-1] = one
    return tuple(result)
