"""Results that are versions, as a history that can be shown and asked like any other.

Its root is called results and holds a result for each binding, as it was from one instant on. A
result that has ended has a last version with nothing in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from lxml import etree

from millstream.history.filler import parse_xml
from millstream.history.filler_store import FillerStore
from millstream.model.filler import ROOT_ID, Filler, FillerKey, hole_text
from millstream.model.filler_layout import instant_of
from millstream.model.observation import element_name
from millstream.model.tag_structure import Tag, TagStructure, TagType
from millstream.model.xml_text import escaped_text
from millstream.runtime.history.standing_results import LoggedChange

ROOT, RESULT = "results", "result"
_ROOT_TSID, _RESULT_TSID = 1, 2

_Shape = dict[str, "_Shape"]
"""The names of elements, each with those inside it."""


def result_history(changes: Iterable[LoggedChange]) -> FillerStore:
    """The history that some changes make."""
    known = list(changes)
    ids = {key: id for id, key in enumerate(dict.fromkeys(e.change.key for e in known), start=1)}
    texts = [_content(each) for each in known]
    structure = _structure(texts)
    first = instant_of(min((each.now for each in known), default=0))
    holes = "".join(hole_text(FillerKey(id, _RESULT_TSID)) for id in ids.values())
    store = FillerStore(structure)
    store.add(Filler(ROOT_ID, _ROOT_TSID, first, f"<{ROOT}>{holes}</{ROOT}>"))
    for each, text in zip(known, texts, strict=True):
        store.add(Filler(ids[each.change.key], _RESULT_TSID, instant_of(each.now), text))
    return store


def _content(each: LoggedChange) -> str:
    items = each.change.items
    return f"<{RESULT}/>" if items is None else f"<{RESULT}>{_joined(items)}</{RESULT}>"


def _joined(items: tuple[str, ...]) -> str:
    """Items one after another: nodes as they are, values as text with spaces between."""
    pieces: list[str] = []
    for item in items:
        try:
            etree.fromstring(f"<{RESULT}>{item}</{RESULT}>")
            pieces.append(item)
        except etree.XMLSyntaxError:
            pieces.append(escaped_text(item))
    return " ".join(pieces) if all("<" not in each for each in pieces) else "".join(pieces)


def _structure(texts: Iterable[str]) -> TagStructure:
    """A tag structure that all results fit: what is in a result has no time of its own."""
    shape: _Shape = {}
    for text in set(texts):
        _note(parse_xml(text), shape)
    ids = count(_RESULT_TSID + 1)
    result = Tag(_RESULT_TSID, RESULT, TagType.TEMPORAL, _tags(shape, ids))
    return TagStructure(Tag(_ROOT_TSID, ROOT, TagType.SNAPSHOT, (result,)))


def _note(element: etree._Element, shape: _Shape) -> None:
    for child in element:
        if isinstance(child.tag, str):
            _note(child, shape.setdefault(element_name(child), {}))


def _tags(shape: _Shape, ids: count[int]) -> tuple[Tag, ...]:
    return tuple(
        Tag(next(ids), name, TagType.SNAPSHOT, _tags(inside, ids)) for name, inside in shape.items()
    )
