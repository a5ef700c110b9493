"""The ways down from some places to all elements of one name, as few as tell them apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from millstream.languages.xquery.translation.shape import Place
from millstream.languages.xquery.translation.structures import Structures
from millstream.model.tag_structure import Tag

MOST_ROUTES = 12
"""With more, every node is looked at instead."""


@dataclass(frozen=True, slots=True)
class Leg:
    """One step down: a name, and the tags of the holes that lie before it, if any do."""

    name: str
    tsids: frozenset[int] = frozenset()
    deep: bool = False
    """True if it may stand anywhere below; there are no holes on the way."""


Route = tuple[Leg, ...]


def routes(structures: Structures, sources: Iterable[Place], name: str) -> tuple[Route, ...]:
    """The routes from some places to the elements of a name below them."""
    merged: dict[tuple[tuple[str, bool, bool], ...], Route] = {}
    for source in sorted(sources, key=lambda place: (place.stream, place.tag or 0)):
        for route in _from(structures, source, name):
            key = tuple((leg.name, bool(leg.tsids), leg.deep) for leg in route)
            merged[key] = _joined(merged[key], route) if key in merged else route
    return tuple(merged.values())


def _from(structures: Structures, source: Place, name: str) -> Iterator[Route]:
    if not structures.has_holes(source):
        if any(line[-1].name == name for line in structures.below(source)):
            yield (Leg(name, deep=True),)
        return
    found: dict[Route, None] = {}
    for line in structures.below(source):
        if line[-1].name == name:
            found[_route(structures, source, line)] = None
    yield from found


def _route(structures: Structures, source: Place, line: tuple[Tag, ...]) -> Route:
    """The way along a line of tags; what lies below the last hole is not told apart."""
    legs: list[Leg] = []
    place = source
    for tag in line:
        if place is not source and not structures.has_holes(place):
            return (*legs, Leg(line[-1].name, deep=True))
        crossed = frozenset({tag.id}) if structures.crosses(place, tag) else frozenset[int]()
        legs.append(Leg(tag.name, crossed))
        place = Place(source.stream, tag.id)
    return tuple(legs)


def _joined(one: Route, other: Route) -> Route:
    return tuple(
        Leg(leg.name, leg.tsids | same.tsids, leg.deep)
        for leg, same in zip(one, other, strict=True)
    )
