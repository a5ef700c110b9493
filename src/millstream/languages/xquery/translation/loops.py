"""Expressions that bind variables: FLWOR, some and every."""

from __future__ import annotations

from millstream.errors import UnsupportedError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.translation.calls import is_atomic
from millstream.languages.xquery.translation.paths import PathTranslation
from millstream.languages.xquery.translation.scope import Scope
from millstream.languages.xquery.translation.shape import NUMBER, TRUTH, Translated


class LoopTranslation(PathTranslation):
    """Translates loops."""

    def flwor(self, flwor: syntax.Flwor, scope: Scope) -> Translated:
        clauses: list[syntax.For | syntax.Let] = []
        for clause in flwor.clauses:
            translated, scope = self._clause(clause, scope)
            clauses.append(translated)
        where = None if flwor.where is None else self.plain(flwor.where, scope)
        order = tuple(
            syntax.OrderKey(self.value(each.key, scope).expression, each.descending, each.empty)
            for each in flwor.order
        )
        result = self.translated(flwor.result, scope)
        loop = syntax.Flwor(tuple(clauses), result.expression, where, order, flwor.stable)
        return Translated(loop, result.shape)

    def quantified(self, quantified: syntax.Quantified, scope: Scope) -> Translated:
        bindings = []
        for each in quantified.bindings:
            source = self.translated(each.source, scope)
            kept = atomic_type(each.type)
            bindings.append(syntax.Quantifier(each.variable, source.expression, kept))
            scope = scope.bind(each.variable, source.shape)
        condition = self.plain(quantified.condition, scope)
        asked = syntax.Quantified(quantified.every, tuple(bindings), condition)
        return Translated(asked, TRUTH)

    def _clause(
        self, clause: syntax.For | syntax.Let, scope: Scope
    ) -> tuple[syntax.For | syntax.Let, Scope]:
        if isinstance(clause, syntax.Let):
            return self.let(clause, scope)
        if clause.window is not None:
            raise UnsupportedError(
                "windows of this kind are not supported on a history",
                span=clause.window.span,
                help="a window in time is written e?[now - PT1H, now], one of versions e#[1, 10]",
            )
        source = self.translated(clause.source, scope)
        scope = scope.bind(clause.variable, source.shape)
        if clause.position is not None:
            scope = scope.bind(clause.position, NUMBER)
        kept = atomic_type(clause.type)
        loop = syntax.For(clause.variable, source.expression, kept, clause.position)
        return loop, scope

    def let(self, clause: syntax.Let, scope: Scope) -> tuple[syntax.Let, Scope]:
        """A variable with a value; that of a path from a stream stays another name of it."""
        value = self.translated(clause.value, scope)
        path = self.stream_path(clause.value, scope)
        bound = syntax.Let(clause.variable, value.expression, atomic_type(clause.type))
        return bound, scope.bind(clause.variable, value.shape, path)


def atomic_type(declared: syntax.SequenceType | None) -> syntax.SequenceType | None:
    """A type of values; types of nodes are not kept, as nodes may stand in fillers."""
    return declared if is_atomic(declared) else None
