"""Paths from streams as rows: what a variable ranges over when it does not stand in a row yet."""

from __future__ import annotations

from dataclasses import replace

from millstream.algebra.xcql import expressions as core
from millstream.algebra.xcql.walk import walk
from millstream.compiler.history.conditions import Conditions
from millstream.compiler.history.environment import Environment
from millstream.compiler.history.frames import Frame, SortKey
from millstream.compiler.history.lifespans import Lifespan
from millstream.compiler.history.paths import counts, own_window
from millstream.compiler.history.sequences import Atoms, Chain, Made, Nodes, Sequence, leaves
from millstream.compiler.history.sets import SetCompiler
from millstream.compiler.history.sources import Asked, Reach, Source
from millstream.compiler.history.spots import Spot
from millstream.compiler.history.untranslatable import Untranslatable
from millstream.model.tag_structure import TagType


class RangeCompiler(SetCompiler):
    """Compiles what variables range over."""

    def ranged(
        self, source: core.Expression, environment: Environment, conditions: Conditions
    ) -> Sequence:
        """The one item of a source in each row, of which there are as many as items."""
        if starts_at_stream(source):
            return self.rows(source, environment, conditions)
        return self._exploded(self.compiled(source, environment), environment.frame)

    def rows(
        self, source: core.Expression, environment: Environment, conditions: Conditions
    ) -> Sequence:
        match source:
            case core.Step():
                return self._stepped_rows(source, environment, conditions)
            case core.Combined(places=places) if any(each.tag is None for each in places):
                raise Untranslatable("a document, taken together with others", source.span)
            case core.Combined(left=left, places=places):
                nodes = self._nodes(_stream_of(left), places, environment)
                return self.combined(source, environment, nodes)
            case core.Filter(base, predicates):
                outside = (len(environment.frame.keys), len(environment.frame.order))
                found = self.rows(base, environment, conditions)
                for predicate in predicates:
                    if counts(predicate):
                        self._at_positions(found, predicate, environment, conditions, outside)
                    else:
                        self._that_hold(found, (predicate,), environment, conditions)
                return found
            case core.Attribute() | core.TextNodes():
                found = self.rows(source.base, environment, conditions)
                name = f"{self.statement.fresh('each')}"
                inner = environment.bind(name, found)
                asked = replace(source, base=core.Variable(name))
                return self._exploded(self.compiled(asked, inner), environment.frame)
            case core.IntervalProjection():
                return self._in_window(source, environment, conditions)
            case core.VersionProjection():
                return self._versions(source, environment, conditions)
        raise Untranslatable("a path of this kind from a stream", source.span)

    def _stepped_rows(
        self, step: core.Step, environment: Environment, conditions: Conditions
    ) -> Sequence:
        """The nodes that a step leads to; those that are counted, from rows of what is above."""
        counted = any(map(counts, step.predicates))
        if is_document(step.base):
            # A document has one root: it is the first and the last.
            found: Sequence = self._nodes(step.base, step.targets, environment)
        else:
            further = step if counted else replace(step, predicates=())
            found = self._further(further, environment, conditions)
            if counted:
                return found
        return self._that_hold(found, step.predicates, environment, conditions)

    def _nodes(
        self, document: core.Expression, targets: core.Places, environment: Environment
    ) -> Nodes:
        """The nodes of some places, a row each."""
        window = None
        if isinstance(document, core.IntervalProjection):
            window = Lifespan(*self.bounds(document, environment), "true")
        walks = self.from_root or window is not None
        source = Source(self.catalog, self.statement, targets, Reach(window) if walks else None)
        spot = Spot(source, "", targets, window=window)
        environment.frame.cross(source)
        self._tell_apart(spot, environment.frame)
        return Nodes.one(spot)

    def _tell_apart(self, spot: Spot, frame: Frame) -> None:
        table, id, version = (spot.column(Asked(kind)) for kind in ("table", "id", "version"))
        frame.bindings.append((table, id, version))
        order = spot.column(Asked("order"))
        frame.keys.append(order)
        frame.order.append(SortKey(order))

    def _further(
        self, step: core.Step, environment: Environment, conditions: Conditions
    ) -> Sequence:
        """A step from nodes that are in rows already; each node that is found is there once."""
        frame = environment.frame
        outside = len(frame.keys)
        above = self.rows(step.base, environment, conditions)
        assert isinstance(above, Nodes), "steps begin at nodes"
        if conditions.has_residual:
            raise Untranslatable("steps from what depends on variables outside")
        found = self._stepped(above, step, environment)
        if isinstance(found, Chain) and found.parts:
            raise Untranslatable("a path whose nodes stand in several kinds of place")
        item = self._exploded(found, frame)
        if isinstance(item, Nodes) and self._shares(above.spot, step.targets):
            self._once_in_rows(item.spot, frame, outside)
        return item

    def _once_in_rows(self, spot: Spot, frame: Frame, outside: int) -> None:
        """Leave out the rows with nodes that came before; the first ones tell the order."""
        keys = [spot.column(Asked(kind)) for kind in ("table", "id", "version")]
        told = ", ".join([*frame.keys[:outside], *keys, spot.value("from")])
        order = ", ".join(map(str, frame.order[outside:]))
        number = frame.column(f"row_number() OVER (PARTITION BY {told} ORDER BY {order})")
        frame.filter(f"{number} = 1")

    def _shares(self, spot: Spot, targets: core.Places) -> bool:
        """True if versions of the nodes above may have what is found in common."""
        if spot.window is not None and spot.window.is_instant:
            return False
        tables = {self.catalog.table(place)[0] for place in spot.places}
        if all(self.catalog.table(target)[0] in tables for target in targets):
            return False
        types = (spot.source.tables.structure.tag(table).type for table in tables)
        return any(type is not TagType.EVENT for type in types)

    def _at_positions(
        self,
        found: Sequence,
        predicate: core.Expression,
        environment: Environment,
        conditions: Conditions,
        outside: tuple[int, int],
    ) -> None:
        """Leave the rows at some positions among all that a path leads to."""
        if conditions.has_residual or conditions.depends(predicate):
            raise Untranslatable("positions that depend on variables outside", predicate.span)
        conditions.apply()
        number, total = environment.frame.positions(outside)
        inner = environment.within(found, number, total, False)
        environment.frame.filter(f"coalesce({self._holds(predicate, inner)}, false)")

    def _that_hold(
        self,
        found: Sequence,
        predicates: tuple[core.Expression, ...],
        environment: Environment,
        conditions: Conditions,
    ) -> Sequence:
        for predicate in predicates:
            inner = environment.within(found, "1L", "1L", False)
            conditions.add(self.truth(predicate, inner), predicate)
        return found

    def _in_window(
        self,
        projection: core.IntervalProjection,
        environment: Environment,
        conditions: Conditions,
    ) -> Sequence:
        if isinstance(projection.base, core.Stream):
            raise Untranslatable("a whole stream", projection.span)
        base = self.rows(projection.base, environment, conditions)
        begin, end = self.bounds(projection, environment)
        found = self.within(base, Lifespan(begin, end, "true"))
        assert isinstance(found, Nodes), "a window leaves nodes"
        if found.present is not None:
            conditions.add(found.present, projection)
        return Nodes.one(found.spot)

    def _versions(
        self,
        projection: core.VersionProjection,
        environment: Environment,
        conditions: Conditions,
    ) -> Sequence:
        """Versions are counted among all rows that others make one of."""
        frame = environment.frame
        keys, orders = len(frame.keys), len(frame.order)
        base = self.rows(projection.base, environment, conditions)
        if conditions.has_residual or not isinstance(base, Nodes):
            raise Untranslatable("versions that depend on variables outside", projection.span)
        conditions.apply()
        spot = base.spot
        around = f"PARTITION BY {', '.join(frame.keys[:keys])} " if keys else ""
        placed = (str(each) for each in frame.order[orders:])
        order = ", ".join((*self._version_order(spot), *placed))
        number = frame.column(f"row_number() OVER ({around}ORDER BY {order})")
        total = frame.column(f"count(*) OVER ({around.rstrip()})")
        inner = replace(environment, versions=total)
        first = self._number(projection.first, inner)
        last = self._number(projection.last, inner)
        frame.filter(f"{number} >= {first} AND {number} <= {last}")
        frame.order[orders:] = [SortKey(number)]
        return Nodes.one(own_window(spot))

    def _exploded(self, found: Sequence, frame: Frame) -> Sequence:
        """A row for each item of a sequence."""
        match found:
            case Nodes(array=None, present=present):
                if present is not None:
                    frame.filter(present)
                return Nodes.one(found.spot)
            case Nodes(array=str(array)):
                place, value = frame.explode(array)
                item: Sequence = Nodes.one(found.make(value))
            case Atoms(sql, one=True) | Made(sql, True):
                frame.filter(f"{sql} IS NOT NULL")
                return found
            case Atoms(sql, one=False) | Made(sql, False):
                place, value = frame.explode(sql)
                item = replace(found, sql=value, one=True, count=None)
            case Chain(()):
                frame.filter("false")
                return found
            case _:
                return self._exploded_atoms(found, frame)
        frame.keys.append(place)
        frame.order.append(SortKey(place))
        return item

    def _exploded_atoms(self, found: Sequence, frame: Frame) -> Sequence:
        if not all(isinstance(leaf, Atoms) for leaf in leaves(found)):
            raise Untranslatable("a variable over nodes of several kinds")
        return self._exploded(self.reader.atoms(found), frame)


def starts_at_stream(expression: core.Expression) -> bool:
    """True for a path, with what is asked on the way, that goes down from a stream."""
    match expression:
        case core.Stream():
            return True
        case core.Step(base) | core.Filter(base) | core.Attribute(base) | core.TextNodes(base):
            return starts_at_stream(base)
        case core.IntervalProjection(base) | core.VersionProjection(base):
            return starts_at_stream(base)
        case core.Combined(left=left, right=right):
            return starts_at_stream(left) and starts_at_stream(right)
    return False


def _stream_of(expression: core.Expression) -> core.Stream:
    """The stream that a path goes down from."""
    for each in walk(expression):
        if isinstance(each, core.Stream):
            return each
    raise Untranslatable("nodes that are in no stream", expression.span)


def is_document(expression: core.Expression) -> bool:
    """True for a stream, whole or as it was at some time that is the same for all rows."""
    match expression:
        case core.Stream():
            return True
        case core.IntervalProjection(core.Stream(), begin, end):
            constant = (core.Instant, core.Now, core.Start)
            return isinstance(begin, constant) and isinstance(end, constant)
    return False
