"""Random tag structures, documents that fit them, and changes to these."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import strategies as st
from lxml import etree

from millstream.history.fragment_holes import remove_hole
from millstream.model.tag_structure import Tag, TagStructure, TagType

NAMES = tuple("abcdefgh")
MARK = "k"
"""An attribute that tells every element of a document from all others."""

texts = st.text(alphabet=" \t\nab<>&\"'é\u2028]0", max_size=6)


@st.composite
def tag_structures(draw: st.DrawFn) -> TagStructure:
    ids = iter(draw(st.permutations(range(1, 60))))

    def tag(name: str, depth: int) -> Tag:
        types = list(TagType) if depth else [TagType.SNAPSHOT, TagType.TEMPORAL]
        type = draw(st.sampled_from(types))
        names = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=3)) if depth < 3 else []
        children = tuple(tag(each, depth + 1) for each in names)
        return Tag(next(ids), name, type, children)

    return TagStructure(tag(draw(st.sampled_from(NAMES)), 0))


@st.composite
def elements(draw: st.DrawFn, tag: Tag, marks: Iterator[int], most: int = 2) -> etree._Element:
    """An element of a tag with anything that may stand inside it, in any order."""
    element = etree.Element(tag.name, {MARK: str(next(marks))})
    if draw(st.booleans()):
        element.set("x", draw(texts))
    element.text = draw(texts)
    for child in draw(st.lists(st.sampled_from(tag.children), max_size=most) if tag.children
                      else st.just([])):  # fmt: skip
        inner = draw(elements(child, marks, most))
        inner.tail = draw(texts)
        element.append(inner)
    if draw(st.integers(0, 9)) == 0:
        element.insert(0, etree.Comment(' <hole id="1" tsid="1"/> '))
    return element


def text_of(element: etree._Element) -> str:
    return etree.tostring(element, encoding="unicode", with_tail=False)


def without_events(document: etree._Element, structure: TagStructure) -> str:
    """A document's text, with its events left out."""
    copy = etree.fromstring(text_of(document))
    _drop_events(copy, structure.root)
    return text_of(copy)


def _drop_events(element: etree._Element, tag: Tag) -> None:
    for child in [each for each in element if isinstance(each.tag, str)]:
        inner = tag.child(child.tag)
        assert inner is not None
        if inner.type is TagType.EVENT:
            remove_hole(child)
        else:
            _drop_events(child, inner)
