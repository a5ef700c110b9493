"""What the items of a stream look like: elements, attributes and the types of their text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from millstream.errors import SchemaError, did_you_mean

TEXT_FIELD = "#text"
"""The field that holds the text of a leaf that also has attributes."""


class ValueType(Enum):
    """What the text of a leaf or attribute stands for."""

    INTEGER = "integer"
    DECIMAL = "decimal"
    DOUBLE = "double"
    TIME = "time"
    TEXT = "text"

    @property
    def numeric(self) -> bool:
        return self in (ValueType.INTEGER, ValueType.DECIMAL, ValueType.DOUBLE)


class Occurs(Enum):
    """How often a child may stand in its parent."""

    ONE = ""
    OPTIONAL = "?"
    MANY = "*"
    SOME = "+"

    @property
    def repeated(self) -> bool:
        return self in (Occurs.MANY, Occurs.SOME)


class Content(Enum):
    """What stands inside an element."""

    LEAF = "leaf"
    """Text only."""
    NESTED = "nested"
    """Child elements, each name in one run, in schema order."""
    RAW = "raw"
    """Mixed, recursive or freely ordered content, kept as XML text."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of an element."""

    name: str
    type: ValueType = ValueType.TEXT
    required: bool = False


@dataclass(frozen=True, slots=True)
class Element:
    """An element, the attributes and children it may have, and the type of its text."""

    name: str
    occurs: Occurs = Occurs.ONE
    content: Content = Content.LEAF
    children: tuple[Element, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    type: ValueType = ValueType.TEXT

    @property
    def repeated(self) -> bool:
        return self.occurs.repeated

    @property
    def plain_leaf(self) -> bool:
        """True for a leaf without attributes: its row field is the bare text."""
        return self.content is Content.LEAF and not self.attributes

    def child(self, name: str) -> Element | None:
        return next((child for child in self.children if child.name == name), None)

    def attribute(self, name: str) -> Attribute | None:
        return next((attribute for attribute in self.attributes if attribute.name == name), None)


Path = tuple[str, ...]
"""Names from the item downwards; an attribute is the last name with an '@' before it."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A place in the item that holds text: a leaf element or an attribute."""

    path: Path
    type: ValueType
    repeated: bool
    """True when a step on the way, or the leaf itself, may occur more than once."""

    def __str__(self) -> str:
        return "/".join(self.path)


@dataclass(frozen=True, slots=True)
class Schema:
    """The root element of a stream and the element of its items."""

    root: str
    item: Element

    def leaves(self) -> tuple[Leaf, ...]:
        """Every text-holding place of an item, in schema order."""
        return tuple(_leaves(self.item, (), False))

    def leaf(self, path: Path) -> Leaf | None:
        return next((leaf for leaf in self.leaves() if leaf.path == path), None)

    def element(self, path: Path) -> Element | None:
        """The element at a path below the item; the item itself for the empty path."""
        element: Element | None = self.item
        for name in path:
            element = element.child(name) if element else None
        return element

    def paths(self) -> tuple[str, ...]:
        """All paths from the item element on, as a user writes them."""
        return tuple(_printed(self.item, self.item.name))

    def loosened(self) -> Schema:
        """This schema with nothing required: a sample shows what may occur, not what must."""
        return replace(self, item=_loosened(self.item, self.item.occurs))

    def with_types(self, types: Mapping[Path, ValueType]) -> Schema:
        """This schema with the types of some leaves set anew."""
        known = {leaf.path for leaf in self.leaves()}
        for path in types:
            if path not in known:
                name = "/".join(path)
                raise SchemaError(
                    f"no leaf {name} in item {self.item.name}",
                    help=did_you_mean(name, ("/".join(each) for each in known)),
                )
        return replace(self, item=_retyped(self.item, (), types))


def _leaves(element: Element, path: Path, repeated: bool) -> Iterator[Leaf]:
    for attribute in element.attributes:
        yield Leaf((*path, f"@{attribute.name}"), attribute.type, repeated)
    if element.content is Content.LEAF:
        yield Leaf(path, element.type, repeated)
    for child in element.children:
        yield from _leaves(child, (*path, child.name), repeated or child.repeated)


def _printed(element: Element, path: str) -> Iterator[str]:
    yield path
    for attribute in element.attributes:
        yield f"{path}/@{attribute.name}"
    for child in element.children:
        yield from _printed(child, f"{path}/{child.name}")


_LOOSE = {Occurs.ONE: Occurs.OPTIONAL, Occurs.SOME: Occurs.MANY}


def _loosened(element: Element, occurs: Occurs) -> Element:
    return replace(
        element,
        occurs=occurs,
        attributes=tuple(replace(each, required=False) for each in element.attributes),
        children=tuple(
            _loosened(child, _LOOSE.get(child.occurs, child.occurs)) for child in element.children
        ),
    )


def _retyped(element: Element, path: Path, types: Mapping[Path, ValueType]) -> Element:
    return replace(
        element,
        type=types.get(path, element.type),
        attributes=tuple(
            replace(each, type=types.get((*path, f"@{each.name}"), each.type))
            for each in element.attributes
        ),
        children=tuple(_retyped(child, (*path, child.name), types) for child in element.children),
    )
