"""Steps through holes, and to what is anywhere below."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from millstream.errors import QueryError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.translation.naming import call, numbers, union_of
from millstream.languages.xquery.translation.positions import may_count
from millstream.languages.xquery.translation.routes import MOST_ROUTES, Leg, Route, routes
from millstream.languages.xquery.translation.scope import Scope
from millstream.languages.xquery.translation.shape import Kind, Place, Shape
from millstream.languages.xquery.translation.translation_base import TranslationBase
from millstream.languages.xquery.translation.way import Way

OTHER_NODES = ("text()", "comment()", "processing-instruction()")
_CONTEXT = syntax.ContextItem()


class DescentTranslation(TranslationBase):
    """Translates what leads through holes."""

    @abstractmethod
    def unknown(self, shape: Shape, step: syntax.Step, known: Iterable[str]) -> QueryError:
        """The error for a step that leads nowhere."""

    def filled(self, way: Way, tsids: frozenset[int], step: syntax.Step, shape: Shape) -> Way:
        """The elements of a name in the holes of some tags: get_fillers(…/hole)/name."""
        holes = way.plus(self._hole(way.shape, tsids))
        return way.started(call("get_fillers", holes), step, shape=shape)

    def counted(
        self,
        way: Way,
        tsids: frozenset[int],
        predicates: tuple[syntax.Expression, ...],
        shape: Shape,
    ) -> Way:
        """The elements in the holes of each node, with predicates that count them."""
        holes = syntax.Path(None, (self._hole(way.shape, tsids),))
        asked = syntax.ExpressionStep(call("filled", holes), predicates)
        return way.then(asked, shape)

    def _hole(self, shape: Shape, tsids: frozenset[int]) -> syntax.Step:
        if self.structures.holes_in(shape.stored) == tsids:
            return syntax.Step("hole")
        own = syntax.Path(None, (syntax.Step("tsid", "attribute"),))
        return syntax.Step("hole", predicates=(syntax.Binary("=", own, numbers(tsids)),))

    def any_child(self, way: Way, step: syntax.Step, shape: Shape, scope: Scope) -> Way:
        """A child wherever it stands: inline, or in a hole."""
        predicates = self.predicates(step.predicates, shape, scope)
        asked = syntax.ExpressionStep(call("children", _CONTEXT), (*_tests(step.test), *predicates))
        return way.then(asked, shape, repeats=shape.may_be_copied)

    def family(self, way: Way) -> Way:
        """The nodes of a way, and all that is below them."""
        way = way.once()
        shape = self._below_or_self(way.shape)
        if self._needs_no_filling(way.shape):
            step: syntax.PathStep = syntax.Step("node()", "descendant-or-self")
        else:
            step = syntax.ExpressionStep(call("family", _CONTEXT))
        return way.then(step, shape, repeats=shape.may_be_copied).once()

    def deep(self, way: Way, step: syntax.Step, scope: Scope) -> Way:
        """//name, //* and the like: the children of the nodes and of all that is below them."""
        shape = self._descended(way.shape, step)
        way = way.once() if _finds_text(step.test) else way
        repeats = self._may_repeat_below(way.shape)
        if self._needs_no_filling(way.shape) and not (repeats and _finds_text(step.test)):
            predicates = self.predicates(step.predicates, shape, scope)
            native = syntax.Step(step.test, "child", predicates, deep=True)
            return way.then(native, shape, repeats=repeats)
        if not way.shape.copied and way.shape.known and "(" not in step.test and step.test != "*":
            found = routes(self.structures, way.shape.stored, step.test)
            if len(found) <= MOST_ROUTES:
                return self._routed(way, found, step, shape, scope)
        if step.test in OTHER_NODES:
            predicates = self.predicates(step.predicates, shape, scope)
            return self.family(way).then(syntax.Step(step.test, "child", predicates), shape)
        return self.any_child(self.family(way), step, shape, scope)

    def descendants(self, way: Way, step: syntax.Step, scope: Scope) -> Way:
        """The axes descendant and descendant-or-self, whose predicates count all nodes together."""
        plain = syntax.Step(step.test, "child", span=step.span)
        shape = self._descended(way.shape, plain)
        if step.axis == "descendant-or-self":
            shape |= way.shape
        way = way.once() if _finds_text(step.test) else way
        repeats = self._may_repeat_below(way.shape)
        predicates = self.predicates(step.predicates, shape, scope)
        native = self._needs_no_filling(way.shape) and not (repeats and _finds_text(step.test))
        if native and not step.deep:
            further = syntax.Step(step.test, step.axis, predicates)
            return way.then(further, shape, repeats=repeats)
        way = self.family(way) if step.deep else way.once()
        if may_count(step.predicates):
            found = syntax.ExpressionStep(_in_order(step), (*_tests(step.test), *predicates))
        else:
            below = syntax.Path(None, _anywhere(step, way.shape))
            found = syntax.ExpressionStep(below, predicates)
        return way.then(found, shape, repeats=shape.may_be_copied)

    def _routed(
        self, way: Way, found: tuple[Route, ...], step: syntax.Step, shape: Shape, scope: Scope
    ) -> Way:
        predicates = self.predicates(step.predicates, shape, scope)
        counts = may_count(step.predicates)
        ways = [self._along(way, route, predicates, counts, shape) for route in found]
        if len(ways) == 1:
            return ways[0]
        return way.started(union_of([each.expression for each in ways]), shape=shape)

    def _along(
        self,
        way: Way,
        route: Route,
        predicates: tuple[syntax.Expression, ...],
        counts: bool,
        shape: Shape,
    ) -> Way:
        """A way along the legs of a route; the predicates are those of the last one."""
        for leg in route:
            last = leg is route[-1]
            kept = predicates if last else ()
            reached = shape if last else self._reached_by(way.shape, leg)
            step = syntax.Step(leg.name, "child", kept, leg.deep)
            if not leg.tsids:
                way = way.then(step, reached)
            elif last and counts:
                way = self.counted(way, leg.tsids, kept, reached)
            else:
                way = self.filled(way, leg.tsids, step, reached)
        return way

    def _reached_by(self, shape: Shape, leg: Leg) -> Shape:
        return Shape(
            frozenset(
                Place(place.stream, tag.id)
                for place in shape.stored
                for tag in self.structures.children(place)
                if tag.name == leg.name
            )
        )

    def _needs_no_filling(self, shape: Shape) -> bool:
        """True if the nodes are put together, or have no holes in them."""
        if shape.may_be(Kind.ANY):
            return False
        return not any(self.structures.has_holes(place) for place in shape.stored)

    def _may_repeat_below(self, shape: Shape) -> bool:
        return any(self.structures.has_holes(place) for place in shape.copied)

    def _descended(self, shape: Shape, step: syntax.Step) -> Shape:
        """What a step that looks everywhere below finds; an error if it names what is not there."""
        if step.test in OTHER_NODES:
            return Shape.of(Kind.TEXT_NODE)
        name = None if step.test == "*" or "(" in step.test else step.test
        kinds = shape.kinds & {Kind.MADE, Kind.ANY}
        if step.test == "node()":
            kinds |= {Kind.TEXT_NODE}
        found = Shape(self._all(shape.stored, name), self._all(shape.copied, name), kinds)
        if name is not None and not found.places and not kinds:
            lines = (line for place in shape.places for line in self.structures.below(place))
            raise self.unknown(shape, step, {line[-1].name for line in lines})
        return found

    def _all(self, places: Iterable[Place], name: str | None) -> frozenset[Place]:
        return frozenset(
            Place(place.stream, line[-1].id)
            for place in places
            for line in self.structures.below(place)
            if name in (None, line[-1].name)
        )

    def _below_or_self(self, shape: Shape) -> Shape:
        kinds = shape.kinds | {Kind.TEXT_NODE}
        below = Shape(self._all(shape.stored, None), self._all(shape.copied, None), kinds)
        return below | shape


