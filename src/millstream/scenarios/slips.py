"""Slips in the printed scenario of StreamGlobe, put right where a file repeats them.

Two stand in its queries. A path says `det-time`, where the schema says `det_time`. And one bound of
the region that three queries share is 138.8, where the others say 138.0, so that nothing could be
shared with it. (A third, `$w/photon/en` for `$w/en`, is accepted by the language itself.)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from millstream.model.schema import Element, Schema
from millstream.scenarios.scenario import ScenarioQuery

_HYPHENATED = re.compile(
    r"""(?P<other>"[^"]*"|'[^']*'|</?[\w.:-]+|\$[\w.-]+|(?<![\w.-])[\w.-]++\s*\()"""
    r"""|(?P<name>(?<![\w.-])[A-Za-z_][\w.]*(?:-[\w.]+)+)"""
)
"""A name with hyphens; or what may look like one and is none: text, a tag, a variable, a call."""

_REGION = (("ra", ">=", "120.0"), ("dec", ">=", "-49.0"), ("dec", "<=", "-40.0"))
_MEANT, _SLIPPED = "138.0", "138.8"


def corrected(
    queries: Sequence[ScenarioQuery], schemas: Iterable[Schema]
) -> tuple[tuple[ScenarioQuery, ...], tuple[str, ...]]:
    """The queries as they were meant, and a note on each slip."""
    names = {name for schema in schemas for name in _names(schema.item)}
    region_is_known = any(_has_region(each.text, _MEANT) for each in queries)
    notes: list[str] = []
    result = []
    for query in queries:
        text = _with_underscores(query, names, notes)
        if region_is_known and _has_region(text, _SLIPPED):
            text = re.sub(_bound("ra", "<=", _SLIPPED), _as_meant, text)
            notes.append(
                f"query {query.name}: {_SLIPPED} is read as {_MEANT}, as other queries say"
            )
        result.append(replace(query, text=text))
    return tuple(result), tuple(notes)


def _with_underscores(query: ScenarioQuery, names: set[str], notes: list[str]) -> str:
    slips: list[str] = []

    def put_right(match: re.Match[str]) -> str:
        name = match["name"]
        if name is None or name in names or (meant := name.replace("-", "_")) not in names:
            return match[0]
        slips.append(f"query {query.name}: {name} is read as {meant}, which the schema has")
        return meant

    text = _HYPHENATED.sub(put_right, query.text)
    notes += dict.fromkeys(slips)
    return text


def _has_region(text: str, east: str) -> bool:
    bounds = (*_REGION, ("ra", "<=", east))
    return all(re.search(_bound(*each), text) for each in bounds)


def _bound(axis: str, sign: str, value: str) -> str:
    return rf"coord/cel/{axis}\s*{sign}\s*{re.escape(value)}(?![\d.])"


def _as_meant(match: re.Match[str]) -> str:
    return match[0].replace(_SLIPPED, _MEANT)


def _names(element: Element) -> Iterator[str]:
    yield element.name
    for child in element.children:
        yield from _names(child)
