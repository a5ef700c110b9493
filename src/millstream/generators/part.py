"""A document in parts: whole as text, or each part with holes for those inside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from millstream.model.filler import Filler, FillerKey, hole_text
from millstream.model.schema import Path
from millstream.model.tag_structure import TagStructure


@dataclass(slots=True, eq=False)
class Part:
    """An element that changes on its own: its text, with other such elements in between."""

    path: Path
    """The names from the document's root to the element's own."""
    content: list[str | Part] = field(default_factory=list)
    id: int | None = None
    """The id of its fillers, once there are any."""

    def text(self) -> Iterator[str]:
        """The whole element as text, piece by piece."""
        for piece in self.content:
            if isinstance(piece, Part):
                yield from piece.text()
            else:
                yield piece

    def inner(self) -> Iterator[Part]:
        """The parts that stand directly in it."""
        return (piece for piece in self.content if isinstance(piece, Part))


class Sender:
    """Makes fillers of parts, and gives each part the id of its own."""

    def __init__(self, structure: TagStructure, first_id: int = 0) -> None:
        self._structure = structure
        self._next = first_id

    def send(self, part: Part, at: datetime) -> Iterator[Filler]:
        """The filler of a part, after those of the parts in it that are new."""
        if part.id is None:
            part.id = self._next
            self._next += 1
        for inner in part.inner():
            if inner.id is None:
                yield from self.send(inner, at)
        yield Filler(*self._key(part), at, "".join(self._holed(part)))

    def _key(self, part: Part) -> FillerKey:
        tag = self._structure.at(part.path)
        assert tag is not None, part.path
        assert part.id is not None, part.path
        return FillerKey(part.id, tag.id)

    def _holed(self, part: Part) -> Iterator[str]:
        for piece in part.content:
            yield hole_text(self._key(piece)) if isinstance(piece, Part) else piece
