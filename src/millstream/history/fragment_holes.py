"""Holes in a document that is being cut: put in place of an element, kept for events, taken out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from lxml import etree

from millstream.history.body import HOLE
from millstream.model.filler import FillerKey
from millstream.model.observation import element_name
from millstream.model.tag_structure import Tag

_AGAIN = "again"
"""Marks the place of a later version: its hole stands already, and this one goes."""


def empty(element: etree._Element) -> None:
    """Take everything out of an element that has ended, and leave the text after it."""
    # The stubs of lxml do not know the argument.
    cast(Any, element).clear(keep_tail=True)


def line_of(element: etree._Element) -> int | None:
    """The line of a document that an element begins in."""
    return cast("int | None", element.sourceline)


def make_hole(element: etree._Element, key: FillerKey, *, again: bool = False) -> None:
    """Turn an element that has ended into a hole.

    It stays the same node: the parser may still be adding to the text after it.
    """
    empty(element)
    element.tag = HOLE
    element.set("id", str(key.id))
    element.set("tsid", str(key.tsid))
    if again:
        element.set(_AGAIN, "")


def remove_hole(hole: etree._Element) -> None:
    """Take a hole out of its parent; the text after it stays."""
    parent, before = hole.getparent(), hole.getprevious()
    if parent is None:
        return
    if before is not None:
        before.tail = (before.tail or "") + (hole.tail or "")
    else:
        parent.text = (parent.text or "") + (hole.tail or "")
    hole.tail = None
    parent.remove(hole)


def remove_repeated_holes(element: etree._Element) -> None:
    """Take out the holes that were made again for later versions."""
    for hole in [each for each in element.iter(HOLE) if _AGAIN in each.attrib]:
        remove_hole(hole)


def keep_holes_for_events(
    element: etree._Element, tag: Tag, events: tuple[Tag, ...], ids: Iterator[int]
) -> None:
    """Add a hole for each event that has not happened in an element, where its tag belongs."""
    order = {child.id: place for place, child in enumerate(tag.children)}
    names = {child.name: child.id for child in tag.children}
    for event in events:
        places = [order.get(_tsid(child, names), -1) for child in element]
        if order[event.id] not in places:
            hole = etree.Element(HOLE)
            make_hole(hole, FillerKey(next(ids), event.id))
            earlier = [index for index, place in enumerate(places) if 0 <= place < order[event.id]]
            element.insert(earlier[-1] + 1 if earlier else 0, hole)


def _tsid(child: etree._Element, names: dict[str, int]) -> int:
    """The tag of a child, which may be a hole by now; -1 if it has none."""
    if not isinstance(child.tag, str):
        return -1
    if child.tag == HOLE:
        return int(child.get("tsid", "-1"))
    return names.get(element_name(child), -1)
