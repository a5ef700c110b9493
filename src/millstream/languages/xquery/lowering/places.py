"""Where in the items of a stream a node stands, and what the schema knows of it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from millstream.errors import QueryError, Span
from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType

LISTED = 12
"""How many known paths a help line names."""


@dataclass(frozen=True, slots=True)
class Place:
    """A node by its names from the item element on; an attribute and a text have no element."""

    stream: str
    names: tuple[str, ...]
    element: Element | None
    type: ValueType | None
    parent: Place | None = None
    """None for the document, which holds the root of the stream."""

    @property
    def repeated(self) -> bool:
        """True if more than one such node may stand in one parent."""
        return self.names[-1:] == ("*",) or (self.element is not None and self.element.repeated)

    @property
    def path(self) -> str:
        return "/".join(self.names)

    @property
    def option(self) -> str:
        """The option that sets the type of this leaf."""
        return f"{self.stream}.type.{'/'.join(self.names[1:]) or '.'}"

    def __str__(self) -> str:
        return f"{self.path} of stream '{self.stream}'"


def document(stream: str, schema: Schema) -> Place:
    """The node above the root element of a stream."""
    item = Element(
        schema.item.name,
        Occurs.MANY,
        schema.item.content,
        schema.item.children,
        schema.item.attributes,
        schema.item.type,
    )
    root = Element(schema.root, content=Content.NESTED, children=(item,))
    above = Element("", content=Content.NESTED, children=(root,))
    return Place(stream, (), above, None)


def item_place(stream: str, schema: Schema) -> Place:
    """The item of a stream, as paths in messages begin with it."""
    item = schema.item
    return Place(stream, (item.name,), item, _leaf_type(item), document(stream, schema))


def child(place: Place, name: str) -> Place | None:
    """The child element of a name, if there may be one."""
    found = place.element.child(name) if place.element else None
    if found is None:
        return None
    return Place(place.stream, (*place.names, name), found, _leaf_type(found), place)


def children(place: Place) -> tuple[Place, ...]:
    """All child elements that there may be."""
    names = () if place.element is None else (each.name for each in place.element.children)
    return tuple(found for name in names if (found := child(place, name)))


def attribute(place: Place, name: str) -> Place | None:
    """The attribute of a name, if there may be one."""
    found = place.element.attribute(name) if place.element else None
    return None if found is None else _attribute_place(place, found)


def text(place: Place) -> Place | None:
    """The text of a leaf."""
    if place.element is None or place.element.content is not Content.LEAF:
        return None
    return Place(place.stream, (*place.names, "text()"), None, place.type, place)


def follow(place: Place, name: str) -> Place:
    """The node that a step which is known to exist leads to."""
    if name == "text()":
        found = text(place)
    elif name.startswith("@"):
        found = attribute(place, name[1:])
    else:
        found = child(place, name)
    assert found is not None, f"the schema has {name} below {place}"
    return found


def descendants(place: Place) -> Iterator[Place]:
    """The node itself and all elements below it, outer before inner."""
    yield place
    for each in children(place):
        yield from descendants(each)


def unknown(place: Place, name: str, span: Span) -> QueryError:
    """The error of asking for a name that a node does not have below it."""
    path = "/".join((*place.names, name))
    return QueryError(
        f"stream '{place.stream}' has no path {path}",
        code="unknown-path",
        span=span,
        help=_help(place, name),
    )


def _attribute_place(place: Place, found: Attribute) -> Place:
    return Place(place.stream, (*place.names, f"@{found.name}"), None, found.type, place)


def _leaf_type(element: Element) -> ValueType | None:
    return element.type if element.content is Content.LEAF else None


def _help(place: Place, name: str) -> str:
    below = [each for each in _nodes_below(place) if each.names != place.names]
    relative = ["/".join(each.names[len(place.names) :]) for each in below]
    if not relative:
        return f"there is nothing below {place.path}"
    meant = _meant(name, relative)
    listed = [each.path for each in below if each.type is not None] or relative
    known = f"known paths: {', '.join(listed[:LISTED])}" + (", …" if len(listed) > LISTED else "")
    return f"did you mean '{meant}'? {known}" if meant else known


def _nodes_below(place: Place) -> Iterator[Place]:
    for each in descendants(place):
        yield each
        for found in each.element.attributes if each.element else ():
            yield _attribute_place(each, found)


def _meant(name: str, relative: list[str]) -> str | None:
    """The path that the name was most likely meant for."""
    same = [path for path in relative if path.split("/")[-1].lstrip("@") == name.lstrip("@")]
    if same:
        return same[0]
    last = {path.split("/")[-1]: path for path in reversed(relative)}
    close = difflib.get_close_matches(name, last, n=1, cutoff=0.5)
    return last[close[0]] if close else None
