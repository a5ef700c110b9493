"""A tag structure as XML text: reading, with the place of every mistake, and writing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from millstream.errors import SchemaError, Span, did_you_mean
from millstream.model.limits import check_depth, check_elements, check_length
from millstream.model.names import is_name
from millstream.model.tag_structure import RESERVED_NAMES, Tag, TagStructure, TagType

WRAPPERS = ("stream:structure", "structure")
NAMESPACE = "urn:millstream:stream"
"""Declared when a structure is written, for readers that insist; none is needed to read one."""

_OWN_ATTRIBUTES = ("id", "name", "type")


def read_tag_structure(text: str) -> TagStructure:
    """The tag structure that a text describes."""
    check_length(text)
    reader = _Reader(text)
    try:
        return TagStructure(reader.read())
    except SchemaError as error:
        error.with_text(text)
        raise


def tag_structure_text(structure: TagStructure) -> str:
    """The text that describes a tag structure, one tag a line."""
    lines = (
        f'<stream:structure xmlns:stream="{NAMESPACE}">',
        *_lines(structure.root, "  "),
        "</stream:structure>",
    )
    return "\n".join(lines) + "\n"


def _lines(tag: Tag, indent: str) -> Iterator[str]:
    own = (("type", tag.type.value), ("id", str(tag.id)), ("name", tag.name))
    written = "".join(f" {name}={quoteattr(value)}" for name, value in (*own, *tag.attributes))
    if not tag.children:
        yield f"{indent}<tag{written}/>"
        return
    yield f"{indent}<tag{written}>"
    for child in tag.children:
        yield from _lines(child, indent + "  ")
    yield f"{indent}</tag>"


@dataclass(slots=True)
class _Open:
    """A tag whose children are still being read."""

    id: int
    name: str
    type: TagType
    attributes: tuple[tuple[str, str], ...]
    children: list[Tag] = field(default_factory=list)

    def close(self) -> Tag:
        return Tag(self.id, self.name, self.type, tuple(self.children), self.attributes)


class _Reader:
    """The tags of one text; expat tells where each start tag begins, and asks for no namespaces."""

    def __init__(self, text: str) -> None:
        self._bytes = text.encode("utf-8", "replace")
        self._open: list[_Open] = []
        self._wrapped = False
        self._lines: dict[int, tuple[str, int]] = {}
        self._root: Tag | None = None
        self._parser = expat.ParserCreate("utf-8")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.EntityDeclHandler = self._entity

    def read(self) -> Tag:
        try:
            self._parser.Parse(self._bytes, True)
        except expat.ExpatError as error:
            offset = self._offset(self._parser.ErrorByteIndex)
            raise SchemaError(
                f"the tag structure cannot be read: {expat.ErrorString(error.code)}",
                span=Span(offset, offset + 1),
            ) from None
        if self._root is None:
            raise SchemaError(
                "the tag structure has no tag", help='begin with <tag type="snapshot"'
            )
        return self._root

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name in WRAPPERS and not self._open and not self._wrapped:
            self._wrapped = True
            return
        if name != "tag":
            raise self._error(
                f"<{name}> cannot stand in a tag structure",
                help=did_you_mean(name, ("tag", *WRAPPERS)),
            )
        if not self._open and self._root is not None:
            raise self._error(
                "a tag structure has one root tag", help=f"the first is {self._root.name}"
            )
        tag = self._tag(attributes)
        check_depth(len(self._open) + 1)
        check_elements(len(self._lines) + 1)
        self._lines[tag.id] = (tag.name, self._parser.CurrentLineNumber)
        self._open.append(tag)

    def _end(self, name: str) -> None:
        if name != "tag":
            return
        tag = self._open.pop().close()
        if self._open:
            self._open[-1].children.append(tag)
        else:
            self._root = tag

    def _text(self, text: str) -> None:
        if text.strip():
            raise self._error("text cannot stand in a tag structure")

    def _entity(self, *_: object) -> None:
        raise self._error("a tag structure declares no entities")

    def _tag(self, attributes: dict[str, str]) -> _Open:
        for needed in _OWN_ATTRIBUTES:
            if needed not in attributes:
                raise self._error(
                    f"the tag has no {needed}",
                    help='a tag is written <tag type="temporal" id="2" name="account"/>',
                )
        rest = tuple(
            (key, value) for key, value in attributes.items() if key not in _OWN_ATTRIBUTES
        )
        tag = _Open(
            self._id(attributes["id"], attributes["name"]),
            self._name(attributes["name"]),
            self._type(attributes["type"], attributes["name"]),
            rest,
        )
        if self._open and tag.name in {child.name for child in self._open[-1].children}:
            raise self._error(f"{self._open[-1].name} has two tags called {tag.name}")
        return tag

    def _id(self, text: str, name: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 19):
            raise self._error(
                f"tag {name} has the id '{text}'", "id", help="an id is a whole number, from 0"
            )
        id = int(text)
        if id in self._lines:
            first, line = self._lines[id]
            raise self._error(
                f"id {id} of tag {name} is taken",
                "id",
                help=f"tag {first} in line {line} has it; every tag has an id of its own",
            )
        return id

    def _name(self, text: str) -> str:
        prefix, _, local = text.rpartition(":")
        if not is_name(local) or (prefix and not is_name(prefix)):
            raise self._error(f"'{text}' is not the name of an element", "name")
        if text in RESERVED_NAMES:
            raise self._error(
                f"no element may be called {text}", "name", help="it is a word of the wire format"
            )
        return text

    def _type(self, text: str, name: str) -> TagType:
        known = [type.value for type in TagType]
        if text not in known:
            raise self._error(
                f"tag {name} has the unknown type '{text}'", "type", help=did_you_mean(text, known)
            )
        if text == TagType.EVENT.value and not self._open:
            raise self._error(f"the root {name} cannot be an event", "type")
        return TagType(text)

    def _error(self, message: str, attribute: str = "", *, help: str | None = None) -> SchemaError:
        line = self._parser.CurrentLineNumber
        return SchemaError(
            f"line {line}: {message}", code="tag-structure", span=self._span(attribute), help=help
        )

    def _span(self, attribute: str) -> Span:
        """Where the piece of text being read begins, or an attribute's name in it."""
        start = max(self._parser.CurrentByteIndex, 0)
        end = self._bytes.find(b">", start)
        end = end + 1 if end >= 0 else len(self._bytes)
        inside = self._bytes.find(f" {attribute}=".encode(), start, end) if attribute else -1
        if inside >= 0:
            start = inside + 1
            quote = self._bytes[start + len(attribute) + 1 : start + len(attribute) + 2]
            closing = self._bytes.find(quote, start + len(attribute) + 2, end)
            end = closing + 1 if closing >= 0 else end
        return Span(self._offset(start), self._offset(end))

    def _offset(self, position: int) -> int:
        """The character offset of a position in the encoded text."""
        return len(self._bytes[: max(position, 0)].decode("utf-8", "replace"))
