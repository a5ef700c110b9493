"""What a history looks like: all of it at once, or the document as it stood at an instant."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from lxml import etree

from millstream.errors import StateError
from millstream.history.body import VIEW_ATTRIBUTES
from millstream.history.filler_store import FillerStore, Version
from millstream.model.filler import ROOT_ID, FillerKey
from millstream.model.lifespan import (
    NOW,
    START,
    Lifespan,
    cover,
    format_instant,
    show_begin,
    show_end,
)
from millstream.model.values import parse_instant

Write = Callable[[str], object]
"""Takes the next piece of a text."""

Choose = Callable[[FillerKey], Iterable[Version]]
"""The versions that stand in the place of a hole."""


def materialize(store: FillerStore) -> str:
    """The temporal view: every hole replaced by all its fillers, with vtFrom and vtTo."""
    pieces: list[str] = []
    write_view(store, pieces.append)
    return "".join(pieces)


def snapshot(store: FillerStore, at: datetime | None = None) -> str:
    """The document as it stood at an instant, or at the largest validTime seen."""
    pieces: list[str] = []
    write_snapshot(store, pieces.append, at)
    return "".join(pieces)


def write_view(store: FillerStore, write: Write) -> None:
    """Write the temporal view piece by piece.

    A root of several versions gives several elements; one called filler then stands around them.
    """
    roots = store.versions(store.root_key)
    if not roots:
        raise _no_root()
    writer = _Writer(store.versions, write, with_lifespans=True)
    if len(roots) == 1:
        writer.add(roots[0], with_lifespan=store.tag(store.root_key).fragmented)
        return
    write(f'<filler id="{ROOT_ID}">')
    for root in roots:
        writer.add(root, with_lifespan=True)
    write("</filler>")


def write_snapshot(store: FillerStore, write: Write, at: datetime | None = None) -> None:
    """Write the document as it stood at an instant piece by piece."""
    if store.now is None or store.root_key not in store:
        raise _no_root()
    instant = at or store.now
    writer = _Writer(lambda key: store.versions_at(key, instant), write, with_lifespans=False)
    roots = store.versions_at(store.root_key, instant)
    if not roots:
        raise StateError(
            f"there was no document at {format_instant(instant)}",
            help=f"the root has been there since {_first_time(store)}",
        )
    writer.add(roots[0], with_lifespan=False)


@dataclass(frozen=True, slots=True)
class _Writer:
    """Puts fillers into holes. Tags go down from parent to hole, so this ends."""

    choose: Choose
    write: Write
    with_lifespans: bool

    def add(self, version: Version, *, with_lifespan: bool) -> None:
        pieces = version.body.pieces
        if with_lifespan:
            pieces = version.body.with_attributes(_view_attributes(version.lifespan))
        self.write(pieces[0])
        for hole, piece in zip(version.body.holes, pieces[1:], strict=True):
            for filler in self.choose(hole):
                self.add(filler, with_lifespan=self.with_lifespans)
            self.write(piece)


def _view_attributes(lifespan: Lifespan) -> str:
    begin, end = VIEW_ATTRIBUTES
    return f'{begin}="{show_begin(lifespan)}" {end}="{show_end(lifespan)}"'


def lifespan_of(element: etree._Element) -> Lifespan:
    """The lifespan of an element of a temporal view: its own, or what covers its children's.

    A leaf without one of its own holds from start to now.
    """
    begin, end = (element.get(name) for name in VIEW_ATTRIBUTES)
    if begin is None or end is None:
        return cover(lifespan_of(child) for child in element if isinstance(child.tag, str))
    since = None if begin == START else parse_instant(begin)
    until = None if end == NOW else parse_instant(end)
    # Only an event ends when it begins.
    return Lifespan(since, until, end_included=until is not None and since == until)


def _no_root() -> StateError:
    return StateError(
        "the document has no root: no good filler with the id 0 has come",
        code="no-root",
        help="the quarantine tells of bad ones",
    )


def _first_time(store: FillerStore) -> str:
    return format_instant(store.versions(store.root_key)[0].filler.valid_time)
