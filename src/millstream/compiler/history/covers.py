"""Lifespans of elements that have none of their own: the smallest that cover their children's."""

from __future__ import annotations

from millstream.algebra.xcql.expressions import Place
from millstream.compiler.history.lifespans import OPEN_SQL, START_SQL, Lifespan
from millstream.compiler.history.navigation import Navigation
from millstream.compiler.history.sequences import Nodes, leaves
from millstream.compiler.history.sources import Asked
from millstream.compiler.history.spots import Spot
from millstream.compiler.history.untranslatable import Untranslatable

_ALWAYS = f"struct({START_SQL} AS b, {OPEN_SQL} AS e, false AS c)"


class Covers:
    """Tells when elements hold."""

    def __init__(self, navigation: Navigation) -> None:
        self.navigation = navigation
        self.statement = navigation.statement

    def lifespan(self, spot: Spot) -> Lifespan:
        """The lifespan of a node: its own, or that of what is in it."""
        if spot.has_own_lifespan or spot.has_no_lifespan:
            return spot.lifespan
        if spot.is_root:
            return self._of_root(spot)
        if spot.is_mixed:
            return self._of_either(spot)
        if any(map(spot.source.catalog.is_filler, spot.places)):
            raise Untranslatable("a root beside elements that have lifespans of their own")
        return _parts(self._cover(spot))

    def _of_either(self, spot: Spot) -> Lifespan:
        """Of those that are fillers' own, the fillers' lifespan."""
        row = spot.row if spot.window is None else spot.row.intersection(spot.window)
        cover = _parts(self._cover(spot))
        return _either(spot.column(Asked("filler")), row, cover)

    def _of_root(self, spot: Spot) -> Lifespan:
        """A root that was sent once was always there; versions of it have lifespans."""
        row = spot.row if spot.window is None else spot.row.intersection(spot.window)
        cover = _parts(self._cover(spot))
        return _either(spot.sent_again, row, cover)

    def _cover(self, spot: Spot) -> str:
        """A struct with the begin and end of all children together."""
        catalog = spot.source.catalog
        if any(catalog.is_below(one, other) for one in spot.places for other in spot.places):
            raise Untranslatable("lifespans of elements that stand inside each other")
        children = frozenset(
            Place(place.stream, child.id)
            for place in spot.places
            for child in spot.source.catalog.tag(place).children
        )
        found = leaves(self.navigation.step(spot, children)) if children else ()
        arrays = [self._lifespans(part) for part in found if isinstance(part, Nodes)]
        if not arrays:
            return _ALWAYS
        listed, each, other = (self.statement.fresh("n") for _ in range(3))
        end = f"array_max(transform({listed}, {other} -> {other}.e))"
        covering = (
            f"struct(array_min(transform({listed}, {each} -> {each}.b)) AS b, {end} AS e, "
            f"exists({listed}, {each} -> {each}.e = {end} AND {each}.c) AS c)"
        )
        together = arrays[0] if len(arrays) == 1 else f"concat({', '.join(arrays)})"
        chosen = f"if(size({listed}) = 0, {_ALWAYS}, {covering})"
        return f"get(transform(array({together}), {listed} -> {chosen}), 0)"

    def _lifespans(self, nodes: Nodes) -> str:
        if nodes.array is None:
            only = self._struct(nodes.spot)
            if nodes.present is None:
                return f"array({only})"
            return f"filter(array(if({nodes.present}, {only}, NULL)), x -> x IS NOT NULL)"
        name = self.statement.fresh("n")
        return f"transform({nodes.array}, {name} -> {self._struct(nodes.make(name))})"

    def _struct(self, spot: Spot) -> str:
        if not spot.has_own_lifespan and not spot.has_no_lifespan:
            return self._cover(spot)
        life = spot.lifespan
        return f"struct({life.begin} AS b, {life.end} AS e, {life.closed} AS c)"


def _either(own: str, row: Lifespan, cover: Lifespan) -> Lifespan:
    return Lifespan(
        f"if({own}, {row.begin}, {cover.begin})",
        f"if({own}, {row.end}, {cover.end})",
        f"if({own}, {row.closed}, {cover.closed})",
    )


def _parts(struct: str) -> Lifespan:
    return Lifespan(f"{struct}.b", f"{struct}.e", f"{struct}.c")
