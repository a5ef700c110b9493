"""Goes through a query to find what its bindings depend on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from millstream.algebra.standing import Link, TimeWindow
from millstream.languages.xquery import syntax
from millstream.languages.xquery.operations import ALLEN, COMPARISONS
from millstream.languages.xquery.standing.gathered import (
    NONE,
    EntryTree,
    Gathered,
    NotLocal,
    Spot,
    Spots,
    bound,
)
from millstream.languages.xquery.standing.times import (
    Moment,
    length_of,
    moment_of,
    time_constant,
)
from millstream.languages.xquery.translation.paths import SOURCES
from millstream.languages.xquery.translation.positions import may_count
from millstream.languages.xquery.translation.starts import is_by_name
from millstream.languages.xquery.walk import parts, walk
from millstream.model.tag_structure import Tag, TagStructure, TagType

_COUNTING = ("count", "exists", "empty", "not", "boolean")
_LIFESPAN_ENDS = ("vtFrom", "vtTo")
_VIEW_ATTRIBUTES = ("vtFrom", "vtTo")


@dataclass(frozen=True, slots=True)
class _Scope:
    """What variables hold, and what the context is."""

    variables: Mapping[str, Spots]
    later: Mapping[str, tuple[syntax.Expression, _Scope]]
    """Variables that hold many nodes: each use of one is a path of its own."""
    context: Spots = NONE

    def bind(self, name: str, spots: Spots) -> _Scope:
        later = {key: value for key, value in self.later.items() if key != name}
        return _Scope({**self.variables, name: spots}, later, self.context)

    def postpone(self, name: str, value: syntax.Expression) -> _Scope:
        variables = {key: each for key, each in self.variables.items() if key != name}
        return _Scope(variables, {**self.later, name: (value, self)}, self.context)

    def inside(self, context: Spots) -> _Scope:
        return _Scope(self.variables, self.later, context)


class Analysis:
    """One walk through a query; raises NotLocal where bindings cannot be told apart."""

    def __init__(self, structures: Mapping[str, TagStructure]) -> None:
        self._structures = structures
        self.gathered = Gathered()

    def query(self, flwor: syntax.Flwor) -> Gathered:
        """What the loops of a query, the outermost, depend on."""
        scope = _Scope({}, {})
        for clause in flwor.clauses:
            scope = self._clause(clause, scope, binds=True)
        self._rest(flwor, scope)
        self._whole(self._spots(flwor.result, scope))
        self.gathered.check()
        return self.gathered

    def _clause(self, clause: syntax.For | syntax.Let, scope: _Scope, *, binds: bool) -> _Scope:
        if isinstance(clause, syntax.Let):
            spots = self._value(clause.value, scope)
            return (
                scope.postpone(clause.variable, clause.value)
                if spots is None
                else scope.bind(clause.variable, spots)
            )
        if clause.position is not None or clause.window is not None:
            raise NotLocal("a loop counts what it goes through")
        spots = self._spots(clause.source, scope)
        for spot in spots:
            if spot.entry is not None and binds:
                spot.entry.binds = True
        return scope.bind(clause.variable, bound(spots))

    def _value(self, value: syntax.Expression, scope: _Scope) -> Spots | None:
        """What a variable with a value holds; None if that is a path from a stream."""
        before = len(self.gathered.entries), len(self.gathered.links)
        spots = self._spots(value, scope)
        if all(spot.bound for spot in spots):
            return spots
        del self.gathered.entries[before[0] :], self.gathered.links[before[1] :]
        return None

    def _rest(self, flwor: syntax.Flwor, scope: _Scope) -> None:
        if flwor.where is not None:
            self._spots(flwor.where, scope)
        for key in flwor.order:
            self._whole(self._spots(key.key, scope))

    # Expressions.

    def _spots(self, node: syntax.Node, scope: _Scope) -> Spots:
        """Where the nodes of an expression are; what it reads is noted on the way."""
        match node:
            case syntax.VariableReference(name) if name in scope.later:
                value, around = scope.later[name]
                return self._spots(value, around)
            case syntax.VariableReference(name):
                return scope.variables.get(name, NONE)
            case syntax.ContextItem():
                return scope.context
            case syntax.Root():
                return self._document(None)
            case syntax.FunctionCall():
                return self._call(node, scope)
            case syntax.Path():
                time = time_constant(node, scope.context)
                return self._path(node, scope, None) if time is node else self._spots(time, scope)
            case syntax.Filter(base, predicates):
                return self._filtered(self._spots(base, scope), predicates, scope)
            case syntax.IntervalProjection():
                return self._projected(node, scope)
            case syntax.VersionProjection(base):
                return self._versions(node, self._spots(base, scope), scope)
            case syntax.Interval(begin, end):
                self._window(begin, end, scope)
                return NONE
            case syntax.TimeWord("now"):
                raise NotLocal("now is more than a bound in time")
        return self._compound(node, scope)

    def _compound(self, node: syntax.Node, scope: _Scope) -> Spots:
        match node:
            case syntax.Binary(operator, left, right):
                return self._binary(operator, left, right, scope)
            case syntax.Logical(_, operands):
                return self._all(operands, scope, nothing=True)
            case syntax.If(condition, then, otherwise):
                self._spots(condition, scope)
                return self._spots(then, scope) | self._spots(otherwise, scope)
            case syntax.Sequence(items):
                return self._all(items, scope)
            case syntax.Flwor():
                return self._nested(node, scope)
            case syntax.Quantified():
                return self._quantified(node, scope)
        # Constructors, signs and literals: all that is in them is read as a whole.
        for part in parts(node):
            self._whole(self._spots(part, scope))
        return NONE

    def _all(
        self, nodes: Iterable[syntax.Expression], scope: _Scope, *, nothing: bool = False
    ) -> Spots:
        found = [self._spots(each, scope) for each in nodes]
        return NONE if nothing else NONE.union(*found)

    def _whole(self, spots: Spots) -> None:
        """Note that all that is in some nodes is read."""
        for spot in spots:
            if spot.entry is None or spot.tag is None:
                raise NotLocal("the root of a stream is read itself")
            spot.entry.cross_all(spot.tag)

    def _document(self, name: str | None) -> Spots:
        stream = next(iter(self._structures)) if name is None else name
        return frozenset({Spot(stream, None)})

    def _call(self, node: syntax.FunctionCall, scope: _Scope) -> Spots:
        name = node.name.removeprefix("fn:")
        if name in SOURCES:
            match node.arguments:
                case (syntax.StringLiteral(stream),):
                    return self._document(stream)
            return self._document(None)
        spots = [self._spots(each, scope) for each in node.arguments]
        found = NONE.union(*spots) if spots else scope.context
        if name in _LIFESPAN_ENDS:
            self._lifespans(found)
            return NONE
        if name in _COUNTING:
            for spot in found:
                self._whole(frozenset({spot}) if spot.entry is None else NONE)
            return NONE
        if not spots:
            return NONE
        self._whole(found)
        # What a function makes of many anchors is of none of them.
        return found if all(spot.bound for spot in found) else NONE

    def _lifespans(self, spots: Spots) -> None:
        for spot in spots:
            if spot.clipped and spot.tag is not None and spot.tag.type is not TagType.EVENT:
                raise NotLocal("it asks when something ends that now cuts off")
            if spot.tag is None or not spot.tag.fragmented:
                self._whole(frozenset({spot}))

    # Paths.

    def _path(self, path: syntax.Path, scope: _Scope, window: TimeWindow | None) -> Spots:
        spots = scope.context if path.origin is None else self._spots(path.origin, scope)
        if any(may_count(step.predicates) for step in path.steps):
            window = None
        steps = path.steps
        if spots and all(spot.tag is None for spot in spots):
            (document,) = spots
            spots, steps = self._entered(document.stream, steps)
            spots = self._filtered(spots, path.steps[-len(steps) - 1].predicates, scope)
        for step in steps:
            last = window if step is path.steps[-1] else None
            if isinstance(step, syntax.ExpressionStep):
                spots = self._spots(step.expression, scope.inside(spots))
            else:
                spots = NONE.union(*(self._step(each, step, last) for each in spots))
            spots = self._filtered(spots, step.predicates, scope)
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
                self._lifespans(frozenset({spot}))
                self._whole(frozenset({spot}))
            return NONE
        if step.axis == "self":
            return frozenset({spot})
        if step.axis != "child":
            raise NotLocal(f"it goes along the axis {step.axis}")
        if "(" in step.test:
            if step.test != "text()" or step.deep or spot.entry is None:
                self._whole(frozenset({spot}))
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

    def _filtered(
        self, spots: Spots, predicates: tuple[syntax.Expression, ...], scope: _Scope
    ) -> Spots:
        if predicates and may_count(predicates) and not all(spot.bound for spot in spots):
            raise NotLocal("it counts the elements of a whole stream")
        if predicates and any(spot.entry is None for spot in spots):
            raise NotLocal("the root of a stream is read itself")
        for predicate in predicates:
            self._spots(predicate, scope.inside(bound(spots)))
        return spots

    # Time.

    def _projected(self, node: syntax.IntervalProjection, scope: _Scope) -> Spots:
        begin, end = self._window(node.begin, node.end, scope)
        window = None
        if begin is not None and end is not None and not (begin.event or end.event):
            window = TimeWindow(begin.bound, end.bound)
        if isinstance(node.base, syntax.Path):
            spots = self._path(node.base, scope, window)
        else:
            spots = self._spots(node.base, scope)
        if any(spot.entry is None for spot in spots):
            raise NotLocal("a whole stream is projected")
        self._link(spots, begin, end)
        return frozenset(
            Spot(each.stream, each.tag, each.entry, each.bound, clipped=True) for each in spots
        )

    def _versions(self, node: syntax.VersionProjection, spots: Spots, scope: _Scope) -> Spots:
        if not all(spot.bound for spot in spots):
            raise NotLocal("it counts the versions of a whole stream")
        self._all([each for each in (node.first, node.last) if each is not None], scope)
        return spots

    def _window(
        self, begin: syntax.Expression, end: syntax.Expression | None, scope: _Scope
    ) -> tuple[Moment | None, Moment | None]:
        first = self._moment(begin, scope)
        return first, first if end is None else self._moment(end, scope)

    def _moment(self, expression: syntax.Expression, scope: _Scope) -> Moment | None:
        """The moment that an expression means; if none can be told, it is gone through."""
        moment = moment_of(expression, scope.variables, scope.context)
        if moment is None:
            self._whole(self._spots(expression, scope))
        elif moment.bound.after_now is not None:
            self.gathered.shifts.add(-moment.bound.after_now)
        return moment

    def _link(self, spots: Spots, begin: Moment | None, end: Moment | None) -> None:
        """Note which events of a stream can be those that a projection leaves."""
        events = {each.event for each in (begin, end) if each is not None and each.event}
        if begin is None or end is None or len(events) != 1 or len(spots) != 1:
            return
        (event,), (spot,) = events, spots
        of_events = spot.is_anchor and spot.tag is not None and spot.tag.type is TagType.EVENT
        if spot.bound or not of_events or event is None or spot.entry is None:
            return
        least = begin.shift if begin.event else None
        most = end.shift if end.event else None
        self.gathered.links.append(Link(event.number, spot.entry.number, least, most))

    def _binary(
        self, operator: str, left: syntax.Expression, right: syntax.Expression, scope: _Scope
    ) -> Spots:
        if operator in COMPARISONS:
            for side in (left, right):
                moment = moment_of(side, scope.variables, scope.context)
                if moment is None or moment.bound.after_now is None:
                    spots = self._spots(side, scope)
                    self._whole(spots)
                    if operator in ALLEN:
                        self._lifespans(spots)
                else:
                    self.gathered.shifts.add(-moment.bound.after_now)
            return NONE
        if operator == "-" and length_of(right, scope.context) is None and _asks_end(left, right):
            raise NotLocal("a length of time may last until now")
        spots = self._spots(left, scope) | self._spots(right, scope)
        if operator in ("|", "union", "intersect", "except"):
            return spots
        self._whole(spots)
        return NONE

    # Loops.

    def _nested(self, flwor: syntax.Flwor, scope: _Scope) -> Spots:
        known = len(self.gathered.entries)
        for clause in flwor.clauses:
            scope = self._clause(clause, scope, binds=False)
        self._rest(flwor, scope)
        spots = self._spots(flwor.result, scope)
        self._whole(spots)
        # What comes of a loop over a stream is of many anchors.
        return bound(spots, one=False) if len(self.gathered.entries) > known else spots

    def _quantified(self, node: syntax.Quantified, scope: _Scope) -> Spots:
        for each in node.bindings:
            scope = scope.bind(each.variable, bound(self._spots(each.source, scope)))
        self._spots(node.condition, scope)
        return NONE


def _asks_end(*expressions: syntax.Expression) -> bool:
    return any(
        isinstance(each, syntax.FunctionCall) and each.name == "vtTo"
        for expression in expressions
        for each in walk(expression)
    )


def _reached(spot: Spot, tag: Tag, window: TimeWindow | None) -> Spot:
    """A tag below a spot; its fillers are read if it has some."""
    entry = spot.entry
    if entry is None or spot.tag is None:
        raise NotLocal("the root of a stream is read itself")
    entry.cross(spot.tag, tag, window)
    return Spot(spot.stream, tag, entry, spot.bound, spot.clipped)
