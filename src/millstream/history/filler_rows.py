"""Fillers as rows of typed columns: one walk through the element of a filler."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from lxml import etree

from millstream.history.body import HOLE
from millstream.history.filler import parse_xml
from millstream.model.filler import Filler
from millstream.model.filler_layout import (
    HOLE_MARK,
    TEXT_MARK,
    FillerLayout,
    attributes_of,
    from_of,
    hole_of,
    microseconds,
    text_of,
    to_of,
)
from millstream.model.schema import Path
from millstream.model.tag_structure import Tag
from millstream.model.xml_text import escaped_attribute, escaped_text

_XML = "{http://www.w3.org/XML/1998/namespace}"

Row = dict[str, Any]


class RowMaker:
    """Makes rows of the fillers of one tag, which have been checked against its structure."""

    def __init__(self, layout: FillerLayout) -> None:
        self.layout = layout
        self._places: dict[Path, _Place] = {(): _Place((), layout.tag)}
        self._places |= {path: _Place(path, tag) for path, tag in layout.inside()}
        self._children = {
            place: {
                child.name: self._places[*place.path, child.name] for child in place.tag.children
            }
            for place in self._places.values()
            if not place.path or not place.tag.fragmented
        }
        self._holes = {
            place.tag.id: place
            for place in self._places.values()
            if place.path and place.tag.fragmented
        }

    def row(self, filler: Filler, arrival: int) -> Row:
        """The row of a filler that so many came before; what it has none of is not in it."""
        row: Row = defaultdict(list)
        # Asking each element for its namespaces takes long, and few have any.
        walk = _Walk(row, self._children, self._holes, "xmlns" in filler.content)
        walk.element(parse_xml(filler.content), self._places[()], {})
        row["id"] = filler.id
        row["valid"] = microseconds(filler.valid_time)
        row["arrival"] = arrival
        row["body"] = "".join(walk.written)
        row["hole_ids"], row["hole_tags"] = walk.hole_ids, walk.hole_tags
        return row


class _Place:
    """The columns of the elements, or the holes, at a path."""

    def __init__(self, path: Path, tag: Tag) -> None:
        self.path, self.tag = path, tag
        self.attributes, self.text = attributes_of(path), text_of(path)
        self.begin, self.end, self.hole = from_of(path), to_of(path), hole_of(path)


class _Walk:
    """Writes an element's text while it notes what stands where."""

    def __init__(
        self,
        row: Row,
        children: Mapping[_Place, Mapping[str, _Place]],
        holes: Mapping[int, _Place],
        namespaced: bool,
    ) -> None:
        self.row = row
        self.written: list[str] = []
        self.hole_ids: list[int] = []
        self.hole_tags: list[int] = []
        self._children = children
        self._holes = holes
        self._namespaced = namespaced
        self._length = 0

    def element(self, element: etree._Element, place: _Place, known: Mapping[Any, str]) -> None:
        """Write an element; nearly all of the time of loading is spent here."""
        begin = self._length
        name: str = element.tag
        if name[0] == "{":
            name = _qualified(name, element)
        attributes = [(_qualified(key, element), str(value)) for key, value in element.items()]
        opening = f"<{name}"
        if self._namespaced:
            opening += _declarations(element, known)
        for key, value in attributes:
            opening += f' {key}="{escaped_attribute(value)}"'
        row, path = self.row, place.path
        if path:
            # A place in the lists of this path, before those of elements inside it.
            row[place.attributes].append(attributes)
            row[place.text].append("")
            row[place.begin].append(begin)
            ends = row[place.end]
            index = len(ends)
            ends.append(0)
        texts = self._content(element, place, name, opening)
        if not path:
            row[place.attributes], row[place.text] = attributes, texts
            return
        row[place.text][index] = texts
        ends[index] = self._length

    def _content(self, element: etree._Element, place: _Place, name: str, opening: str) -> str:
        """Write what is inside; the text nodes directly there."""
        text = element.text
        if not len(element):
            closed = f"{opening}>{escaped_text(text)}</{name}>" if text else f"{opening}/>"
            self._write(closed)
            return text or ""
        texts = [text] if text else []
        self._write(f"{opening}>{escaped_text(text)}" if text else f"{opening}>")
        children = self._children[place]
        known = element.nsmap if self._namespaced else {}
        for child in element:
            if not isinstance(child.tag, str):
                self._write(etree.tostring(child, encoding="unicode", with_tail=False))
            elif child.tag == HOLE:
                self._hole(child)
            else:
                self.element(child, children[_qualified(child.tag, child)], known)
            if tail := child.tail:
                texts.append(tail)
                self._write(escaped_text(tail))
        self._write(f"</{name}>")
        return TEXT_MARK.join(texts)

    def _write(self, text: str) -> None:
        self.written.append(text)
        self._length += len(text)

    def _hole(self, hole: etree._Element) -> None:
        id, tsid = int(hole.get("id", "")), int(hole.get("tsid", ""))
        self.hole_ids.append(id)
        self.hole_tags.append(tsid)
        place = self._holes[tsid]
        self.row[place.hole].append(id)
        self.row[place.begin].append(self._length)
        self._write(HOLE_MARK)
        self.row[place.end].append(self._length)


def _qualified(name: Any, element: etree._Element) -> str:
    """A name as it was written, with its prefix."""
    text = str(name)
    if not text.startswith("{"):
        return text
    if text.startswith(_XML):
        return f"xml:{text.removeprefix(_XML)}"
    uri, _, local = text[1:].partition("}")
    prefix = next((key for key, value in element.nsmap.items() if value == uri and key), None)
    return f"{prefix}:{local}" if prefix else local


def _declarations(element: etree._Element, known: Mapping[Any, str]) -> str:
    """The namespaces that an element declares beyond those known around it."""
    if not element.nsmap or element.nsmap == known:
        return ""
    return "".join(
        f' xmlns{f":{prefix}" if prefix else ""}="{escaped_attribute(uri)}"'
        for prefix, uri in element.nsmap.items()
        if known.get(prefix) != uri
    )
