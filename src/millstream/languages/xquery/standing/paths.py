"""Paths of a query: where they lead, and which fillers are read on the way."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from millstream.algebra.standing import TimeWindow
from millstream.languages.xquery import syntax
from millstream.languages.xquery.standing.gathered import (
    NONE,
    EntryTree,
    Gathered,
    NotLocal,
    Spot,
    Spots,
    bound,
)
from millstream.languages.xquery.standing.scope import Scope
from millstream.languages.xquery.translation.positions import may_count
from millstream.languages.xquery.translation.starts import is_by_name
from millstream.model.tag_structure import Tag, TagStructure, TagType

_VIEW_ATTRIBUTES = ("vtFrom", "vtTo")


class PathAnalysis(ABC):
    """Goes along paths."""

    def __init__(self, structures: Mapping[str, TagStructure]) -> None:
        self._structures = structures
        self.gathered = Gathered()

    @abstractmethod
    def spots(self, node: syntax.Node, scope: Scope) -> Spots:
        """Where the nodes of an expression are; what it reads is noted on the way."""

    def whole(self, spots: Spots) -> None:
        """Note that all that is in some nodes is read."""
        for spot in spots:
            if spot.entry is None or spot.tag is None:
                raise NotLocal("the root of a stream is read itself")
            spot.entry.cross_all(spot.tag)

    def document(self, name: str | None) -> Spots:
        """A stream itself; without a name, the only one."""
        stream = next(iter(self._structures)) if name is None else name
        return frozenset({Spot(stream, None)})

    def lifespans(self, spots: Spots) -> None:
        """Note that it is asked when some nodes begin and end."""
        for spot in spots:
            if spot.clipped and spot.tag is not None and spot.tag.type is not TagType.EVENT:
                raise NotLocal("it asks when something ends that now cuts off")
            if spot.tag is None or not spot.tag.fragmented:
                self.whole(frozenset({spot}))

    def path(self, path: syntax.Path, scope: Scope, window: TimeWindow | None) -> Spots:
        """Where a path leads; a window is what is left of the fillers at its end."""
        spots = scope.context if path.origin is None else self.spots(path.origin, scope)
        if any(may_count(step.predicates) for step in path.steps):
            window = None
        steps = path.steps
        if spots and all(spot.tag is None for spot in spots):
            if len(spots) > 1:
                raise NotLocal("one path goes through several streams")
            spots, steps = self._entered(next(iter(spots)).stream, steps)
            spots = self.filtered(spots, path.steps[-len(steps) - 1].predicates, scope)
        for step in steps:
            last = window if step is path.steps[-1] else None
            if isinstance(step, syntax.ExpressionStep):
                spots = self.spots(step.expression, scope.inside(spots))
            else:
                spots = NONE.union(*(self._step(each, step, last) for each in spots))
            spots = self.filtered(spots, step.predicates, scope)
        return spots

    def _entered(
        self, stream: str, steps: tuple[syntax.PathStep, ...]
    ) -> tuple[Spots, tuple[syntax.PathStep, ...]]:
        """Where a path goes by names alone, and the steps that are left.

        What lies above is not read, so the fillers that it leads to are the anchors.
        """
        tags: list[Tag] | None = None
        for number, step in enumerate(steps):
            if not isinstance(step, syntax.Step) or not is_by_name(step):
                steps = steps[number:]
                break
            above = [Spot(stream, tag) for tag in ([None] if tags is None else tags)]
            tags = list(dict.fromkeys(tag for spot in above for tag in self._below(spot, step)))
            if step.predicates:
                steps = steps[number + 1 :]
                break
        else:
            steps = ()
        if tags is None:
            raise NotLocal("the root of a stream is read itself")
        entered: dict[int, EntryTree] = {}
        return frozenset(self._anchored(stream, tag, entered) for tag in tags), steps

    def _anchored(self, stream: str, tag: Tag, entered: dict[int, EntryTree]) -> Spot:
        structure = self._structures[stream]
        line = structure.line(tag.id)[1:]
        anchor = next((each for each in reversed(line) if each.fragmented), None)
        if anchor is None:
            return Spot(stream, tag)
        if anchor.id not in entered:
            entered[anchor.id] = self.gathered.enter(stream, structure, anchor)
        return Spot(stream, tag, entered[anchor.id])

    def _step(
        self,
        spot: Spot,
        step: syntax.Step,
        window: TimeWindow | None,
    ) -> Spots:
        if step.axis == "attribute":
            if spot.entry is None:
                raise NotLocal("the root of a stream is read itself")
            if step.test in _VIEW_ATTRIBUTES or step.deep:
                self.lifespans(frozenset({spot}))
                self.whole(frozenset({spot}))
            return NONE
        if step.axis == "self":
            return frozenset({spot})
        if step.axis != "child":
            raise NotLocal(f"it goes along the axis {step.axis}")
        if "(" in step.test:
            if step.test != "text()" or step.deep or spot.entry is None:
                self.whole(frozenset({spot}))
            if step.test == "text()":
                return NONE
        tags = self._below(spot, step)
        return frozenset(_reached(spot, tag, window) for tag in tags)

    def _below(self, spot: Spot, step: syntax.Step) -> list[Tag]:
        if spot.tag is None:
            root = self._structures[spot.stream].root
            tags = list(root.walk()) if step.deep else [root]
        elif step.deep:
            tags = [tag for tag in spot.tag.walk() if tag is not spot.tag]
        else:
            tags = list(spot.tag.children)
        every = step.test == "*" or "(" in step.test
        return [tag for tag in tags if every or tag.name == step.test]

    def filtered(
        self, spots: Spots, predicates: tuple[syntax.Expression, ...], scope: Scope
    ) -> Spots:
        """The spots of what predicates keep."""
        if predicates and may_count(predicates) and not all(spot.bound for spot in spots):
            raise NotLocal("it counts the elements of a whole stream")
        if predicates and any(spot.entry is None for spot in spots):
            raise NotLocal("the root of a stream is read itself")
        for predicate in predicates:
            self.spots(predicate, scope.inside(bound(spots)))
        return spots


def _reached(spot: Spot, tag: Tag, window: TimeWindow | None) -> Spot:
    """A tag below a spot; its fillers are read if it has some."""
    entry = spot.entry
    if entry is None or spot.tag is None:
        raise NotLocal("the root of a stream is read itself")
    entry.cross(spot.tag, tag, window)
    return Spot(spot.stream, tag, entry, spot.bound, spot.clipped)
