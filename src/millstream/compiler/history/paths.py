"""Paths: steps, predicates and projections of what is known in a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from millstream.algebra.xcql import expressions as core
from millstream.algebra.xcql.walk import walk
from millstream.compiler.history.atoms import is_constant
from millstream.compiler.history.base import CompilerBase
from millstream.compiler.history.environment import Environment
from millstream.compiler.history.lifespans import Lifespan
from millstream.compiler.history.sequences import Atoms, Chain, Nodes, Role, Sequence, Type
from millstream.compiler.history.sources import Asked
from millstream.compiler.history.spots import Spot
from millstream.compiler.history.untranslatable import Untranslatable

VIEW_ATTRIBUTES = ("vtFrom", "vtTo")


class PathCompiler(CompilerBase):
    """Compiles paths."""

    def step(self, step: core.Step, environment: Environment) -> Sequence:
        base = self.compiled(step.base, environment)
        return self._stepped(base, step, environment)

    def _stepped(self, base: Sequence, step: core.Step, environment: Environment) -> Sequence:
        match base:
            case Nodes():

                def go(spot: Spot) -> Sequence:
                    found = self.navigation.step(spot, step.targets)
                    return self.kept(found, step.predicates, environment)

                return self.navigation.each(base, go)
            case Chain(()):
                return base
            case Chain(parts) if all(isinstance(part, Nodes) for part in parts):
                found = tuple(self._stepped(part, step, environment) for part in parts)
                return Chain(found, ordered=False)
        raise Untranslatable("a step from what is not stored", step.span)

    def attribute(self, asked: core.Attribute, environment: Environment) -> Sequence:
        base = self.compiled(asked.base, environment)
        if asked.name in VIEW_ATTRIBUTES:
            raise Untranslatable("an attribute of the temporal view", asked.span)
        return self._read(
            base,
            lambda spot: Atoms(
                spot.value("attribute", asked.name),
                Type.UNTYPED,
                role=Role.ATTRIBUTE,
                name=asked.name,
            ),
        )

    def text_nodes(self, asked: core.TextNodes, environment: Environment) -> Sequence:
        return self._read(self.compiled(asked.base, environment), self.reader.text_nodes)

    def _read(self, base: Sequence, read: Callable[[Spot], Atoms]) -> Sequence:
        match base:
            case Nodes():
                return self.reader.of_nodes(base, read)
            case Chain(()):
                return base
            case Chain((only,)):
                return self._read(only, read)
        raise Untranslatable("attributes or text of nodes that are in no order")

    def filter(self, filtered: core.Filter, environment: Environment) -> Sequence:
        base = self.compiled(filtered.base, environment)
        return self.kept(base, filtered.predicates, environment)

    def kept(
        self,
        base: Sequence,
        predicates: Iterable[core.Expression],
        environment: Environment,
    ) -> Sequence:
        """The items that predicates keep, one predicate after the other."""
        for predicate in predicates:
            base = self._kept(base, predicate, environment)
        return base

    def _kept(
        self, base: Sequence, predicate: core.Expression, environment: Environment
    ) -> Sequence:
        match base:
            case Nodes(array=None, present=present):
                inner = environment.within(base, "1L", "1L", environment.context_is_local)
                holds = self._holds(predicate, inner)
                both = holds if present is None else f"({present} AND {holds})"
                return replace(base, present=f"coalesce({both}, false)", guarded=True)
            case Nodes(array=str(array)):
                picked = self._picked(array, predicate)
                if picked is not None:
                    return replace(base, array=picked, count=None)
                name, place = self.statement.fresh("n"), self.statement.fresh("i")
                item: Sequence = Nodes.one(base.make(name))
                kept = self._filtered(array, name, place, item, predicate, environment)
                return replace(base, array=kept, count=None)
            case Atoms(sql, one=False):
                name, place = self.statement.fresh("n"), self.statement.fresh("i")
                item = replace(base, sql=name, one=True, count=None)
                kept = self._filtered(sql, name, place, item, predicate, environment)
                return replace(base, sql=kept, count=None)
            case Atoms(sql, one=True):
                inner = environment.within(base, "1L", "1L", environment.context_is_local)
                return replace(base, sql=f"if({self._holds(predicate, inner)}, {sql}, NULL)")
            case Chain(()):
                return base
            case Chain(parts, False) if counts(predicate):
                return self._kept_of_kinds(base, predicate, environment)
            case Chain(parts) if not counts(predicate):
                found = tuple(self._kept(part, predicate, environment) for part in parts)
                return replace(base, parts=found)
        raise Untranslatable("a predicate on what is constructed, or in no order", predicate.span)

    def _kept_of_kinds(
        self, chain: Chain, predicate: core.Expression, environment: Environment
    ) -> Sequence:
        """Of nodes of several kinds those at some positions: as many stand before them."""
        keys = self.reader.in_order(chain.parts, lambda _: "1")
        last = f"CAST(size({keys}) AS BIGINT)"
        parts: list[Sequence] = []
        for part in chain.parts:
            assert isinstance(part, Nodes), "only nodes have keys"
            assert part.key is not None, "only nodes with keys are put in order"
            name = self.statement.fresh("n")
            before = f"filter({keys}, x -> x.k < {part.key(name)})"
            position = f"CAST(size({before}) + 1 AS BIGINT)"
            inner = environment.within(Nodes.one(part.make(name)), position, last, True)
            holds = f"coalesce({self._holds(predicate, inner)}, false)"
            if part.array is None:
                both = holds if part.present is None else f"({part.present}) AND {holds}"
                parts.append(replace(part, present=both, guarded=True))
            else:
                kept = f"filter({part.array}, {name} -> {holds})"
                parts.append(replace(part, array=kept, count=None))
        return replace(chain, parts=tuple(parts))

    def _filtered(
        self,
        array: str,
        name: str,
        place: str,
        item: Sequence,
        predicate: core.Expression,
        environment: Environment,
    ) -> str:
        last = f"CAST(size({array}) AS BIGINT)"
        inner = environment.within(item, f"CAST({place} + 1 AS BIGINT)", last, True)
        holds = self._holds(predicate, inner)
        return f"filter({array}, ({name}, {place}) -> coalesce({holds}, false))"

    def _picked(self, array: str, predicate: core.Expression) -> str | None:
        """The one at a place, for the commonest predicates that count."""
        match predicate:
            case core.Literal(int(number)) if not isinstance(number, bool):
                return f"slice({array}, {number}, 1)" if number > 0 else f"slice({array}, 1, 0)"
            case core.Call("last", ()):
                return f"slice({array}, -1, 1)"
        return None

    def _holds(self, predicate: core.Expression, environment: Environment) -> str:
        """Whether a predicate keeps the context item: it holds, or is its position."""
        found = self.compiled(predicate, environment)
        match found:
            case Atoms(sql, type, True, Role.VALUE) if type.numeric:
                return f"{environment.position} = {sql}"
        return self.is_true(found)

    def interval_projection(
        self, projection: core.IntervalProjection, environment: Environment
    ) -> Sequence:
        base = self.compiled(projection.base, environment)
        begin, end = self.bounds(projection, environment)
        return self.within(base, Lifespan(begin, end, "true"))

    def bounds(
        self, projection: core.IntervalProjection | core.Interval, environment: Environment
    ) -> tuple[str, str]:
        begin = self.time(projection.begin, environment)
        return begin, self.time(projection.end, environment)

    def time(self, expression: core.Expression, environment: Environment) -> str:
        found = self.one(expression, environment)
        if found.type is not Type.TIME:
            raise Untranslatable("a time that is read from text", expression.span)
        return found.sql

    def within(self, base: Sequence, window: Lifespan) -> Sequence:
        """What of some nodes lies in a window."""
        match base:
            case Chain(()):
                return base
            case Nodes(array=None, present=present):
                spot = base.spot
                held = self._held(spot, window)
                both = [each for each in (present, held) if each is not None]
                left = " AND ".join(both) if both else None
                guarded = base.guarded or held is not None
                return replace(Nodes.one(spot.inside(window), left), guarded=guarded)
            case Nodes(array=str(array), make=make):
                name = self.statement.fresh("n")
                held = self._held(make(name), window)
                kept = array if held is None else f"filter({array}, {name} -> {held})"
                return replace(base, array=kept, make=lambda each: make(each).inside(window))
        raise Untranslatable("a projection of what is in no order")

    def _held(self, spot: Spot, window: Lifespan) -> str | None:
        """Whether a node is in a window; None if it has no lifespan that could be left out."""
        if not spot.has_own_lifespan:
            if spot.is_mixed or spot.is_root:
                left = spot.row if spot.window is None else spot.row.intersection(spot.window)
                own = spot.sent_again if spot.is_root else spot.column(Asked("filler"))
                ordered = f"{window.begin} <= {window.end}"
                return f"coalesce(if({own}, {left.meets(window)}, {ordered}), false)"
            if any(map(spot.source.catalog.is_filler, spot.places)):
                raise Untranslatable("a root beside elements that have lifespans of their own")
            if window.begin == window.end:
                return None if is_constant(window.begin) else f"({window.begin} IS NOT NULL)"
            return f"coalesce({window.begin} <= {window.end}, false)"
        return f"coalesce({spot.lifespan.meets(window)}, false)"

    def version_projection(
        self, projection: core.VersionProjection, environment: Environment
    ) -> Sequence:
        base = self.compiled(projection.base, environment)
        match base:
            case Chain(()):
                return base
            case Nodes(array=None, present=present):
                inner = replace(environment, versions="1L")
                first = self._number(projection.first, inner)
                last = self._number(projection.last, inner)
                kept = f"coalesce(1 >= {first} AND 1 <= {last}, false)"
                both = kept if present is None else f"({present}) AND {kept}"
                return replace(Nodes.one(own_window(base.spot), both), guarded=True)
            case Nodes(array=str(array), make=make):
                pass
            case _:
                raise Untranslatable("versions of what is in no order", projection.span)
        one, other = self.statement.fresh("n"), self.statement.fresh("n")
        sort = [f"struct({', '.join(self._version_order(make(each)))})" for each in (one, other)]
        compare = (
            f"CASE WHEN {sort[0]} < {sort[1]} THEN -1 WHEN {sort[0]} > {sort[1]} THEN 1 ELSE 0 END"
        )
        sorted_ = f"array_sort({array}, ({one}, {other}) -> {compare})"
        inner = replace(environment, versions=f"CAST(size({array}) AS BIGINT)")
        first = self._number(projection.first, inner)
        last = self._number(projection.last, inner)
        place = self.statement.fresh("i")
        kept = (
            f"filter({sorted_}, (x, {place}) -> "
            f"coalesce({place} + 1 >= {first} AND {place} + 1 <= {last}, false))"
        )
        return replace(base, array=kept, make=lambda each: own_window(make(each)), count=None)

    def _version_order(self, spot: Spot) -> tuple[str, str]:
        if spot.has_no_lifespan:
            return ("0", spot.column(Asked("arrival")))
        return (self.covers.lifespan(spot).begin, spot.column(Asked("arrival")))

    def _number(self, expression: core.Expression, environment: Environment) -> str:
        found = self.one(expression, environment)
        if not found.type.numeric:
            raise Untranslatable("the number of a version that is read from text", expression.span)
        return found.sql


def own_window(spot: Spot) -> Spot:
    """A version as it was during its lifespan; what is in an event stays whole."""
    if not any(map(spot.source.catalog.is_filler, spot.places)):
        return spot
    if spot.is_root:
        row = spot.row
        return replace(spot, window=row if spot.window is None else row.intersection(spot.window))
    if spot.is_mixed:
        raise Untranslatable("versions of elements with and without a lifespan of their own")
    types = {spot.row.closed}
    if types == {"true"}:
        return spot
    if types != {"false"}:
        raise Untranslatable("versions of events and of other elements together")
    return replace(spot, window=spot.lifespan)


def counts(predicate: core.Expression) -> bool:
    """True if a predicate may ask for a position."""
    if any(
        isinstance(each, core.Call) and each.function in ("position", "last")
        for each in walk(predicate)
    ):
        return True
    match predicate:
        case core.Literal(value):
            return not isinstance(value, str | bool)
        case core.Calculate() | core.Negative() | core.Variable() | core.If() | core.Loop():
            return True
        case core.Call(name):
            return name in ("count", "sum", "avg", "min", "max", "number", "round", "data")
    return False
