"""The sender of a history: knows what it has sent, and makes the fillers of each change."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from io import BytesIO
from itertools import count

from lxml import etree

from millstream.errors import ItemError
from millstream.history.body import HOLE, read_number
from millstream.history.filler import check_filler, parse_xml
from millstream.history.fragment_holes import remove_hole
from millstream.history.fragmenter import Source, fragment
from millstream.history.quarantine import Rejected
from millstream.model.filler import ROOT_ID, Filler, FillerKey
from millstream.model.observation import child_elements, element_name
from millstream.model.tag_structure import Tag, TagStructure, TagType


class Publisher:
    """The newest version of every filler that was sent, and the next free id."""

    def __init__(self, structure: TagStructure) -> None:
        self.structure = structure
        self.newest: dict[FillerKey, Filler] = {}
        self._ids: Iterator[int] = count(ROOT_ID + 1)

    @property
    def root_key(self) -> FillerKey:
        return FillerKey(ROOT_ID, self.structure.root.id)

    def publish(self, document: Source, at: datetime) -> tuple[Filler, ...]:
        """The fillers of a whole document, the root last."""
        return self._send(document, self.root_key, at)

    def change(self, key: FillerKey, xml: str, at: datetime) -> tuple[Filler, ...]:
        """A new version of an element; holes in its text keep what is in them."""
        self._changeable(key)
        return self._send_text(xml, key, at)

    def post(
        self, parent: FillerKey, xml: str, at: datetime, *, tsid: int | None = None
    ) -> tuple[Filler, ...]:
        """A new event in the hole that its parent keeps for such."""
        tag = self._child_tag(parent, xml, tsid)
        if tag.type is not TagType.EVENT:
            raise ItemError(f"{tag.name} is {tag.type.value}, not an event", code="not-an-event")
        holes = check_filler(self._sent(parent), self.structure).body.holes
        fitting = [hole for hole in holes if hole.tsid == tag.id]
        if not fitting:
            raise ItemError(f"filler {parent} has no hole for {tag.name}", code="no-hole")
        return self._send_text(xml, fitting[-1], at)

    def insert(
        self,
        parent: FillerKey,
        xml: str,
        at: datetime,
        *,
        tsid: int | None = None,
        before: FillerKey | None = None,
    ) -> tuple[Filler, ...]:
        """A new child and, last, its parent with a hole for it: before another's, or at the end."""
        tag = self._child_tag(parent, xml, before.tsid if before else tsid)
        content = parse_xml(self._changeable(parent).content)
        key = FillerKey(next(self._ids), tag.id)
        hole = etree.Element(HOLE, {"id": str(key.id), "tsid": str(key.tsid)})
        if before is not None:
            _find_hole(content, before).addprevious(hole)
        else:
            self._place_of(content, parent, tag).append(hole)
        return (*self._send_text(xml, key, at), *self._resend(parent, content, at))

    def delete(self, parent: FillerKey, child: FillerKey, at: datetime) -> tuple[Filler, ...]:
        """The parent of a child without its hole."""
        content = parse_xml(self._changeable(parent).content)
        remove_hole(_find_hole(content, child))
        return self._resend(parent, content, at)

    def _resend(self, key: FillerKey, content: etree._Element, at: datetime) -> tuple[Filler, ...]:
        return self._send_text(etree.tostring(content, encoding="unicode"), key, at)

    def _send_text(self, xml: str, key: FillerKey, at: datetime) -> tuple[Filler, ...]:
        return self._send(BytesIO(xml.encode("utf-8")), key, at)

    def _send(self, source: Source, key: FillerKey, at: datetime) -> tuple[Filler, ...]:
        fillers = tuple(
            fragment(source, self.structure, valid_time=at, reject=_refuse, key=key, ids=self._ids)
        )
        for filler in fillers:
            check_filler(filler, self.structure)
            self.newest[filler.key] = filler
        return fillers

    def _sent(self, key: FillerKey) -> Filler:
        if key not in self.newest:
            raise ItemError(f"no filler {key} has been sent", code="unknown-filler")
        return self.newest[key]

    def _changeable(self, key: FillerKey) -> Filler:
        tag = self.structure.tag(key.tsid)
        if tag.type is TagType.EVENT:
            raise ItemError(
                f"{tag.name} is an event, which does not change",
                code="not-temporal",
                help="only the temporal elements inside it do",
            )
        return self._sent(key)

    def _child_tag(self, parent: FillerKey, xml: str, tsid: int | None) -> Tag:
        """The tag of a new element, which must be one that comes as a filler of its own."""
        name = element_name(parse_xml(xml))
        fitting = [
            tag
            for tag in self.structure.tag(parent.tsid).walk()
            if tag.name == name and tag.fragmented and tsid in (None, tag.id)
            if self.structure.holder(tag.id).id == parent.tsid
        ]
        if not fitting:
            raise ItemError(f"filler {parent} has no place for {name}", code="breaks-structure")
        if len(fitting) > 1:
            places = ", ".join(
                f"{tag.id} ({'/'.join(self.structure.path(tag.id))})" for tag in fitting
            )
            raise ItemError(
                f"filler {parent} has several places for {name}",
                code="ambiguous-place",
                help=f"pass tsid=… with one of {places}",
            )
        return fitting[0]

    def _place_of(self, content: etree._Element, parent: FillerKey, tag: Tag) -> etree._Element:
        """The last element in a filler's content that may hold a tag."""
        above = len(self.structure.path(parent.tsid))
        place = content
        for name in self.structure.path(tag.id)[above:-1]:
            inside = [child for child in child_elements(place) if element_name(child) == name]
            if not inside:
                raise ItemError(f"filler {parent} has no {name} to hold {tag.name}", code="no-hole")
            place = inside[-1]
        return place


def _find_hole(content: etree._Element, key: FillerKey) -> etree._Element:
    for hole in content.iter(HOLE):
        if (read_number(hole, "id"), read_number(hole, "tsid")) == key:
            return hole
    raise ItemError(f"there is no hole {key} in the filler", code="no-hole")


def _refuse(rejected: Rejected) -> None:
    raise ItemError(rejected.reason, code=rejected.code, help=rejected.help)
