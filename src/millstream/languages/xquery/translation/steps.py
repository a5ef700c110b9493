"""Steps of paths: through holes where the tag structure says so, else as they were written."""

from __future__ import annotations

from collections.abc import Iterable

from millstream.errors import QueryError, UnsupportedError, did_you_mean
from millstream.languages.xquery import syntax
from millstream.languages.xquery.translation.descent import OTHER_NODES, DescentTranslation
from millstream.languages.xquery.translation.naming import OF_XQUERY, call, text
from millstream.languages.xquery.translation.positions import may_count
from millstream.languages.xquery.translation.scope import Scope
from millstream.languages.xquery.translation.shape import NOTHING, Kind, Place, Shape
from millstream.languages.xquery.translation.way import Way

VIEW_ATTRIBUTES = ("vtFrom", "vtTo")
ANY_ELEMENT = ("*", "element()", "element(*)")
_DOWNWARD = ("child", "descendant", "descendant-or-self")


class StepTranslation(DescentTranslation):
    """Translates single steps."""

    def step(self, way: Way, step: syntax.PathStep, scope: Scope) -> Way:
        """One step further on a way."""
        if isinstance(step, syntax.ExpressionStep):
            return self._asked(way, step, scope)
        _check_name(step)
        match step.axis:
            case "attribute":
                return self._attribute(way, step, scope)
            case "self":
                return self._self(way, step, scope)
            case axis if axis in _DOWNWARD:
                return self._down(way, step, scope)
        raise UnsupportedError(
            f"the {step.axis} axis is not supported",
            span=step.span,
            help="an element may stand in several versions of what is above it: go down from there",
        )

    def _asked(self, way: Way, step: syntax.ExpressionStep, scope: Scope) -> Way:
        """A step that is an expression, asked of each node."""
        way = self.family(way) if step.deep else way.once()
        found = self.translated(step.expression, scope.within(way.shape))
        predicates = self.predicates(step.predicates, found.shape, scope)
        further = syntax.ExpressionStep(found.expression, predicates)
        return way.then(further, found.shape, repeats=found.shape.may_be_copied)

    def _attribute(self, way: Way, step: syntax.Step, scope: Scope) -> Way:
        way = self.family(way) if step.deep else way.once()
        shape = Shape.of(Kind.ATTRIBUTE)
        predicates = self.predicates(step.predicates, shape, scope)
        if step.test in VIEW_ATTRIBUTES and way.shape.has_elements:
            # Made attributes stand in no document: only their sequence has an order.
            made: syntax.Expression = call("attribute", way.expression, text(step.test))
            return Way(syntax.Filter(made, predicates) if predicates else made, shape)
        if step.test in ("*", "node()") and not self._hides_nothing(way.shape):
            predicates = (call("visible", syntax.ContextItem()), *predicates)
        return way.then(syntax.Step(step.test, "attribute", predicates), shape)

    def _hides_nothing(self, shape: Shape) -> bool:
        return not shape.copied and shape.known

    def _self(self, way: Way, step: syntax.Step, scope: Scope) -> Way:
        if step.deep and step.test == "node()":
            everything = syntax.Step(
                "node()", "descendant-or-self", step.predicates, span=step.span
            )
            return self.descendants(way, everything, scope)
        way = self.family(way) if step.deep else way
        shape = self._tested(way.shape, step.test)
        predicates = self.predicates(step.predicates, shape, scope)
        return way.then(syntax.Step(step.test, "self", predicates), shape)

    def _tested(self, shape: Shape, test: str) -> Shape:
        """What of a shape may have a name."""
        if "(" in test or test == "*":
            return shape
        return Shape(self._named(shape.stored, test), self._named(shape.copied, test), shape.kinds)

    def _named(self, places: Iterable[Place], name: str) -> frozenset[Place]:
        return frozenset(
            place
            for place in places
            if place.tag is not None and self.structures.tag(place).name == name
        )

    def _down(self, way: Way, step: syntax.Step, scope: Scope) -> Way:
        if way.shape == NOTHING:
            return way.then(syntax.Step(step.test, step.axis, deep=step.deep), NOTHING)
        if not way.shape.has_elements:
            raise QueryError("this is a value, which has no elements inside", span=step.span)
        if step.axis != "child":
            return self.descendants(way, step, scope)
        if step.deep:
            return self.deep(way, step, scope)
        return self._child(way, step, scope)

    def _child(self, way: Way, step: syntax.Step, scope: Scope) -> Way:
        if step.test in OTHER_NODES:
            way, shape = way.once(), Shape.of(Kind.TEXT_NODE)
            predicates = self.predicates(step.predicates, shape, scope)
            return way.then(syntax.Step(step.test, "child", predicates), shape)
        shape = self.reached(way.shape, step)
        way = way.once() if step.test == "node()" else way
        if way.shape.stored and (way.shape.copied or not way.shape.known):
            return self.any_child(way, step, shape, scope)
        if way.shape.may_be(Kind.ANY):
            return self.any_child(way, step, shape, scope)
        if way.shape.stored:
            return self._stored_child(way, step, shape, scope)
        predicates = self.predicates(step.predicates, shape, scope)
        repeats = self._may_repeat(way.shape, shape)
        return way.then(syntax.Step(step.test, "child", predicates), shape, repeats=repeats)

    def _stored_child(self, way: Way, step: syntax.Step, shape: Shape, scope: Scope) -> Way:
        """A child in fillers: inline, in holes, or here the one and there the other."""
        sources = way.shape.stored
        crossed = self.structures.holes_in(sources) & {place.tag for place in shape.stored}
        if crossed and step.test in (*ANY_ELEMENT, "node()"):
            return self.any_child(way, step, shape, scope)
        predicates = self.predicates(step.predicates, shape, scope)
        inline = syntax.Step(step.test, "child", predicates)
        if not crossed:
            return way.then(inline, shape)
        tsids = frozenset(tag for tag in crossed if tag is not None)
        if may_count(step.predicates):
            through = self.counted(way, tsids, predicates, shape)
        else:
            through = self.filled(way, tsids, inline, shape)
        if crossed == {place.tag for place in shape.stored}:
            return through
        both = syntax.Binary("|", way.plus(inline), through.expression)
        return way.started(both, shape=shape)

    def _may_repeat(self, above: Shape, below: Shape) -> bool:
        return any(
            self.structures.may_repeat(place, tag)
            for place in above.copied
            for tag in self.structures.children(place)
            if Place(place.stream, tag.id) in below.copied
        )

    def reached(self, shape: Shape, step: syntax.Step) -> Shape:
        """The children that a step leads to; an error if it names what is not there."""
        kinds = shape.kinds & {Kind.MADE, Kind.ANY}
        if step.test == "node()":
            kinds |= {Kind.TEXT_NODE}
        name = None if step.test in (*ANY_ELEMENT, "node()") else _name(step.test)
        found = Shape(self._children(shape.stored, name), self._children(shape.copied, name), kinds)
        if name is not None and not found.places and not kinds:
            raise self.unknown(shape, step, self._names(shape.places))
        return found

    def _children(self, places: Iterable[Place], name: str | None) -> frozenset[Place]:
        return frozenset(
            Place(place.stream, tag.id)
            for place in places
            for tag in self.structures.children(place)
            if name in (None, tag.name)
        )

    def _names(self, places: Iterable[Place]) -> list[str]:
        return [tag.name for place in places for tag in self.structures.children(place)]

    def unknown(self, shape: Shape, step: syntax.Step, known: Iterable[str]) -> QueryError:
        """The error for a step that leads nowhere."""
        names = list(known)
        above = min(self.structures.path(place) for place in shape.places)
        if not names:
            return QueryError(
                f"{above} has no elements inside", code="unknown-path", span=step.span
            )
        return QueryError(
            f"{above} has no element {step.test}",
            code="unknown-path",
            span=step.span,
            help=did_you_mean(step.test, names),
        )


def _name(test: str) -> str:
    """The name that a test asks for: of the element itself, or in parentheses."""
    return test.removeprefix("element(").removesuffix(")")


def _check_name(step: syntax.Step) -> None:
    prefix, colon, _ = step.test.partition(":")
    if colon and prefix not in OF_XQUERY:
        raise UnsupportedError("a name with a prefix is not supported here", span=step.span)
