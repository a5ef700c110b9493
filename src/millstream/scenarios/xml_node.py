"""An element of a scenario in XML that knows its line, so that errors can point at it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from millstream.errors import SchemaError, Span, did_you_mean
from millstream.scenarios.scenario_file import ScenarioFile

_POSITION = re.compile(r", line \d+, column \d+")
NAMESPACE = "http://www.in.tum.de/projects/StreamGlobe/scenario"


@dataclass(frozen=True, slots=True)
class Node:
    """An element of the scenario's namespace, or of none."""

    file: ScenarioFile
    element: etree._Element

    @property
    def name(self) -> str:
        return etree.QName(self.element).localname

    @property
    def text(self) -> str:
        """The text inside, which must not be empty, nor have markup of its own."""
        if len(self.element):
            raise self.error(f"<{self.name}> holds more than text", help="write <![CDATA[ … ]]>")
        text = (self.element.text or "").strip()
        if not text:
            raise self.error(f"<{self.name}> is empty")
        return text

    @property
    def place(self) -> Span | None:
        line: int | None = self.element.sourceline  # type: ignore[assignment]
        return None if line is None else self.file.line(line)

    def attribute(self, name: str) -> str:
        value = self.element.get(name, "").strip()
        if not value:
            raise self.error(f"<{self.name}> has no {name}")
        return value

    def children(self, *known: str) -> Iterator[Node]:
        """The elements inside, all of which must have known names."""
        for element in self.element.iterchildren(etree.Element):
            node = Node(self.file, element)
            if node.name not in known or etree.QName(element).namespace not in (None, NAMESPACE):
                raise node.error(
                    f"<{node.name}> has no place in <{self.name}>",
                    help=did_you_mean(node.name, known),
                )
            yield node

    def child(self, name: str, *known: str) -> Node:
        """The one element of a name inside."""
        found = [each for each in self.children(name, *known) if each.name == name]
        if len(found) != 1:
            count = "no" if not found else "more than one"
            raise self.error(f"<{self.name}> has {count} <{name}>")
        return found[0]

    def error(self, message: str, help: str | None = None) -> SchemaError:
        return self.file.error(message, span=self.place, help=help)


def root_node(file: ScenarioFile) -> Node:
    """The <scenario> of a file."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        root = Node(file, etree.fromstring(file.content, parser))
    except etree.XMLSyntaxError as error:
        line, column = error.position
        message = _POSITION.sub("", error.msg or "it is empty")
        raise file.error(
            f"the file is not well-formed XML: {message}", span=file.line(line, max(1, column))
        ) from None
    if root.name != "scenario" or etree.QName(root.element).namespace not in (None, NAMESPACE):
        raise root.error(
            f"the root is <{root.name}>", help=f'expected <scenario xmlns="{NAMESPACE}">'
        )
    return root
