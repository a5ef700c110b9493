"""A stream of a scenario in XML: a file with a pause between items, or made-up photons."""

from __future__ import annotations

from collections.abc import Mapping

from millstream.errors import MillstreamError, did_you_mean
from millstream.generators.photons import PHOTONS_DTD
from millstream.model.reading import read_schema
from millstream.scenarios.scenario import DEFAULT_RATE, FileSource, PhotonSource, ScenarioStream
from millstream.scenarios.xml_node import Node

FILE_NAME, PORT, PAUSE = "stream.filename", "stream.server.port", "stream.sleep.time"
COUNT, SEED, ORDER = "stream.count", "stream.seed", "stream.order"
PARAMETERS = {"file": (FILE_NAME, PORT, PAUSE, ORDER), "photons": (COUNT, SEED, PAUSE)}
"""The kinds of stream, and what each is told; a port is accepted, and nobody listens there."""


def read_stream(node: Node, peer: str) -> ScenarioStream:
    """The stream that a <stream> describes."""
    kind, name = node.attribute("type"), node.attribute("sid")
    if kind not in PARAMETERS:
        raise node.error(
            f"there is no kind of stream '{kind}'", help=did_you_mean(kind, PARAMETERS)
        )
    parameters = _parameters(node, kind)
    rate = _rate(parameters)
    if kind == "photons":
        source = PhotonSource(_whole(node, parameters, COUNT), _whole(node, parameters, SEED, 0))
        schema = _schema(node) or PHOTONS_DTD
        return ScenarioStream(name, peer, source, schema, order_by="det_time", rate=rate)
    order = parameters[ORDER].text if ORDER in parameters else None
    return ScenarioStream(
        name, peer, _file(node, parameters), _schema(node), order_by=order, rate=rate
    )


def _parameters(node: Node, kind: str) -> Mapping[str, Node]:
    found: dict[str, Node] = {}
    for each in node.children("dtd", "param"):
        if each.name == "param":
            found[_known(each, PARAMETERS[kind])] = each
    return found


def _known(node: Node, names: tuple[str, ...]) -> str:
    name = node.attribute("name")
    if name not in names:
        raise node.error(f"there is no parameter '{name}'", help=did_you_mean(name, names))
    return name


def _file(node: Node, parameters: Mapping[str, Node]) -> FileSource:
    if FILE_NAME not in parameters:
        raise node.error(f"stream '{node.attribute('sid')}' has no {FILE_NAME}")
    given = parameters[FILE_NAME]
    return FileSource(node.file.beside(given.text, span=given.place))


def _schema(node: Node) -> str | None:
    """The text of the DTD that a stream names."""
    for each in node.children("dtd", "param"):
        if each.name == "dtd":
            text = node.file.text_beside(each.attribute("filename"), span=each.place)
            try:
                read_schema(text, stream=node.attribute("sid"))
            except MillstreamError as error:
                raise each.error(f"its schema is not usable: {error.message}", error.help) from None
            return text
    return None


def _rate(parameters: Mapping[str, Node]) -> float:
    """Items a second, from the pause in ms between two; without a pause, the usual rate."""
    if PAUSE not in parameters:
        return DEFAULT_RATE
    node = parameters[PAUSE]
    try:
        pause = float(node.text)
    except ValueError:
        pause = 0.0
    if not 0 < pause < float("inf"):
        raise node.error(f"{PAUSE} is a number of milliseconds above 0, not {node.text}")
    return 1000.0 / pause


def _whole(
    node: Node, parameters: Mapping[str, Node], name: str, default: int | None = None
) -> int:
    if name not in parameters:
        if default is None:
            raise node.error(f"stream '{node.attribute('sid')}' has no {name}")
        return default
    given = parameters[name]
    if not given.text.isdecimal():
        raise given.error(f"{name} is a whole number, not '{given.text}'")
    return int(given.text)
