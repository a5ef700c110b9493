"""Going through a syntax tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from millstream.languages.xquery import syntax


def parts(node: syntax.Node) -> Iterator[syntax.Node]:
    """The nodes directly inside another."""
    for each in fields(node):
        value = getattr(node, each.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, syntax.Node):
                yield part


def walk(node: syntax.Node) -> Iterator[syntax.Node]:
    """A node and everything inside it."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += parts(each)
