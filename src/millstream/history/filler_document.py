"""The fillers of a stream as one document, for whoever asks it in XQuery."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from xml.sax.saxutils import quoteattr

from millstream.history.filler_store import FillerStore, Version
from millstream.model.filler import WRAPPER, FillerKey
from millstream.model.lifespan import format_instant

NAMESPACE = "urn:millstream:xcql"
"""Of what is not part of the stream itself."""


def filler_document(store: FillerStore, stream: str) -> str:
    """All fillers that are part of the temporal view, in its order.

    Each stands in the first hole that it fills; the holes that it fills again are left empty.
    """
    pieces: list[str] = []
    write = pieces.append
    write(f'<{WRAPPER} xmlns:xcql="{NAMESPACE}" xcql:stream={quoteattr(stream)}>')
    writer = _Writer(store, write)
    for root in store.versions(store.root_key):
        writer.add(root)
    write(f"</{WRAPPER}>")
    return "".join(pieces)


def tags_attribute(tags: str) -> str:
    """What a filler says of the tags on its element: nothing without any."""
    return f" xcql:told_tags={quoteattr(tags)}" if tags else ""


@dataclass(frozen=True, slots=True)
class _Writer:
    """Puts fillers into the holes that come first."""

    store: FillerStore
    write: Callable[[str], object]
    filled: set[FillerKey] = field(default_factory=set)

    def add(self, version: Version) -> None:
        filler = version.filler
        self.write(
            f'<filler id="{filler.id}" tsid="{filler.tsid}" '
            f'validTime="{format_instant(filler.valid_time)}" arrival="{version.arrival}"'
            f"{tags_attribute(filler.tags)}>"
        )
        pieces = version.body.pieces
        self.write(pieces[0])
        for hole, piece in zip(version.body.holes, pieces[1:], strict=True):
            self.write(f'<hole id="{hole.id}" tsid="{hole.tsid}">')
            self._fill(hole)
            self.write(f"</hole>{piece}")
        self.write("</filler>")

    def _fill(self, hole: FillerKey) -> None:
        if hole in self.filled:
            return
        self.filled.add(hole)
        for version in self.store.versions(hole):
            self.add(version)
