"""Where XML may be cut between items, without parsing it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from millstream.model.schema import Content, Element, Schema
from millstream.runtime.intake.boundaries import Cut, Flaw

# What may hold anything that looks like a tag; the last group is one that the window cuts off.
_SECTION = rb"""
    (?P<section> <!--.*?--> | <!\[CDATA\[.*?\]\]> | <\?.*?\?>
      | <!DOCTYPE [^\[>"']*+ (?: (?: "[^"]*+" | '[^']*+' ) [^\[>"']*+ )*+ (?: \[.*?\]\s* )? > )
  | (?P<cut_off> <!-- | <!\[CDATA\[ | <\? | <!DOCTYPE )
"""
# A '<' inside quotes is not XML: stopping there keeps a broken tag from swallowing its followers.
_REST_OF_TAG = rb"""[^<>"']*+ (?: (?: "[^"<]*+" | '[^'<]*+' ) [^<>"']*+ )*+"""
_FLAGS = re.DOTALL | re.VERBOSE
_SECTIONS = re.compile(_SECTION, _FLAGS)
_CLOSE_TAGS = re.compile(rb"</[^<>]*>")


def _one_of(names: Sequence[str]) -> bytes:
    return rb"(?:" + b"|".join(re.escape(each.encode()) for each in names) + rb")"


def nests(element: Element, name: str) -> bool:
    """True when an element of this name may stand inside the element."""
    if element.content is Content.RAW:
        return True
    return any(child.name == name or nests(child, name) for child in element.children)


class _Ends:
    """Where elements of some names end."""

    def __init__(self, names: Sequence[str]) -> None:
        name = _one_of(names)
        self._close_starts = tuple(b"</" + each.encode() for each in names)
        self._close = re.compile(rb"</" + name + rb"\s*>")
        self._empty = re.compile(rb"<" + name + rb"(?=[\s/])" + _REST_OF_TAG + rb"(?<=/)>", _FLAGS)

    def last(self, window: bytes) -> int:
        """Just after the last one of a window, or 0."""
        ranges = reversed(_outside_sections(window))
        return next((end for low, high in ranges if (end := self._last(window, low, high))), 0)

    def _last(self, window: bytes, low: int, high: int) -> int:
        at = high
        while (at := max(window.rfind(each, low, at) for each in self._close_starts)) >= 0:
            close = self._close.match(window, at, high)
            if close:
                return self._last_empty(window, close.end(), high) or close.end()
        return self._last_empty(window, low, high)

    def _last_empty(self, window: bytes, low: int, high: int) -> int:
        end = 0
        for empty in self._empty.finditer(window, low, high):
            end = empty.end()
        return end


class XmlBoundaries:
    """The items of an XML stream, told apart by the tags of the item element."""

    spans_files = True

    def __init__(self, schema: Schema, beside: tuple[str, ...] = ()) -> None:
        """Elements that may stand beside items are told apart like these."""
        kinds = (schema.item.name, *beside)
        name = _one_of(kinds)
        root = re.escape(schema.root.encode())
        self._item = schema.item.name
        self._nested = any(nests(schema.item, each) for each in kinds)
        # What stands before an item is about it: better to cut behind the last item.
        self._ends = tuple(map(_Ends, (kinds[:1], kinds) if beside else (kinds,)))
        self._open = re.compile(rb"<" + name + rb"(?=[\s/>])")
        self._tokens = re.compile(
            _SECTION + rb"| (?P<close> </" + name + rb"\s*> )"
            rb"| (?P<open> <" + name + rb"(?=[\s/>])" + _REST_OF_TAG + rb"> )",
            _FLAGS,
        )
        self._starts = re.compile(_SECTION + rb"| (?P<open> <" + name + rb"(?=[\s/>]) )", _FLAGS)
        self._edge = re.compile(rb"</" + name + rb"\s*>|<" + name + rb"(?=[\s/>])")
        self._document = re.compile(rb"\s*(?:<\?xml\s|<!DOCTYPE\s|<" + root + rb"[\s/>])")
        self._root_tags = re.compile(rb"</?" + root + rb"(?=[\s/>])" + _REST_OF_TAG + rb">", _FLAGS)
        self._root_end = re.compile(rb"</" + root + rb"\s*>")
        self._heads = (b"<?xml ", b"<!DOCTYPE ", b"<" + schema.root.encode() + b">")

    def cut(self, window: bytes, limit: int | None, final: bool) -> Cut:
        """The whole items of a window."""
        if self._nested or limit is not None:
            return self._counted(window, limit)
        return Cut(next((end for each in self._ends if (end := each.last(window))), 0))

    def _counted(self, window: bytes, limit: int | None) -> Cut:
        depth = end = items = 0
        for token in self._tokens.finditer(window):
            if token.lastgroup == "section":
                continue
            if token.lastgroup == "cut_off" or items == limit:
                break
            if token.lastgroup == "close":
                depth = max(depth - 1, 0)
            elif not token.group().endswith(b"/>"):
                depth = depth + 1 if self._nested else 1
            if depth == 0:
                end, items = token.end(), items + 1
        return Cut(end, items)

    def start(self, window: bytes) -> int:
        """Where the first item begins, or how much may be skipped when none does."""
        for token in self._starts.finditer(window):
            if token.lastgroup != "section":
                return token.start()
        return len(window) - len(_unfinished_tag(window))

    def resume(self, window: bytes, desperate: bool) -> tuple[int, bool]:
        """Reading goes on after the item's own end, or where another item starts."""
        for low, high in _outside_sections(window):
            if found := self._edge.search(window, low, high):
                return self._behind(found), True
        if high < len(window) and not desperate:
            return high, False
        if found := self._edge.search(window, high):
            return self._behind(found), True
        end = len(window) - len(_unfinished_tag(window))
        return end or (len(window) if desperate else 0), False

    def _behind(self, edge: re.Match[bytes]) -> int:
        """Where reading goes on: after the end of an item, at the start of one."""
        return edge.end() if edge.group().startswith(b"</") else edge.start()

    def flaw(self, rest: bytes, fruitful: bool) -> Flaw | None:
        """A truncated item, or a file without items."""
        for token in self._starts.finditer(rest):
            if token.lastgroup == "open":
                return Flaw(token.start(), "truncated", "truncated item")
            if token.lastgroup == "cut_off":
                return Flaw(token.start(), "truncated", "truncated comment, section or declaration")
        tag = _unfinished_tag(rest)
        if tag and (b"<" + self._item.encode()).startswith(tag):
            return Flaw(len(rest) - len(tag), "truncated", "truncated item")
        return self._barren(rest, fruitful)

    def _barren(self, rest: bytes, fruitful: bool) -> Flaw | None:
        if not fruitful and _CLOSE_TAGS.sub(b"", _without_sections(rest)).strip():
            return Flaw(0, "no items", f"no item '{self._item}' in this file")
        return None

    def idle(self, rest: bytes) -> bool:
        """True for white space, comments and tags of the root."""
        return not self._root_tags.sub(b"", _without_sections(rest)).strip()

    def begins_document(self, head: bytes) -> bool | None:
        """True for the start of a document of its own; None when it is too short to tell."""
        if self._document.match(head):
            return True
        bare = head.lstrip()
        if any(each.startswith(bare) for each in self._heads):
            return None
        return False

    def declaring_tag(self, head: bytes) -> str:
        """The start tag of the root, if it declares prefixes."""
        tag = self._root_tags.search(_without_sections(head)) if b"xmlns:" in head else None
        return tag.group().decode(errors="replace") if tag and b"xmlns:" in tag.group() else ""

    def breaks_item(self, rest: bytes, head: bytes) -> bool:
        """True when the head cannot go on inside what the rest leaves open."""
        if self._nested or not self._open.match(head):
            return False
        opened = bool(_unfinished_tag(rest))
        for token in self._starts.finditer(rest):
            if token.lastgroup == "cut_off":
                return False
            opened = opened or token.lastgroup == "open"
        return opened

    def closes_document(self, rest: bytes) -> bool:
        """True when the rest is the end of a document."""
        return self.idle(rest) and bool(self._root_end.search(_without_sections(rest)))


def _outside_sections(window: bytes) -> list[tuple[int, int]]:
    """The ranges of a window in which a tag is a tag."""
    # Finding one byte is a hundred times faster than matching, and most windows have neither.
    if b"!" not in window and b"?" not in window:
        return [(0, len(window))]
    return list(_between_sections(window))


def _between_sections(window: bytes) -> Iterator[tuple[int, int]]:
    low = 0
    for section in _SECTIONS.finditer(window):
        yield low, section.start()
        if section.lastgroup == "cut_off":
            return
        low = section.end()
    yield low, len(window)


def _without_sections(window: bytes) -> bytes:
    """A window without what may hold anything, except where that has no end."""
    ranges = _outside_sections(window)
    return b"".join([*(window[low:high] for low, high in ranges), window[ranges[-1][1] :]])


def _unfinished_tag(window: bytes) -> bytes:
    """The start of a tag that the window's end cuts off."""
    at = window.rfind(b"<")
    if at < 0 or b">" in window[at:]:
        return b""
    return window[at:]
