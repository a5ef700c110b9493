"""Random schemas: an item with a reference element, and some of everything below it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import strategies as st

from millstream.model.schema import (
    Attribute,
    Content,
    Element,
    Leaf,
    Occurs,
    Path,
    Schema,
    ValueType,
)

REFERENCE = "t"
"""The element that places an item in time."""

NUMERIC = (ValueType.INTEGER, ValueType.DECIMAL, ValueType.DOUBLE)


@dataclass(frozen=True, slots=True)
class Place:
    """An element below another, and whether it may stand there more than once."""

    path: Path
    element: Element
    repeated: bool


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    """A schema with a reference element 't' that is an integer, a decimal or a time."""
    reference_type = draw(st.sampled_from((*NUMERIC[:2], ValueType.INTEGER, ValueType.TIME)))
    reference_occurs = draw(st.sampled_from((Occurs.ONE, Occurs.ONE, Occurs.OPTIONAL)))
    reference = Element(REFERENCE, reference_occurs, type=reference_type)
    kinds = draw(st.sets(st.sampled_from(sorted(CHILDREN)), min_size=2, max_size=4))
    children = (reference, *(draw(CHILDREN[kind]()) for kind in sorted(kinds)))
    attributes = draw(st.sampled_from(((), (Attribute("id"),), BOTH_ATTRIBUTES)))
    item = Element("item", Occurs.MANY, Content.NESTED, children, attributes)
    return Schema("items", item)


def leaves(element: Element) -> tuple[Leaf, ...]:
    """The text-holding places of an element; the empty path is the element itself."""
    return Schema(element.name, element).leaves()


def places(element: Element) -> tuple[Place, ...]:
    """The elements below an element, in schema order."""
    return tuple(_places(element, (), False))


def _places(element: Element, path: Path, repeated: bool) -> Iterator[Place]:
    for child in element.children:
        place = Place((*path, child.name), child, repeated or child.repeated)
        yield place
        yield from _places(child, place.path, place.repeated)


BOTH_ATTRIBUTES = (Attribute("id"), Attribute("q", ValueType.INTEGER))
ANY_OCCURS = st.sampled_from((Occurs.ONE, Occurs.OPTIONAL, Occurs.MANY))
NUMERIC_TYPES = st.sampled_from(NUMERIC)


def _numeric(name: str) -> st.SearchStrategy[Element]:
    return st.builds(Element, st.just(name), ANY_OCCURS, type=NUMERIC_TYPES)


def _texts() -> st.SearchStrategy[Element]:
    attributes = st.sampled_from(((), (Attribute("k"),)))
    return st.builds(Element, st.just("s"), ANY_OCCURS, attributes=attributes)


def _times() -> st.SearchStrategy[Element]:
    return st.builds(Element, st.just("d"), ANY_OCCURS, type=st.just(ValueType.TIME))


@st.composite
def _group(draw: st.DrawFn) -> Element:
    """An optional nested element with a number and a text."""
    number = Element("x", draw(ANY_OCCURS), type=draw(NUMERIC_TYPES))
    occurs = draw(st.sampled_from((Occurs.ONE, Occurs.OPTIONAL)))
    return Element("g", occurs, Content.NESTED, (number, Element("y", Occurs.OPTIONAL)))


@st.composite
def _repeated_group(draw: st.DrawFn) -> Element:
    """A repeated nested element with a number, texts and an attribute."""
    number = Element(
        "v", draw(st.sampled_from((Occurs.ONE, Occurs.OPTIONAL))), type=draw(NUMERIC_TYPES)
    )
    children = (number, Element("w", draw(ANY_OCCURS)))
    attributes = draw(st.sampled_from(((), (Attribute("n", ValueType.INTEGER),))))
    return Element("h", Occurs.MANY, Content.NESTED, children, attributes)


CHILDREN = {
    "a": lambda: _numeric("a"),
    "b": lambda: _numeric("b"),
    "d": _times,
    "g": _group,
    "h": _repeated_group,
    "s": _texts,
}
