"""The source of an outer for clause: a stream, a path into its items, and a window."""

from __future__ import annotations

from dataclasses import dataclass

from millstream.algebra.expressions import Call, Expression, PathTo
from millstream.algebra.operators import Operator, Scan, Unnest, Window
from millstream.errors import QueryError, Span, UnsupportedError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.lowering import places
from millstream.languages.xquery.lowering.catalog import named_schema, only_stream
from millstream.languages.xquery.lowering.paths import PathLowering, literal_position
from millstream.languages.xquery.lowering.placement import place_conditions
from millstream.languages.xquery.lowering.places import Place
from millstream.languages.xquery.lowering.scope import Scope, StreamPath, Typed
from millstream.languages.xquery.lowering.steps import Taken, Way, resolve
from millstream.languages.xquery.lowering.window_reference import window_spec
from millstream.model.schema import Schema


@dataclass(frozen=True, slots=True)
class Source:
    """The rows of a for clause, and what its variable stands for in them."""

    operator: Operator
    value: Typed
    conditions: tuple[Expression, ...] = ()
    """What must hold for a row to be a binding, beside what the operator selects."""


@dataclass(frozen=True, slots=True)
class Items:
    """The items of a stream that a path goes through, and the way from an item on."""

    stream: str
    schema: Schema
    predicates: tuple[syntax.Expression, ...]
    way: Way
    span: Span

    @property
    def place(self) -> Place:
        return places.item_place(self.stream, self.schema)


class StreamLowering(PathLowering):
    """Lowers the sources of outer for clauses."""

    def stream_source(self, clause: syntax.For, path: StreamPath, scope: Scope) -> Source:
        """The rows that a for clause goes through."""
        items = self._items(path, clause.source.span)
        if clause.window is not None:
            return self._windowed(clause, clause.window, items, scope)
        if not items.way:
            name = scope.names.new(clause.variable)
            operator, place = self._scan(items, name, scope), items.place
            return Source(operator, Typed(PathTo(name), place, place.type))
        return self._inner(clause.variable, items, scope)

    def _items(self, path: StreamPath, span: Span) -> Items:
        steps = tuple(step for step in path.steps if isinstance(step, syntax.Step))
        if len(steps) != len(path.steps):
            raise UnsupportedError("a stream is gone through by names only", span=span)
        stream = self._stream_name(path)
        schema = named_schema(self.catalog, stream, path.origin.span)
        way = resolve(places.document(stream, schema), steps)
        if len(way) < 2:
            raise UnsupportedError(
                "the whole of a stream is not supported as one node",
                span=span,
                help=f"go on to its items: /{schema.root}/{schema.item.name}",
            )
        root, item, *rest = way
        _refuse_on_stream(root.predicates, "the root of a stream")
        return Items(stream, schema, item.predicates, _rebased(rest, stream, schema), span)

    def _stream_name(self, path: StreamPath) -> str:
        match path.origin:
            case syntax.FunctionCall(_, (syntax.StringLiteral(name),)):
                return name
            case syntax.FunctionCall(_, ()):
                return only_stream(self.catalog, None, path.origin.span)
            case syntax.Root():
                first = path.steps[0] if path.steps else None
                named = isinstance(first, syntax.Step) and not first.deep
                root = first.test if named and isinstance(first, syntax.Step) else None
                return only_stream(self.catalog, root, path.origin.span)
        raise QueryError(
            f"{path.origin.name}() takes the name of a stream as a string",
            span=path.origin.span,
            help=f'write {path.origin.name}("name")',
        )

    def _scan(self, items: Items, variable: str, scope: Scope) -> Operator:
        """The items of a stream for which the predicates of the path hold."""
        operator: Operator = Scan(items.stream, variable, items.schema)
        context = Typed(PathTo(variable), items.place, items.place.type)
        conditions = []
        for predicate in items.predicates:
            _refuse_position_of_item(predicate)
            condition = self.predicate(predicate, scope.with_context(context))
            scope.measures.checked(condition, predicate.span)
            conditions.append(condition)
        return place_conditions(operator, conditions)

    def _inner(self, variable: str, items: Items, scope: Scope) -> Source:
        """The nodes that a path reaches inside the items."""
        item = scope.names.new(items.schema.item.name)
        operator = self._scan(items, item, scope)
        *above, last = items.way
        if last.place.element is not None:
            name = scope.names.new(variable)
            return Source(
                self._unnested(operator, name, PathTo(item), items.way, scope),
                Typed(PathTo(name), last.place, last.place.type),
            )
        _refuse_any(last, items.span)
        if above:
            parent = scope.names.new(above[-1].name)
            operator = self._unnested(operator, parent, PathTo(item), tuple(above), scope)
            item = parent
        leaf = PathTo(item, self.steps((last,), scope))
        exists = Call("exists", (leaf,))
        return Source(operator, Typed(leaf, last.place, last.place.type), (exists,))

    def _unnested(
        self, operator: Operator, name: str, start: PathTo, way: Way, scope: Scope
    ) -> Operator:
        element = way[-1].place.element
        assert element is not None, "only elements are unnested"
        source = PathTo(start.variable, self.steps(way, scope))
        return Unnest(operator, name, source, element)

    def _windowed(
        self, clause: syntax.For, window: syntax.Window, items: Items, scope: Scope
    ) -> Source:
        """The windows over the items, or over nodes inside them."""
        place = items.way[-1].place if items.way else items.place
        if place.element is None:
            raise UnsupportedError("a window holds elements only", span=window.span)
        if items.way:
            operator = self._inner(place.names[-1], items, scope).operator
        else:
            operator = self._scan(items, scope.names.new(place.names[-1]), scope)
        name = scope.names.new(clause.variable)
        scope.aggregates.add_window(name)
        operator = Window(operator, name, window_spec(window, place))
        return Source(operator, Typed(PathTo(name), place, place.type, many=True))


def _rebased(way: list[Taken], stream: str, schema: Schema) -> Way:
    """The way with places named from the item on, as messages name them."""
    place = places.item_place(stream, schema)
    rebased = []
    for taken in way:
        if taken.name != "*":
            place = places.follow(place, taken.name)
            rebased.append(Taken(taken.name, place, taken.predicates))
        else:
            rebased.append(taken)
    return tuple(rebased)


def _refuse_any(taken: Taken, span: Span) -> None:
    if taken.name == "*":
        raise UnsupportedError(
            "a for clause cannot go through elements of different names",
            span=span,
            help=f"name the element to take from {taken.place.path.removesuffix('/*')}",
        )


def _refuse_on_stream(predicates: tuple[syntax.Expression, ...], what: str) -> None:
    for predicate in predicates:
        raise UnsupportedError(f"a predicate on {what} is not supported", span=predicate.span)


def _refuse_position_of_item(predicate: syntax.Expression) -> None:
    if literal_position(predicate) is not None:
        raise UnsupportedError(
            "a position in a stream is not supported: it has no first item to count from",
            span=predicate.span,
            help="select items by what they hold, or use a window",
        )
