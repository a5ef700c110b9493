"""A pool of queries in TOML: how many, on which streams, at which peers, by which templates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from millstream.errors import SchemaError
from millstream.model.network import Network
from millstream.scenarios.photon_pool import PHOTON_TEMPLATES, PHOTON_VALUES
from millstream.scenarios.pool import Choice, Pool
from millstream.scenarios.scenario import PhotonSource, ScenarioQuery, ScenarioStream
from millstream.scenarios.toml_table import Table

MOST_QUERIES = 100_000


def drawn_queries(
    table: Table, network: Network, streams: Sequence[ScenarioStream], *, seed: int, first: int
) -> tuple[ScenarioQuery, ...]:
    """The queries that a pool gives, numbered from the first on."""
    table.only("count", "seed", "prefix", "streams", "peers", "template", "values")
    count = table.whole("count", least=0)
    if count > MOST_QUERIES:
        raise table.error(f"a pool gives at most {MOST_QUERIES:,} queries", "count")
    pool = _pool(table, network, streams)
    prefix = table.text("prefix", "Q")
    return pool.draw(count, table.whole("seed", seed), prefix, first)


def _pool(table: Table, network: Network, streams: Sequence[ScenarioStream]) -> Pool:
    asked = _known(table, "streams", [each.name for each in streams])
    parts = {
        "templates": _templates(table, [each for each in streams if each.name in asked]),
        "values": dict(_values(table)),
        "streams": asked,
        "peers": _known(table, "peers", [each.name for each in network.peers]),
    }
    try:
        return Pool(**parts)  # type: ignore[arg-type]
    except SchemaError as error:
        raise table.error(error.message, help=error.help) from None


def _templates(table: Table, streams: Sequence[ScenarioStream]) -> tuple[str, ...]:
    if "template" in table:
        return tuple(
            each.only("name", "text").text("text").strip() for each in table.tables("template")
        )
    for stream in streams:
        if not isinstance(stream.source, PhotonSource):
            raise table.error(
                f"{table.what} needs [[pool.template]] for stream '{stream.name}'",
                help="without templates, a pool draws queries on made-up photons",
            )
    return PHOTON_TEMPLATES


def _values(table: Table) -> Iterator[tuple[str, tuple[Choice, ...]]]:
    if "template" not in table:
        yield from PHOTON_VALUES.items()
    values = table.table("values")
    for name, choices in values.content.items():
        if not isinstance(choices, list) or not all(map(_is_choice, choices)):
            raise values.error(
                f"the values of {name} must be a list of texts, numbers or tables of them", name
            )
        yield name, tuple(choices)


def _is_choice(value: object) -> bool:
    if isinstance(value, dict):
        return all(not isinstance(each, dict) and _is_choice(each) for each in value.values())
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _known(table: Table, key: str, known: Sequence[str]) -> tuple[str, ...]:
    names = table.texts(key, known)
    for name in names:
        table.known(key, key.removesuffix("s"), name, known)
    return names
