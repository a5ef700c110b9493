"""A document, read once and cut into fillers as it goes by."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import IO, cast

from lxml import etree

from millstream.errors import ItemError, StateError
from millstream.history.begun_filler import BegunFiller, read_lifespan
from millstream.history.body import HOLE, unknown_element
from millstream.history.fragment_holes import (
    empty,
    keep_holes_for_events,
    line_of,
    make_hole,
    remove_repeated_holes,
)
from millstream.history.quarantine import Reject, Rejected
from millstream.history.scanner import MAX_FILLER
from millstream.model.filler import ROOT_ID, Filler, FillerKey
from millstream.model.observation import element_name
from millstream.model.tag_structure import Tag, TagStructure, TagType

Source = str | Path | IO[bytes]
"""A path, of a file that may be compressed, or an open file."""


def fragment(
    source: Source,
    structure: TagStructure,
    *,
    valid_time: datetime,
    reject: Reject,
    key: FillerKey | None = None,
    ids: Iterator[int] | None = None,
    max_filler: int = MAX_FILLER,
) -> Iterator[Filler]:
    """The fillers of a document, inner ones first and the root last.

    An element is valid from `valid_time`, unless it has the attributes of a temporal view, which
    are taken off. An element that cannot become a filler leaves its hole, and `reject` is told.
    With a `key`, the text is one element of that tag instead of a document, and may have holes.
    """
    walk = _Walk(structure, valid_time, reject, key, ids or count(ROOT_ID + 1), max_filler)
    return walk.fillers(source)


class _Walk:
    """One way through a document, from its first tag to its last."""

    def __init__(
        self,
        structure: TagStructure,
        valid_time: datetime,
        reject: Reject,
        key: FillerKey | None,
        ids: Iterator[int],
        max_filler: int,
    ) -> None:
        self._file: str | None = None
        self._structure = structure
        self._valid_time = self._earliest = valid_time
        self._reject = reject
        self._key = key or FillerKey(ROOT_ID, structure.root.id)
        self._ids = ids
        self._may_have_holes = key is not None
        self._most = max_filler
        self._tags: list[Tag | None] = []
        """The tags of the elements that have begun; None inside what the structure lacks."""
        self._begun: list[BegunFiller] = []
        self._last: tuple[etree._Element, BegunFiller] | None = None
        """The element that became a hole last."""
        self._events = {
            tag.id: tuple(child for child in tag.children if child.type is TagType.EVENT)
            for tag in structure.tags.values()
        }

    def fillers(self, source: Source) -> Iterator[Filler]:
        self._file = str(source) if isinstance(source, str | Path) else None
        try:
            with _opened(source) as opened:
                for event, element in _parse_events(opened):
                    if event == "start":
                        self._start(element)
                    else:
                        yield from self._end(element)
        except etree.XMLSyntaxError as error:
            raise ItemError(f"the document is not XML: {error.msg}", code="malformed") from None
        except (OSError, EOFError, zlib.error) as error:
            raise StateError(f"cannot read the document: {error}") from None

    def _start(self, element: etree._Element) -> None:
        if not self._tags:
            self._start_top(element)
            return
        parent = self._tags[-1]
        tag = None if parent is None else self._child(element, parent)
        self._tags.append(tag)
        if tag is not None and tag.fragmented:
            self._begun.append(self._begin(element, tag))

    def _start_top(self, element: etree._Element) -> None:
        tag = self._structure.tag(self._key.tsid)
        name = element_name(element)
        if name != tag.name:
            raise ItemError(
                f"the document begins with <{name}>, not with <{tag.name}>",
                code="breaks-structure",
                help="is this the tag structure of another document?",
            )
        begun = read_lifespan(element, tag, self._key, self._valid_time)
        if begun.fault is not None:
            raise begun.fault
        self._tags.append(tag)
        self._begun.append(begun)

    def _child(self, element: etree._Element, parent: Tag) -> Tag | None:
        name = element.tag if element.tag[0] != "{" else element_name(element)
        tag = self._structure.children[parent.id].get(name)
        if tag is None and not (name == HOLE and self._may_have_holes):
            self._spoil(unknown_element(name, parent, self._structure), element)
        return tag

    def _begin(self, element: etree._Element, tag: Tag) -> BegunFiller:
        begun = read_lifespan(element, tag, self._key, self._valid_time)
        self._earliest = min(self._earliest, begun.valid_time)
        if self._last is not None and begun.continues(self._last[1]):
            hole, earlier = self._last
            if element.getprevious() is hole:
                begun.earlier = earlier
                begun.key = earlier.key
                self._begun[-1].has_repeated_holes = True
                return begun
        begun.key = FillerKey(next(self._ids), tag.id)
        return begun

    def _end(self, element: etree._Element) -> Iterator[Filler]:
        tag = self._tags.pop()
        if tag is None:
            return
        if self._events[tag.id]:
            keep_holes_for_events(element, tag, self._events[tag.id], self._ids)
        if self._tags and not tag.fragmented:
            self._count(element)
        else:
            yield from self._close(element)

    def _count(self, element: etree._Element) -> None:
        """Keep a filler that has become too large from growing on in memory."""
        current = self._begun[-1]
        current.size += len(element.text or "") + len(element.tag)
        if current.size > self._most:
            self._spoil(self._too_large(current.tag), element)
            empty(element)

    def _close(self, element: etree._Element) -> Iterator[Filler]:
        closed = self._begun.pop()
        if closed.has_repeated_holes:
            remove_repeated_holes(element)
        if not closed.tag.fragmented:
            closed.valid_time = min(closed.valid_time, self._earliest)
        closed.remove_ended_before()
        text = etree.tostring(element, encoding="unicode", with_tail=False)
        fault = closed.fault or self._fault(closed, element, text)
        if fault is None:
            yield Filler(*closed.key, closed.valid_time, text)
            yield from closed.later_versions(element, self._reject)
        elif self._begun:
            self._reject(Rejected.because(fault, text, file=self._file, line=closed.line))
        else:
            raise fault
        if self._begun:
            self._leave_hole(element, closed)

    def _leave_hole(self, element: etree._Element, closed: BegunFiller) -> None:
        make_hole(element, closed.key, again=closed.earlier is not None)
        closed.hole = closed.earlier.hole if closed.earlier else element
        self._begun[-1].note_end(closed)
        self._last = element, closed

    def _fault(self, closed: BegunFiller, element: etree._Element, text: str) -> ItemError | None:
        entity = next(iter(element.iter(etree.Entity)), None)
        if entity is not None:
            return ItemError(
                f"entity {entity.text} is not expanded",
                code="malformed",
                help="write its text instead",
            )
        return self._too_large(closed.tag) if len(text) > self._most else None

    def _too_large(self, tag: Tag) -> ItemError:
        return ItemError(
            f"{tag.name} is larger than {self._most:,} characters",
            code="too-large",
            help="make more of the elements inside it temporal",
        )

    def _spoil(self, fault: ItemError, element: etree._Element) -> None:
        """Set the filler aside that an element stands in; without its root there is no document."""
        current = self._begun[-1]
        if len(self._begun) == 1:
            message = f"line {line_of(element)}: {fault.message}"
            raise ItemError(message, code=fault.code, help=fault.help)
        if current.fault is None:
            current.fault, current.line = fault, line_of(element)


def _opened(source: Source) -> AbstractContextManager[str | IO[bytes]]:
    if not isinstance(source, str | Path):
        return nullcontext(source)
    name = str(source)
    return cast("IO[bytes]", gzip.open(name)) if name.endswith(".gz") else nullcontext(name)


def _parse_events(source: str | IO[bytes]) -> Iterator[tuple[str, etree._Element]]:
    events: Iterator[tuple[str, etree._Element]] = etree.iterparse(
        source,
        events=("start", "end"),
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
    )
    return events
