"""Steps from nodes to those below: inside their rows, and through holes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from millstream.algebra.xcql.expressions import Place, Places
from millstream.compiler.history.catalog import Catalog
from millstream.compiler.history.sequences import Chain, Nodes, Sequence, when
from millstream.compiler.history.sources import Asked
from millstream.compiler.history.spots import Spot
from millstream.compiler.history.statement import Statement
from millstream.compiler.history.untranslatable import Untranslatable
from millstream.model.schema import Path
from millstream.model.tag_structure import TagType


class Navigation:
    """Goes down from nodes."""

    def __init__(self, catalog: Catalog, statement: Statement) -> None:
        self.catalog = catalog
        self.statement = statement

    def step(self, spot: Spot, targets: Places) -> Sequence:
        """The nodes of some places below a node, in document order if they are of one part."""
        inline, beyond = self._split(spot, targets)
        parts: list[Sequence] = [
            self._inline(spot, path, frozenset(places)) for path, places in inline.items()
        ]
        if beyond:
            parts.append(self._through_holes(spot, frozenset(beyond)))
        return parts[0] if len(parts) == 1 else Chain(tuple(parts), ordered=not parts)

    def _split(self, spot: Spot, targets: Places) -> tuple[dict[Path, set[Place]], set[Place]]:
        """Those that stand in the same row, by their paths from the node, and the others."""
        inline: dict[Path, set[Place]] = {}
        beyond: set[Place] = set()
        for target in targets:
            table, path = self.catalog.table(target)
            for place in spot.places:
                above, start = self.catalog.table(place)
                if place.stream != target.stream or not self._is_below(target, place):
                    continue
                if table == above:
                    inline.setdefault(path[len(start) :], set()).add(target)
                else:
                    beyond.add(target)
        return inline, beyond

    def _is_below(self, target: Place, place: Place) -> bool:
        line = self.catalog.streams[target.stream].structure.line(target.tag or 0)
        return any(tag.id == place.tag for tag in line[:-1])

    def _inline(self, spot: Spot, path: Path, places: Places) -> Nodes:
        whole = (*spot.path, *path)
        begins = spot.column(Asked("from", whole))

        def key(index: str) -> str:
            return f"array(CAST(get({begins}, {index}) AS BIGINT))"

        if not spot.is_one_of_many and spot.source.is_single(whole):
            found = replace(spot, places=places, path=whole, index="0")
            only = Nodes.one(found, f"size({begins}) > 0")
            return replace(only, key=lambda _: key("0"))
        numbers = f"transform({begins}, (f, k) -> k)"
        if spot.is_one_of_many:
            first, end = spot.value("from"), spot.value("to")
            numbers = (
                f"filter({numbers}, k -> get({begins}, k) >= {first} AND get({begins}, k) < {end})"
            )
        return Nodes(lambda k: replace(spot, places=places, path=whole, index=k), numbers, key=key)

    def _through_holes(self, spot: Spot, targets: Places) -> Nodes:
        self._check_windows(spot, targets)
        child = spot.source.child(targets)
        array = spot.column(Asked("holes", targets=targets))
        if spot.is_one_of_many:
            first, end = spot.value("from"), spot.value("to")
            array = f"filter({array}, n -> get(n.o, 0) >= {first} AND get(n.o, 0) < {end})"
        window = spot.window

        def make(element: str) -> Spot:
            return Spot(child, f"{element}.", targets, window=window)

        if window is not None:
            kept = self.statement.fresh("n")
            array = f"filter({array}, {kept} -> {make(kept).row.meets(window)})"
        return Nodes(make, array, contained=True, key=lambda element: f"{element}.o")

    def _check_windows(self, spot: Spot, targets: Places) -> None:
        """A window leaves out what is in versions that it does not meet: one hole at a time."""
        if spot.window is None:
            return
        tables = self.catalog.streams[spot.source.stream].views
        for target in targets:
            line = self.catalog.streams[target.stream].structure.line(target.tag or 0)
            own = {self.catalog.table(place)[0] for place in spot.places}
            ids = [tag.id for tag in line if tag.id in tables]
            crossed = len(ids) - 1 - max(ids.index(each) for each in own if each in ids)
            if crossed > 1:
                raise Untranslatable("a step through several holes within a window")

    def each(self, nodes: Nodes, go: Callable[[Spot], Sequence]) -> Sequence:
        """What is found from each of some nodes, one after the other, each node once."""
        if nodes.array is None:
            return _if_present(nodes, go(nodes.spot))
        variable = self.statement.fresh("n")
        found = go(nodes.make(variable))
        if isinstance(found, Chain):
            if not found.parts:
                return found
            parts = tuple(
                self.each(nodes, lambda spot, k=number: _part(go(spot), k))  # type: ignore[misc]
                for number in range(len(found.parts))
            )
            return Chain(parts, ordered=False)
        assert isinstance(found, Nodes), "steps lead to nodes"
        if found.array is None:
            kept = nodes.array
            if found.present is not None:
                kept = f"filter({kept}, {variable} -> {found.present})"
            return Nodes(
                lambda name: _only(go(nodes.make(name))).spot, kept, contained=nodes.contained
            )
        if found.contained and not _names(found, variable):
            array = f"flatten(transform({nodes.array}, {variable} -> {found.array}))"
            return Nodes(found.make, self._once(nodes, array, found), contained=True)
        return self._paired(nodes, go, variable, found)

    def _paired(
        self, nodes: Nodes, go: Callable[[Spot], Sequence], variable: str, found: Nodes
    ) -> Nodes:
        """Nodes that need what they were reached through: pairs of both."""
        inner = self.statement.fresh("n")
        pairs = f"transform({found.array}, {inner} -> struct({variable} AS a, {inner} AS b))"
        array = f"flatten(transform({nodes.array}, {variable} -> {pairs}))"
        if found.contained and self._may_repeat(nodes):
            raise Untranslatable("what several versions share, within windows of their own")
        return Nodes(
            lambda name: _only(go(nodes.make(f"{name}.a"))).make(f"{name}.b"), array, contained=True
        )

    def _once(self, nodes: Nodes, array: str, found: Nodes) -> str:
        """Each node once, where versions of what it is in may share it."""
        if not self._may_repeat(nodes):
            return array
        all_, one, other = (self.statement.fresh("n") for _ in range(3))
        keys = [
            f"{found.make(one).column(Asked(kind))} = {found.make(other).column(Asked(kind))}"
            for kind in ("id", "version", "table")
        ]
        begins = [f"{found.make(each).value('from')}" for each in (one, other)]
        same = " AND ".join([*keys, f"{begins[0]} = {begins[1]}"])
        kept = f"filter({all_}, ({one}, i) -> NOT exists(slice({all_}, 1, i), {other} -> {same}))"
        return f"get(transform(array({array}), {all_} -> {kept}), 0)"

    def _may_repeat(self, nodes: Nodes) -> bool:
        """True if there may be several versions of one element among some nodes."""
        spot = nodes.make("n")
        if spot.window is not None and spot.window.is_instant:
            return False
        types = (
            spot.source.tables.structure.tag(self.catalog.table(place)[0]).type
            for place in spot.places
        )
        return any(type is not TagType.EVENT for type in types)


def _if_present(nodes: Nodes, found: Sequence) -> Sequence:
    """What is found from a node that may be absent: then there is nothing."""
    return when(nodes.present, found) if nodes.guarded and nodes.present else found


def _only(found: Sequence) -> Nodes:
    assert isinstance(found, Nodes), "the same step leads to the same"
    return found


def _part(found: Sequence, number: int) -> Sequence:
    assert isinstance(found, Chain), "the same step leads to the same"
    return found.parts[number]


def _names(found: Nodes, variable: str) -> bool:
    """True if the spots of some nodes name a variable."""
    window = found.make("n").window
    return window is not None and bool(re.search(rf"\b{variable}\b", str(window)))
