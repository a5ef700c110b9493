"""The content of a filler, checked against the tag structure and cut at its holes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from millstream.errors import ItemError, did_you_mean
from millstream.model.filler import FillerKey
from millstream.model.observation import element_name
from millstream.model.tag_structure import Tag, TagStructure

HOLE = "hole"
VIEW_ATTRIBUTES = ("vtFrom", "vtTo")
"""What the temporal view says about an element that came as a filler; its content must not."""

# As lxml writes it, an attribute holds neither '<' nor '>'; a comment may hold a seeming hole.
_NOT_PLAIN = re.compile(
    r"<!--.*?-->|<\?.*?\?>|(?P<hole><hole(?=[\s/>])[^>]*?(?:/>|>\s*</hole\s*>))", re.DOTALL
)


_NUMBERS = re.compile(r"\b(id|tsid)\s*=\s*[\"']\s*(\d+)")


@dataclass(frozen=True, slots=True)
class Body:
    """A filler's text, whole, and cut at its holes: of pieces there is one more than of holes."""

    text: str
    pieces: tuple[str, ...]
    holes: tuple[FillerKey, ...]

    def with_attributes(self, attributes: str) -> tuple[str, ...]:
        """The pieces, with further attributes in the element's start tag."""
        first = self.pieces[0]
        end = first.index(">")
        end -= first[end - 1] == "/"
        return (f"{first[:end]} {attributes}{first[end:]}", *self.pieces[1:])


def read_body(element: etree._Element, tag: Tag, structure: TagStructure) -> Body:
    """The content of a filler of a tag; ItemError where the structure does not allow it."""
    for name in VIEW_ATTRIBUTES:
        if name in element.attrib:
            raise ItemError(
                f"the content of a filler has no attribute {name}",
                code="breaks-structure",
                help="its lifespan follows from validTime",
            )
    checked = _Check(structure, tag)
    checked.element(element, tag)
    text = etree.tostring(element, encoding="unicode", with_tail=False)
    return Body(text, _pieces(text), tuple(checked.holes))


def cut_body(text: str) -> Body:
    """The content of a filler that has been read before, cut at its holes."""
    pieces, holes, start = [], [], 0
    for match in _NOT_PLAIN.finditer(text) if "<hole" in text else ():
        if match["hole"]:
            numbers = dict(_NUMBERS.findall(match["hole"]))
            holes.append(FillerKey(int(numbers["id"]), int(numbers["tsid"])))
            pieces.append(text[start : match.start()])
            start = match.end()
    return Body(text, (*pieces, text[start:]), tuple(holes))


def _pieces(text: str) -> tuple[str, ...]:
    pieces, start = [], 0
    for match in _NOT_PLAIN.finditer(text):
        if match["hole"]:
            pieces.append(text[start : match.start()])
            start = match.end()
    return (*pieces, text[start:])


class _Check:
    """One walk through the content of a filler."""

    def __init__(self, structure: TagStructure, tag: Tag) -> None:
        self.holes: dict[FillerKey, None] = {}
        self._structure = structure
        self._top = tag

    def element(self, element: etree._Element, tag: Tag) -> None:
        known = self._structure.children[tag.id]
        for child in element:
            if not isinstance(child.tag, str):
                _refuse_entity(child)
                continue
            name = element_name(child)
            if name == HOLE:
                self._hole(child, tag)
                continue
            found = known.get(name)
            if found is None:
                raise unknown_element(name, tag, self._structure)
            if found.fragmented:
                raise _inline(found)
            if len(child):
                self.element(child, found)

    def _hole(self, hole: etree._Element, tag: Tag) -> None:
        key = FillerKey(read_number(hole, "id"), read_number(hole, "tsid"))
        if len(hole) or (hole.text or "").strip():
            raise ItemError(f"hole {key} is not empty", code="breaks-structure")
        if key in self.holes:
            raise ItemError(f"hole {key} stands twice in one filler", code="breaks-structure")
        self._check_place(key, tag)
        self.holes[key] = None

    def _check_place(self, key: FillerKey, tag: Tag) -> None:
        target = self._structure.tags.get(key.tsid)
        if target is None:
            raise unknown_tsid(key.tsid, self._structure, f"hole {key.id}")
        if target in self._structure.line(self._top.id):
            raise ItemError(
                f"hole {key} is cyclic: {self._top.name} stands inside {target.name}, "
                "so it cannot contain it",
                code="cyclic-hole",
            )
        if self._structure.parents[target.id] is not tag or not target.fragmented:
            raise ItemError(
                f"a hole for {'/'.join(self._structure.path(target.id))} cannot stand in "
                f"{'/'.join(self._structure.path(tag.id))}",
                code="breaks-structure",
                help=_fillers_in(tag),
            )


def read_number(element: etree._Element, attribute: str) -> int:
    """The number in an attribute of a filler or hole."""
    text = element.get(attribute)
    if text is None:
        raise ItemError(f"the {element_name(element)} has no {attribute}", code="bad-id")
    trimmed = text.strip()
    if not (trimmed.isascii() and trimmed.isdigit() and len(trimmed) < 19):
        raise ItemError(
            f"{attribute} '{text[:40]}' of the {element_name(element)} is not a whole number",
            code="bad-id",
        )
    return int(trimmed)


def unknown_tsid(tsid: int, structure: TagStructure, where: str) -> ItemError:
    """The error for an id that no tag has."""
    known = (f"{tag.id} ({tag.name})" for tag in structure.tags.values() if tag.fragmented)
    return ItemError(
        f"{where} has tsid {tsid}, which the tag structure does not know",
        code="unknown-tsid",
        help=did_you_mean(str(tsid), known),
    )


def unknown_element(name: str, parent: Tag, structure: TagStructure) -> ItemError:
    """The error for an element that may not stand in its parent."""
    path = structure.path(parent.id)
    where = "/".join(path)
    if name in path:
        return ItemError(
            f"{name} inside {where} is nested deeper than the tag structure goes",
            code="too-deep",
            help="unfold the DTD further (recursion), or write one more level into the structure",
        )
    known = [child.name for child in parent.children]
    return ItemError(
        f"element {name} cannot stand in {where}",
        code="breaks-structure",
        help=did_you_mean(name, known) or f"{parent.name} holds text only",
    )


def _inline(tag: Tag) -> ItemError:
    return ItemError(
        f"{tag.name} stands inline, but {tag.type.value} tags come as fillers of their own",
        code="breaks-structure",
        help=f'put <hole id="…" tsid="{tag.id}"/> in its place',
    )


def _fillers_in(tag: Tag) -> str | None:
    names = [f"{child.name} (tsid {child.id})" for child in tag.children if child.fragmented]
    return f"{tag.name} has holes for: {', '.join(names)}" if names else None


def _refuse_entity(node: etree._Element) -> None:
    if node.tag is etree.Entity:
        raise ItemError(f"entity {node.text} is not declared", code="malformed")
