"""A scenario in TOML: a network, streams, queries and pools that queries are drawn from."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from millstream.errors import MillstreamError
from millstream.generators.photons import PHOTONS_DTD
from millstream.model.network import Network
from millstream.scenarios.scenario import (
    DEFAULT_RATE,
    STRATEGIES,
    FileSource,
    PhotonSource,
    Scenario,
    ScenarioQuery,
    ScenarioStream,
    Settings,
)
from millstream.scenarios.scenario_file import ScenarioFile
from millstream.scenarios.toml_network import read_network
from millstream.scenarios.toml_pool import drawn_queries
from millstream.scenarios.toml_table import Table, whole_file

_PLACE = re.compile(r"\s*\(at line (\d+), column (\d+)\)")


def read_toml(file: ScenarioFile) -> Scenario:
    """The scenario that a TOML file describes."""
    top = whole_file(file, _parsed(file))
    top.only("name", "description", "network", "settings", "stream", "query", "pool")
    network = read_network(top.table("network"))
    settings = _settings(top.table("settings"))
    streams = tuple(_stream(each, network) for each in _distinct(top.tables("stream")))
    if not streams:
        raise file.error("the scenario has no [[stream]]")
    queries = [_query(each, network) for each in _distinct(top.tables("query"))]
    for pool in top.tables("pool"):
        first = len(queries) + 1
        queries += drawn_queries(pool, network, streams, seed=settings.seed, first=first)
    try:
        return Scenario(
            name=top.text("name", file.path.stem),
            network=network,
            streams=streams,
            queries=tuple(queries),
            settings=settings,
            description=(top.maybe_text("description") or "").strip(),
        )
    except MillstreamError as error:
        raise file.error(error.message, help=error.help) from None


def _parsed(file: ScenarioFile) -> Mapping[str, Any]:
    try:
        return tomllib.loads(file.content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise file.error(f"the file is not UTF-8 text: {error.reason}") from None
    except tomllib.TOMLDecodeError as error:
        message = _PLACE.sub("", str(error))
        at = _PLACE.search(str(error))
        span = file.line(int(at[1]), int(at[2])) if at else None
        raise file.error(f"the file is not TOML: {message}", span=span) from None


def _distinct(tables: Iterator[Table]) -> Iterator[Table]:
    names: set[str] = set()
    for table in tables:
        name = table.text("name")
        if name in names:
            raise table.error(f"there is another {table.what}", "name")
        names.add(name)
        yield table


def _settings(table: Table) -> Settings:
    table.only("strategy", "gamma", "seed")
    strategy = table.text("strategy", STRATEGIES[0])
    table.known("strategy", "strategy", strategy, STRATEGIES)
    gamma = table.number("gamma", 0.5)
    if not 0 <= gamma <= 1:
        raise table.error(f"gamma is a weight from 0 to 1, not {gamma:g}", "gamma")
    return Settings(strategy, gamma, table.whole("seed", 0))


def _stream(table: Table, network: Network) -> ScenarioStream:
    table.only("name", "peer", "rate", "photons", "source", "schema", "item", "order_by")
    if ("photons" in table) == ("source" in table):
        raise table.error(
            f"{table.what} needs either photons or source",
            help='photons = { count = 10000 } makes some, source = "photons.xml" reads a file',
        )
    name, peer = table.text("name"), _placed(table, network)
    rate = table.number("rate", DEFAULT_RATE, above=0)
    if "photons" in table:
        return ScenarioStream(
            name, peer, _photons(table), schema=PHOTONS_DTD, order_by="det_time", rate=rate
        )
    return ScenarioStream(
        name,
        peer,
        FileSource(table.file.beside(table.text("source"), span=table.at("source"))),
        schema=_schema(table),
        item=table.maybe_text("item"),
        order_by=table.maybe_text("order_by"),
        rate=rate,
    )


def _photons(stream: Table) -> PhotonSource:
    for key in ("schema", "item", "order_by"):
        if key in stream:
            raise stream.error(f"{key} of {stream.what} is known: it makes photons", key)
    table = stream.table("photons").only("count", "seed", "per_second")
    return PhotonSource(
        table.whole("count", least=1),
        table.whole("seed", 0, least=0),
        table.number("per_second", 3.0, above=0),
    )


def _schema(table: Table) -> str | None:
    """The text of a schema, which stands in the file itself or in one beside it."""
    schema = table.maybe_text("schema")
    if schema is None or any(mark in schema for mark in "<{\n"):
        return schema
    return table.file.text_beside(schema, span=table.at("schema"))


def _query(table: Table, network: Network) -> ScenarioQuery:
    table.only("name", "peer", "text", "file")
    if ("text" in table) == ("file" in table):
        raise table.error(f"{table.what} needs either text or file")
    if "text" in table:
        text = table.text("text")
    else:
        text = table.file.text_beside(table.text("file"), span=table.at("file"))
    return ScenarioQuery(table.text("name"), text.strip(), _placed(table, network))


def _placed(table: Table, network: Network) -> str:
    """The super-peer that a stream or query is registered at."""
    try:
        return network.peer(table.text("peer")).name
    except MillstreamError as error:
        raise table.error(error.message, "peer", help=error.help) from None
