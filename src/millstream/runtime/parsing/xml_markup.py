"""The tags and marks by which a slice of an XML stream is cut into items."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from millstream.model.schema import Content, Element, Schema

_NAME_ENDS = rb"(?=[ \t\r\n/>])"
_QUOTED = rb"""(?:"[^"<]*+"|'[^'<]*+')"""
# The rest of a tag: quoted values may hold '>', and no tag holds another's '<'.
_TAG_REST = rb"""[^<>"']*+(?:""" + _QUOTED + rb"""[^<>"']*+)*>"""

WHITE = b" \t\r\n"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
CLOSING_MARKS = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}
"""What hides tags, and the mark that ends it."""

WHITE_RUN = re.compile(rb"[ \t\r\n]*+")
_ANY_QUOTED = rb"""(?:"[^"]*+"|'[^']*+')"""
_DECLARED = rb"""[^<>"']*+(?:""" + _ANY_QUOTED + rb"""[^<>"']*+)*>"""
# Each part can end in one place only, so that a broken one is given up without trying others.
_SUBSET_PARTS = (
    rb"[^<\]]++",
    rb"<!--[^-]*+(?:-(?!->)[^-]*+)*-->",
    rb"<\?[^?]*+(?:\?(?!>)[^?]*+)*\?>",
    rb"<!(?:ELEMENT|ATTLIST|ENTITY|NOTATION)" + _DECLARED,
)
DOCTYPE = re.compile(
    rb"""<!DOCTYPE[ \t\r\n][^<>"'\[]*+(?:""" + _ANY_QUOTED + rb"""[^<>"'\[]*+)*"""
    rb"(?:\[(?:" + rb"|".join(_SUBSET_PARTS) + rb")*\][ \t\r\n]*+)?>"
)


@dataclass(frozen=True)
class Markup:
    """How the items and the root of a stream are written."""

    item: bytes
    root: bytes
    nests: bool
    """True when an item's name may stand inside the item."""

    @classmethod
    def of(cls, schema: Schema) -> Markup:
        """The markup of a schema's streams."""
        item = schema.item
        nests = item.content is Content.RAW or any(
            element.content is Content.RAW or element.name == item.name for element in _below(item)
        )
        return cls(item.name.encode(), schema.root.encode(), nests)

    @cached_property
    def item_start(self) -> re.Pattern[bytes]:
        """The beginning of an item's start tag."""
        return re.compile(rb"<" + re.escape(self.item) + _NAME_ENDS)

    @cached_property
    def item_tag(self) -> re.Pattern[bytes]:
        """A whole start tag of an item."""
        return re.compile(rb"<" + re.escape(self.item) + _NAME_ENDS + _TAG_REST)

    @cached_property
    def item_edge(self) -> re.Pattern[bytes]:
        """Where an item may begin or end, and the marks that may hide such a place."""
        item = re.escape(self.item)
        marks = rb"|".join(map(re.escape, CLOSING_MARKS))
        ends = rb"</" + item + rb"[ \t\r\n]*+>"
        return re.compile(marks + rb"|<" + item + _NAME_ENDS + rb"|" + ends)

    @cached_property
    def root_tag(self) -> re.Pattern[bytes]:
        """A whole start or end tag of the stream's root."""
        return re.compile(rb"</?" + re.escape(self.root) + _NAME_ENDS + _TAG_REST)

    @cached_property
    def text_edge(self) -> re.Pattern[bytes]:
        """Where a run of text between items may end."""
        names = re.escape(self.item) + rb"|/?" + re.escape(self.root)
        return re.compile(rb"<(?:!--|\?|!DOCTYPE|(?:" + names + rb")" + _NAME_ENDS + rb")")


def _below(element: Element) -> Iterator[Element]:
    for child in element.children:
        yield child
        yield from _below(child)
