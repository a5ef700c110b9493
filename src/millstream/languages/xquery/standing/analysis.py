"""Goes through a query to find what its bindings depend on."""

from __future__ import annotations

from collections.abc import Iterable

from millstream.algebra.standing import Link, TimeWindow
from millstream.languages.xquery import syntax
from millstream.languages.xquery.operations import ALLEN, COMPARISONS
from millstream.languages.xquery.standing.gathered import (
    NONE,
    Gathered,
    NotLocal,
    Spot,
    Spots,
    bound,
)
from millstream.languages.xquery.standing.paths import PathAnalysis
from millstream.languages.xquery.standing.scope import Scope
from millstream.languages.xquery.standing.times import (
    Moment,
    length_of,
    moment_of,
    time_constant,
)
from millstream.languages.xquery.translation.paths import SOURCES
from millstream.languages.xquery.walk import parts, walk
from millstream.model.tag_structure import TagType

_COUNTING = ("count", "exists", "empty", "not", "boolean")
_LIFESPAN_ENDS = ("vtFrom", "vtTo")


class Analysis(PathAnalysis):
    """One walk through a query; raises NotLocal where bindings cannot be told apart."""

    def query(self, flwor: syntax.Flwor) -> Gathered:
        """What the loops of a query, the outermost, depend on."""
        scope = Scope({}, {})
        for clause in flwor.clauses:
            scope = self._clause(clause, scope, binds=True)
        self._rest(flwor, scope)
        self.whole(self.spots(flwor.result, scope))
        self.gathered.check()
        return self.gathered

    def _clause(self, clause: syntax.For | syntax.Let, scope: Scope, *, binds: bool) -> Scope:
        if isinstance(clause, syntax.Let):
            spots = self._value(clause.value, scope)
            return (
                scope.postpone(clause.variable, clause.value)
                if spots is None
                else scope.bind(clause.variable, spots)
            )
        if clause.position is not None or clause.window is not None:
            raise NotLocal("a loop counts what it goes through")
        spots = self.spots(clause.source, scope)
        for spot in spots:
            if spot.entry is not None and binds:
                spot.entry.binds = True
        return scope.bind(clause.variable, bound(spots))

    def _value(self, value: syntax.Expression, scope: Scope) -> Spots | None:
        """What a variable with a value holds; None if that is a path from a stream."""
        before = len(self.gathered.entries), len(self.gathered.links)
        spots = self.spots(value, scope)
        if all(spot.bound for spot in spots):
            return spots
        del self.gathered.entries[before[0] :], self.gathered.links[before[1] :]
        return None

    def _rest(self, flwor: syntax.Flwor, scope: Scope) -> None:
        if flwor.where is not None:
            self.spots(flwor.where, scope)
        for key in flwor.order:
            self.whole(self.spots(key.key, scope))

    # Expressions.

    def spots(self, node: syntax.Node, scope: Scope) -> Spots:
        """Where the nodes of an expression are; what it reads is noted on the way."""
        match node:
            case syntax.VariableReference(name) if name in scope.later:
                value, around = scope.later[name]
                return self.spots(value, around)
            case syntax.VariableReference(name):
                return scope.variables.get(name, NONE)
            case syntax.ContextItem():
                return scope.context
            case syntax.Root():
                return self.document(None)
            case syntax.FunctionCall():
                return self._call(node, scope)
            case syntax.Path():
                time = time_constant(node, scope.context)
                return self.path(node, scope, None) if time is node else self.spots(time, scope)
            case syntax.Filter(base, predicates):
                return self.filtered(self.spots(base, scope), predicates, scope)
            case syntax.IntervalProjection():
                return self._projected(node, scope)
            case syntax.VersionProjection(base):
                return self._versions(node, self.spots(base, scope), scope)
            case syntax.Interval(begin, end):
                self._window(begin, end, scope)
                return NONE
            case syntax.TimeWord("now"):
                raise NotLocal("now is more than a bound in time")
        return self._compound(node, scope)

    def _compound(self, node: syntax.Node, scope: Scope) -> Spots:
        match node:
            case syntax.Binary(operator, left, right):
                return self._binary(operator, left, right, scope)
            case syntax.Logical(_, operands):
                return self._all(operands, scope, nothing=True)
            case syntax.If(condition, then, otherwise):
                self.spots(condition, scope)
                return self.spots(then, scope) | self.spots(otherwise, scope)
            case syntax.Sequence(items):
                return self._all(items, scope)
            case syntax.Flwor():
                return self._nested(node, scope)
            case syntax.Quantified():
                return self._quantified(node, scope)
        # Constructors, signs and literals: all that is in them is read as a whole.
        for part in parts(node):
            self.whole(self.spots(part, scope))
        return NONE

    def _all(
        self, nodes: Iterable[syntax.Expression], scope: Scope, *, nothing: bool = False
    ) -> Spots:
        found = [self.spots(each, scope) for each in nodes]
        return NONE if nothing else NONE.union(*found)

    def _call(self, node: syntax.FunctionCall, scope: Scope) -> Spots:
        name = node.name.removeprefix("fn:")
        if name in SOURCES:
            match node.arguments:
                case (syntax.StringLiteral(stream),):
                    return self.document(stream)
            return self.document(None)
        spots = [self.spots(each, scope) for each in node.arguments]
        found = NONE.union(*spots) if spots else scope.context
        if name in _LIFESPAN_ENDS:
            self.lifespans(found)
            return NONE
        if name in _COUNTING:
            for spot in found:
                self.whole(frozenset({spot}) if spot.entry is None else NONE)
            return NONE
        if not spots:
            return NONE
        self.whole(found)
        # What a function makes of many anchors is of none of them.
        return found if all(spot.bound for spot in found) else NONE

    # Time.

    def _projected(self, node: syntax.IntervalProjection, scope: Scope) -> Spots:
        begin, end = self._window(node.begin, node.end, scope)
        window = None
        if begin is not None and end is not None and not (begin.event or end.event):
            window = TimeWindow(begin.bound, end.bound)
        if isinstance(node.base, syntax.Path):
            spots = self.path(node.base, scope, window)
        else:
            spots = self.spots(node.base, scope)
        if any(spot.entry is None for spot in spots):
            raise NotLocal("a whole stream is projected")
        self._link(spots, begin, end)
        return frozenset(
            Spot(each.stream, each.tag, each.entry, each.bound, clipped=True) for each in spots
        )

    def _versions(self, node: syntax.VersionProjection, spots: Spots, scope: Scope) -> Spots:
        if not all(spot.bound for spot in spots):
            raise NotLocal("it counts the versions of a whole stream")
        self._all([each for each in (node.first, node.last) if each is not None], scope)
        return spots

    def _window(
        self, begin: syntax.Expression, end: syntax.Expression | None, scope: Scope
    ) -> tuple[Moment | None, Moment | None]:
        first = self._moment(begin, scope)
        return first, first if end is None else self._moment(end, scope)

    def _moment(self, expression: syntax.Expression, scope: Scope) -> Moment | None:
        """The moment that an expression means; if none can be told, it is gone through."""
        moment = moment_of(expression, scope.variables, scope.context)
        if moment is None:
            self.whole(self.spots(expression, scope))
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
        self, operator: str, left: syntax.Expression, right: syntax.Expression, scope: Scope
    ) -> Spots:
        if operator in COMPARISONS:
            for side in (left, right):
                moment = moment_of(side, scope.variables, scope.context)
                if moment is None or moment.bound.after_now is None:
                    spots = self.spots(side, scope)
                    self.whole(spots)
                    if operator in ALLEN:
                        self.lifespans(spots)
                else:
                    self.gathered.shifts.add(-moment.bound.after_now)
            return NONE
        if operator == "-" and length_of(right, scope.context) is None and _asks_end(left, right):
            raise NotLocal("a length of time may last until now")
        spots = self.spots(left, scope) | self.spots(right, scope)
        if operator in ("|", "union", "intersect", "except"):
            return spots
        self.whole(spots)
        return NONE

    # Loops.

    def _nested(self, flwor: syntax.Flwor, scope: Scope) -> Spots:
        known = len(self.gathered.entries)
        for clause in flwor.clauses:
            scope = self._clause(clause, scope, binds=False)
        self._rest(flwor, scope)
        spots = self.spots(flwor.result, scope)
        self.whole(spots)
        # What comes of a loop over a stream is of many anchors.
        return bound(spots, one=False) if len(self.gathered.entries) > known else spots

    def _quantified(self, node: syntax.Quantified, scope: Scope) -> Spots:
        for each in node.bindings:
            scope = scope.bind(each.variable, bound(self.spots(each.source, scope)))
        self.spots(node.condition, scope)
        return NONE


def _asks_end(*expressions: syntax.Expression) -> bool:
    return any(
        isinstance(each, syntax.FunctionCall) and each.name == "vtTo"
        for expression in expressions
        for each in walk(expression)
    )
