"""Which tables of a stream can count for a query that is asked as a whole."""

from __future__ import annotations

from millstream.languages.xquery import parse, syntax
from millstream.languages.xquery.walk import walk
from millstream.model.tag_structure import TagStructure

_SOURCES = ("stream", "doc", "collection", "document")


def needed_tables(text: str, structure: TagStructure) -> set[int]:
    """The tags that a query names, all above them, and all that may stand in them.

    A query that goes down without names, or takes a stream as a whole, needs everything.
    """
    tables = {tag.id for tag in structure.tags.values() if tag.fragmented} | {structure.root.id}
    module = parse(text)
    names: set[str] = set()
    led: set[int] = set()
    for node in walk(module):
        match node:
            case syntax.Step(test, "child") if "(" not in test and test != "*":
                names.add(test)
            case syntax.Step(_, "attribute") | syntax.Step("text()", "child", _, False):
                pass
            case syntax.Step():
                return tables
            case syntax.Path(origin, steps) if steps:
                led.add(id(origin))
                if _end(steps) == structure.root.name:
                    return tables
    if any(_is_source(node) and id(node) not in led for node in walk(module)):
        return tables
    needed = {structure.root.id}
    for tag in structure.tags.values():
        if tag.name in names and tag is not structure.root:
            needed |= {each.id for each in (*structure.line(tag.id), *tag.walk())}
    return tables & needed


def _end(steps: tuple[syntax.PathStep, ...]) -> str | None:
    """The name of the element that a path leads to."""
    named = [each for each in steps if isinstance(each, syntax.Step) and each.axis == "child"]
    return next((each.test for each in reversed(named) if each.test != "text()"), None)


def _is_source(node: syntax.Node) -> bool:
    match node:
        case syntax.FunctionCall(name):
            return name.removeprefix("fn:") in _SOURCES
    return isinstance(node, syntax.Root)