def _in_order(step: syntax.Step) -> syntax.Expression:
    """All below the context item in the order of the view, for predicates that count."""
    below = call("below", _CONTEXT)
    return below if step.axis == "descendant" else syntax.Sequence((_CONTEXT, below))


def _anywhere(step: syntax.Step, shape: Shape) -> tuple[syntax.PathStep, ...]:
    """The steps to what passes a test anywhere below the context item, or to itself."""
    family = call("family", _CONTEXT)
    everything = call("once", family) if shape.may_be_copied else family
    inner: syntax.Expression = syntax.Path(
        None, (syntax.ExpressionStep(call("children", _CONTEXT), _tests(step.test)),)
    )
    if step.axis == "descendant-or-self":
        itself = syntax.Path(None, (syntax.Step(step.test, "self"),))
        inner = syntax.Binary("|", itself, inner)
    return (syntax.ExpressionStep(everything), syntax.ExpressionStep(inner))


def _finds_text(test: str) -> bool:
    """True if a test finds nodes that carry no mark: what they stand in must be there once."""
    return test == "node()" or test in OTHER_NODES


def _tests(test: str) -> tuple[syntax.Expression, ...]:
    """The predicate that nodes pass which a test would find."""
    if test == "node()":
        return ()
    return (syntax.Path(None, (syntax.Step(test, "self"),)),)
