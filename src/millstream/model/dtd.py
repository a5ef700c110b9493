"""A document type definition, read as the schema of a stream."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from millstream.errors import SchemaError, Span, did_you_mean
from millstream.model.dtd_declarations import Declaration, parse_declarations
from millstream.model.dtd_text import DeclarationText, read_declaration_text
from millstream.model.limits import check_depth, check_elements
from millstream.model.schema import Content, Element, Occurs, Schema


def read_dtd(text: str, *, root: str | None = None, item: str | None = None) -> Schema:
    """The schema that a DTD declares; its types are all text.

    The root is the element that no other contains and the item is the root's only child, unless
    they are named.
    """
    try:
        source = read_declaration_text(text)
        declared = parse_declarations(source)
        document = _Document(source, declared)
        top = document.root(root, item)
        return Schema(top, document.expand(document.item(top, item)))
    except SchemaError as error:
        error.with_text(text)
        raise


def read_declared_root(text: str, root: str | None = None) -> tuple[str, Mapping[str, Declaration]]:
    """The root element of a DTD, named or found, and the declaration of each element."""
    try:
        source = read_declaration_text(text)
        declared = parse_declarations(source)
        return _Document(source, declared).root(root, None), declared
    except SchemaError as error:
        error.with_text(text)
        raise


@dataclass(slots=True)
class _Document:
    """The declarations of one DTD, while they are made into a tree."""

    source: DeclarationText
    declared: Mapping[str, Declaration]
    built: int = 0

    def root(self, given: str | None, item: str | None) -> str:
        if given is not None:
            return self._known(given)
        if self.source.doctype in self.declared:
            return str(self.source.doctype)
        tops = self._uncontained()
        if item is not None:
            tops = [top for top in tops if self._known(item) in (top, *self._reachable(top))]
        if len(tops) == 1:
            return tops[0]
        raise SchemaError(
            "which element is the root of the stream is not clear",
            help=f"pass root=… with one of: {', '.join(tops or self.declared)}",
        )

    def item(self, root: str, given: str | None) -> str:
        if given is not None:
            return self._known(given)
        mentions = self.declared[root].mentions
        if len(mentions) == 1:
            return self._known(mentions[0])
        count = f"{len(mentions)} different children" if mentions else "no children"
        raise SchemaError(
            f"root {root} has {count}, so its items are not clear",
            span=self._declaration_span(root),
            help=f"pass item=… with one of: {', '.join((root, *mentions))}",
        )

    def expand(self, item: str) -> Element:
        """The item with all that stands inside it."""
        # An item that contains itself is still taken apart, once: its copies inside stay text.
        return self._element(item, Occurs.ONE, depth=1, recursive=False)

    def _element(self, name: str, occurs: Occurs, *, depth: int, recursive: bool) -> Element:
        self.built += 1
        check_depth(depth)
        check_elements(self.built)
        declaration = self.declared[name]
        if recursive or declaration.content is Content.RAW:
            return Element(name, occurs, Content.RAW)
        children = tuple(
            self._element(child, often, depth=depth + 1, recursive=self._recursive(child, name))
            for child, often in declaration.children
        )
        return Element(name, occurs, declaration.content, children, declaration.attributes)

    def _recursive(self, name: str, parent: str) -> bool:
        if name not in self.declared:
            raise SchemaError(
                f"element {name}, a child of {parent}, is not declared",
                span=self._mention_span(name, parent),
                help=did_you_mean(name, self.declared),
            )
        return name in self._reachable(name)

    def _reachable(self, name: str) -> set[str]:
        reached: set[str] = set()
        waiting = [name]
        while waiting:
            declaration = self.declared.get(waiting.pop())
            fresh = set(declaration.mentions if declaration else ()) - reached
            reached |= fresh
            waiting.extend(fresh)
        return reached

    def _uncontained(self) -> list[str]:
        contained = {
            child
            for name, declaration in self.declared.items()
            for child in declaration.mentions
            if child != name
        }
        return [name for name in self.declared if name not in contained]

    def _known(self, name: str) -> str:
        if name not in self.declared:
            raise SchemaError(
                f"the DTD declares no element {name}", help=did_you_mean(name, self.declared)
            )
        return name

    def _declaration_span(self, name: str) -> Span | None:
        return self._find(rf"<!ELEMENT\s+({re.escape(name)})[\s>]")

    def _mention_span(self, name: str, parent: str) -> Span | None:
        return self._find(
            rf"<!ELEMENT\s+{re.escape(parent)}\s[^>]*?[\s(|,]({re.escape(name)})(?=[\s)|,?*+])"
        )

    def _find(self, pattern: str) -> Span | None:
        match = re.search(pattern, self.source.text) if self.source.exact else None
        return Span(*match.span(1)) if match else None
