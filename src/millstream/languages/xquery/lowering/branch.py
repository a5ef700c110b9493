"""A FLWOR over streams as operators and a template: one branch of a query."""

from __future__ import annotations

from dataclasses import dataclass, field

from millstream.algebra.check import contradiction
from millstream.algebra.expressions import TRUE, Call, Expression, PathTo
from millstream.algebra.operators import Construct, Join, Operator, Select
from millstream.algebra.walk import conjuncts, operators
from millstream.errors import QueryError, Span, UnsupportedError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.lowering.loops import (
    LoopLowering,
    refuse_order,
    refuse_position,
)
from millstream.languages.xquery.lowering.placement import (
    complete_windows,
    place_conditions,
    place_unnest,
)
from millstream.languages.xquery.lowering.scope import Scope, Typed
from millstream.languages.xquery.lowering.streams import StreamLowering


@dataclass(slots=True)
class Draft:
    """A branch in the making: its rows so far, and the conditions that still need a place."""

    operator: Operator | None = None
    conditions: list[Expression] = field(default_factory=list)
    where: Span | None = None
    """Where the conditions are written."""

    def add_rows(self, rows: Operator) -> None:
        """Each row so far together with each of these."""
        self.operator = rows if self.operator is None else Join(self.operator, rows, TRUE)


class BranchLowering(LoopLowering, StreamLowering):
    """Lowers loops over streams."""

    def branch(self, flwor: syntax.Flwor, scope: Scope) -> Construct:
        """What a FLWOR over streams constructs, one item for each binding of its variables."""
        draft = Draft()
        template = self._filled(draft, flwor, scope)
        scope.measures.checked(template, flwor.result.span)
        if draft.operator is None:
            raise UnsupportedError(
                "this loop reads no stream",
                span=flwor.span,
                help='a subscription goes through a stream: for $p in stream("name")/…',
            )
        windows = scope.aggregates.windows
        operator = complete_windows(draft.operator, windows, [template, *draft.conditions])
        operator = place_conditions(operator, draft.conditions)
        _refuse_contradictions(operator, draft.where or flwor.span)
        return Construct(operator, template)

    def _filled(self, draft: Draft, flwor: syntax.Flwor, scope: Scope) -> Expression:
        """The template of a FLWOR, whose clauses are added to the draft."""
        refuse_order(flwor)
        for clause in flwor.clauses:
            if isinstance(clause, syntax.Let):
                scope = self.let(clause, scope)
            else:
                scope = self._for(draft, clause, scope)
        if flwor.where is not None:
            condition = self.lowered(flwor.where, scope)
            scope.measures.checked(condition, flwor.where.span)
            draft.conditions += conjuncts(condition)
            _note(draft, flwor.where.span)
        # A FLWOR that is all that another returns has its clauses after those of the other.
        if isinstance(flwor.result, syntax.Flwor):
            return self._filled(draft, flwor.result, scope)
        return self.lowered(flwor.result, scope)

    def _for(self, draft: Draft, clause: syntax.For, scope: Scope) -> Scope:
        refuse_position(clause)
        path = self.stream_path(clause.source, scope)
        if path is None:
            return self._inside(draft, clause, scope)
        source = self.stream_source(clause, path, scope)
        draft.add_rows(source.operator)
        draft.conditions += source.conditions
        _note(draft, clause.source.span)
        return scope.bind(clause.variable, source.value, clause.span)

    def _inside(self, draft: Draft, clause: syntax.For, scope: Scope) -> Scope:
        """A for clause over what an earlier one has bound."""
        if clause.window is not None:
            raise UnsupportedError(
                "a window inside an item is not supported",
                span=clause.window.span,
                help="windows are over the items of a stream",
            )
        nodes = self.value(clause.source, scope)
        path, place = nodes.expression, nodes.place
        if not isinstance(path, PathTo) or place is None or draft.operator is None:
            raise UnsupportedError(
                "an outer for clause goes through a stream or a path",
                span=clause.source.span,
                help="put this loop inside the element that is returned",
            )
        if not path.steps and not nodes.many:
            return scope.bind(clause.variable, nodes, clause.span)
        if place.element is None:
            return self._leaves(draft, clause, nodes, scope)
        name = scope.names.new(clause.variable)
        draft.operator = place_unnest(draft.operator, name, path, place.element)
        return scope.bind(clause.variable, Typed(PathTo(name), place, place.type), clause.span)

    def _leaves(self, draft: Draft, clause: syntax.For, nodes: Typed, scope: Scope) -> Scope:
        """A for clause over attributes or texts: over their elements, where they exist."""
        path, place = nodes.expression, nodes.place
        assert isinstance(path, PathTo) and place is not None and draft.operator is not None
        above = place.parent
        if above is None or above.element is None or path.steps[-1].name == "*":
            raise UnsupportedError(
                "a for clause cannot go through elements of different names",
                span=clause.source.span,
            )
        start = PathTo(path.variable, path.steps[:-1])
        if nodes.many:
            name = scope.names.new(above.names[-1])
            draft.operator = place_unnest(draft.operator, name, start, above.element)
            start = PathTo(name)
        leaf = PathTo(start.variable, (*start.steps, path.steps[-1]))
        draft.conditions.append(Call("exists", (leaf,)))
        _note(draft, clause.source.span)
        return scope.bind(clause.variable, Typed(leaf, place, place.type), clause.span)


def _note(draft: Draft, span: Span) -> None:
    draft.where = span if draft.where is None else draft.where.cover(span)


def _refuse_contradictions(operator: Operator, span: Span) -> None:
    for each in operators(operator):
        if isinstance(each, Select | Join):
            reason = contradiction(each.predicate, each.bindings)
            if reason is not None:
                raise QueryError(
                    f"this condition can never be true: {reason}",
                    code="contradiction",
                    span=span,
                    help="no item would ever be a result",
                )
