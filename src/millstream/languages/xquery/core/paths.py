"""Paths and filters: steps that name the tags they lead to."""

from __future__ import annotations

from millstream.algebra.xcql import expressions as core
from millstream.languages.xquery import syntax
from millstream.languages.xquery.core.base import LoweringBase
from millstream.languages.xquery.core.durations import months_and_microseconds
from millstream.languages.xquery.core.scope import NOWHERE, Lowered, Scope
from millstream.languages.xquery.translation.positions import may_count

SOURCES = ("stream", "doc", "collection", "document")
_ANY_ELEMENT = ("*", "element()", "element(*)")


class PathLowering(LoweringBase):
    """Lowers paths."""

    def path(self, path: syntax.Path, scope: Scope) -> Lowered:
        constant = self._time_constant(path, scope)
        if constant is not None:
            return constant
        if path.origin is not None:
            found = self.lowered(path.origin, scope)
        elif scope.context is not None:
            found = scope.context
        else:
            return self.untranslated(path, "there is no context item")
        for step in path.steps:
            found = self._step(found, step, scope)
        return found

    def filter(self, filtered: syntax.Filter, scope: Scope) -> Lowered:
        base = self.lowered(filtered.base, scope)
        predicates = self._predicates(filtered.predicates, base, scope)
        return Lowered(core.Filter(base.expression, predicates, span=filtered.span), base.places)

    def stream(self, source: syntax.FunctionCall | syntax.Root) -> Lowered:
        match source:
            case syntax.FunctionCall(_, (syntax.StringLiteral(name),)):
                pass
            case _:
                name = next(iter(self.structures.known))
        return Lowered(core.Stream(name, span=source.span), frozenset({core.Place(name)}))

    def _step(self, base: Lowered, step: syntax.PathStep, scope: Scope) -> Lowered:
        if isinstance(step, syntax.ExpressionStep):
            return self._asked(base, step, scope)
        if not base.places:
            return self.untranslated(step, "a step into what is not stored")
        match step.axis:
            case "attribute" if step.test not in ("*", "node()"):
                return self._attribute(self._family(base) if step.deep else base, step, scope)
            case "child" if step.test == "text()" and not step.deep:
                texts = Lowered(core.TextNodes(base.expression, span=step.span))
                return self._filtered(texts, step, scope)
            case "child" if "(" not in step.test or step.test in _ANY_ELEMENT:
                return self._child(base, step, scope)
            case "self" if "(" not in step.test and not step.deep:
                return self._self(base, step, scope)
            case "self" if step.test == "node()" and not step.deep:
                return self._filtered(base, step, scope)
        return self.untranslated(step, f"the step {step.axis}::{step.test}")

    def _attribute(self, base: Lowered, step: syntax.Step, scope: Scope) -> Lowered:
        found = Lowered(core.Attribute(base.expression, step.test, span=step.span))
        return self._filtered(found, step, scope)

    def _family(self, base: Lowered) -> Lowered:
        """Elements and all that are below them."""
        below = self.structures.reached(base.places, None, deep=True)
        inner: core.Expression = core.Step(base.expression, below, origins=base.places)
        own = frozenset(each for each in base.places if each.tag is not None)
        if not own:
            return Lowered(inner, below)
        if not below:
            return base
        together = core.Combined("union", base.expression, inner, own | below)
        return Lowered(together, own | below)

    def _child(self, base: Lowered, step: syntax.Step, scope: Scope) -> Lowered:
        name = None if step.test in _ANY_ELEMENT else step.test
        targets = self.structures.reached(base.places, name, deep=step.deep)
        within = Lowered(core.Context(), targets)
        predicates = self._predicates(step.predicates, within, scope)
        counts = may_count(step.predicates)
        if not step.deep and self.structures.nested(base.places):
            return self.untranslated(step, "a step from elements that stand inside each other")
        if step.deep and counts:
            return self._counted_below(base, targets, predicates, step)
        above, origins = base.expression, base.places
        match above:
            case core.Step(base=further, predicates=(), origins=around) if (
                not counts and not self.structures.nested(around)
            ):
                # Every tag has one path: what lies between need not be said.
                above, origins = further, around
        found = core.Step(above, targets, predicates, origins=origins, span=step.span)
        return Lowered(found, targets)

    def _counted_below(
        self,
        base: Lowered,
        targets: core.Places,
        predicates: tuple[core.Expression, ...],
        step: syntax.Step,
    ) -> Lowered:
        """Positions anywhere below: those among the children of the base, and of all below it."""
        if self.structures.nested(base.places):
            return self.untranslated(step, "a step from elements that stand inside each other")
        sides: list[core.Expression] = []
        near = targets & self.structures.reached(base.places, None, deep=False)
        if near:
            sides.append(self._further(base, near, predicates, step))
        below = self.structures.reached(base.places, None, deep=True)
        far = frozenset(each for each in targets if self.structures.parent(each) in below)
        if far:
            parents = frozenset(map(self.structures.parent, far))
            if self.structures.nested(parents):
                return self.untranslated(step, "a step from elements that stand inside each other")
            above = Lowered(self._further(base, parents, (), step), parents)
            sides.append(self._further(above, far, predicates, step))
        if len(sides) == 2:
            combined = core.Combined("union", sides[0], sides[1], targets, span=step.span)
            return Lowered(combined, targets)
        found = sides[0] if sides else self._further(base, targets, (), step)
        return Lowered(found, targets)

    def _further(
        self,
        base: Lowered,
        targets: core.Places,
        predicates: tuple[core.Expression, ...],
        step: syntax.Step,
    ) -> core.Step:
        return core.Step(base.expression, targets, predicates, origins=base.places, span=step.span)

    def _self(self, base: Lowered, step: syntax.Step, scope: Scope) -> Lowered:
        kept = self.structures.named(base.places, step.test)
        if kept != base.places:
            return self.untranslated(step, "a test of what elements are called")
        return self._filtered(base, step, scope)

    def _filtered(self, base: Lowered, step: syntax.Step, scope: Scope) -> Lowered:
        if not step.predicates:
            return base
        if may_count(step.predicates):
            return self.untranslated(step, "a position among attributes or text nodes")
        predicates = self._predicates(step.predicates, base, scope)
        return Lowered(core.Filter(base.expression, predicates, span=step.span), base.places)

    def _predicates(
        self, predicates: tuple[syntax.Expression, ...], base: Lowered, scope: Scope
    ) -> tuple[core.Expression, ...]:
        inner = scope.within(base.places)
        return tuple(self.plain(each, inner) for each in predicates)

    def _asked(self, base: Lowered, step: syntax.ExpressionStep, scope: Scope) -> Lowered:
        """A step that is an expression, asked of each item: a loop, if it gives values."""
        if step.deep or step.predicates:
            return self.untranslated(step, "a step that is an expression")
        variable = core.Variable(self.names.fresh("each"))
        inner = Scope(
            scope.variables, Lowered(variable, base.places), scope.counts_versions, scope.calls
        )
        found = self.lowered(step.expression, inner)
        if found.places:
            return self.untranslated(step, "a step that is an expression and gives nodes")
        loop = core.Loop(
            (core.For(variable.name, base.expression),), found.expression, span=step.span
        )
        return Lowered(loop)

    def _time_constant(self, path: syntax.Path, scope: Scope) -> Lowered | None:
        """The time or duration that a lone name stands for, unless an element has it."""
        match path:
            case syntax.Path(None, (syntax.Step(name, "child", (), False),)):
                places = scope.context.places if scope.context else NOWHERE
                if self.structures.has_child(places, name):
                    return None
            case _:
                return None
        if name == "now":
            return Lowered(core.Now(span=path.span))
        if name == "start":
            return Lowered(core.Start(span=path.span))
        length = months_and_microseconds(name) if name not in ("P", "PT") else None
        return Lowered(core.Duration(*length, span=path.span)) if length else None
