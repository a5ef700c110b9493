"""A scenario in the XML of StreamGlobe: a graph, streams, queries, and who is where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from millstream.errors import did_you_mean
from millstream.model.network import Link, Network, Peer
from millstream.model.reading import read_schema
from millstream.scenarios.scenario import Scenario, ScenarioQuery, ScenarioStream
from millstream.scenarios.scenario_file import ScenarioFile
from millstream.scenarios.slips import corrected
from millstream.scenarios.xml_node import Node, root_node
from millstream.scenarios.xml_stream import read_stream

PARTS = ("graph", "streams", "queries", "injectorMapping", "queryMapping")
STATISTICS = "statistix"
"""Where the other system keeps its measurements; ours has its own place for them."""


def read_xml(file: ScenarioFile) -> Scenario:
    """The scenario that an XML file describes; the slips of the printed one are put right."""
    root = root_node(file)
    graph, streams, queries, injectors, subscribers = (
        root.child(name, STATISTICS, *PARTS) for name in PARTS
    )
    network = _network(graph)
    given = _streams(streams, _places(injectors, "stream", network))
    asked, notes = corrected(
        _queries(queries, _places(subscribers, "query", network)),
        [read_schema(each.schema, stream=each.name) for each in given if each.schema],
    )
    ordered = tuple(_ordered(each, asked) for each in given)
    return Scenario(root.element.get("name", file.path.stem), network, ordered, asked, notes=notes)


def _network(graph: Node) -> Network:
    """The vertices by their numbers, which decide between equal paths, and the edges."""
    numbers: set[int] = set()
    links: dict[frozenset[int], Link] = {}
    for each in graph.children("vertex", "edge"):
        if each.name == "vertex":
            numbers.add(_new_number(each, numbers))
    for each in graph.children("vertex", "edge"):
        if each.name == "edge":
            source, target = _end(each, "source", numbers), _end(each, "target", numbers)
            if source == target or frozenset((source, target)) in links:
                raise each.error(f"an edge leads from {source} to {target} in vain")
            links[frozenset((source, target))] = Link(_peer(source), _peer(target))
    if not numbers:
        raise graph.error("<graph> has no <vertex>")
    return Network(tuple(Peer(_peer(each)) for each in sorted(numbers)), tuple(links.values()))


def _peer(number: int) -> str:
    return f"SP{number}"


def _new_number(node: Node, taken: set[int]) -> int:
    given = node.attribute("vid")
    if not given.isdecimal():
        raise node.error(f"the vid of a vertex is a whole number, not '{given}'")
    if int(given) in taken:
        raise node.error(f"there is another vertex {given}")
    return int(given)


def _end(node: Node, name: str, numbers: set[int]) -> int:
    given = node.attribute(name)
    if not given.isdecimal() or int(given) not in numbers:
        known = [str(each) for each in sorted(numbers)]
        raise node.error(f"there is no vertex {given}", help=did_you_mean(given, known))
    return int(given)


Places = Mapping[str, tuple[str, Node]]
"""The super-peer of each stream or query, and where the file says so."""


def _places(mapping: Node, what: str, network: Network) -> Places:
    numbers = {int(each.name.removeprefix("SP")) for each in network.peers}
    places: dict[str, tuple[str, Node]] = {}
    for each in mapping.children("mapping"):
        name = each.attribute(what)
        if name in places:
            raise each.error(f"{what} '{name}' is mapped twice")
        places[name] = (_peer(_end(each, "peer", numbers)), each)
    return places


def _streams(streams: Node, places: Places) -> tuple[ScenarioStream, ...]:
    nodes = [each for each in streams.children("stream", "kindDefinition") if each.name == "stream"]
    if not nodes:
        raise streams.error("<streams> has no <stream>")
    return tuple(read_stream(node, peer) for node, peer in _placed(nodes, "sid", "stream", places))


def _queries(queries: Node, places: Places) -> tuple[ScenarioQuery, ...]:
    nodes = list(queries.children("query"))
    return tuple(
        ScenarioQuery(node.attribute("qid"), node.text, peer)
        for node, peer in _placed(nodes, "qid", "query", places)
    )


def _placed(
    nodes: Sequence[Node], key: str, what: str, places: Places
) -> Iterator[tuple[Node, str]]:
    """Each stream or query with its super-peer: every one has a place, and every place has one."""
    names: set[str] = set()
    for node in nodes:
        name = node.attribute(key)
        if name in names:
            raise node.error(f"there is another {what} '{name}'")
        if name not in places:
            raise node.error(f"{what} '{name}' is mapped to no peer")
        names.add(name)
        yield node, places[name][0]
    for name, (_, node) in places.items():
        if name not in names:
            raise node.error(f"there is no {what} '{name}'", help=did_you_mean(name, names))


_WINDOW = re.compile(r"\|\s*([\w./-]+)\s+diff\s")


def _ordered(stream: ScenarioStream, queries: Sequence[ScenarioQuery]) -> ScenarioStream:
    """The stream with the order that time windows on it rely on, unless the file says one."""
    reads = re.compile(rf"""stream\(\s*["']{re.escape(stream.name)}["']\s*\)""")
    orders = {
        order for each in queries if reads.search(each.text) for order in _WINDOW.findall(each.text)
    }
    if stream.order_by is not None or len(orders) != 1:
        return stream
    return replace(stream, order_by=orders.pop())
