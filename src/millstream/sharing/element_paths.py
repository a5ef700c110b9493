"""Which elements of an item expressions use: paths from the item, down to the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from millstream.algebra.children import children
from millstream.algebra.expressions import (
    CONTEXT,
    Call,
    Each,
    Expression,
    If,
    NewElement,
    PathTo,
    Quantified,
    Sequence,
    Step,
)
from millstream.algebra.functions import FUNCTIONS, Gives
from millstream.model.schema import Content, Element, Path, Schema

Origins = frozenset[Path]
"""Where in the item the nodes of a variable may stand."""

Environment = Mapping[str, Origins]
"""The variables that hold nodes of the item."""

NOWHERE: Origins = frozenset()
ITSELF: Origins = frozenset({()})


def all_paths(schema: Schema) -> frozenset[Path]:
    """Every text-holding place of an item."""
    return frozenset(_below(schema.item, ()))


def whole(path: Path, schema: Schema) -> frozenset[Path]:
    """The text-holding places of what a path leads to."""
    element = None if path and path[-1].startswith("@") else schema.element(path)
    return frozenset((path,)) if element is None else frozenset(_below(element, path))


def _below(element: Element, path: Path) -> Iterator[Path]:
    for attribute in element.attributes:
        yield (*path, f"@{attribute.name}")
    if element.content is not Content.NESTED or not element.children:
        yield path
    for child in element.children:
        yield from _below(child, (*path, child.name))


@dataclass(slots=True)
class ElementUse:
    """Collects what expressions use of the items of one schema."""

    schema: Schema
    paths: set[Path] = field(default_factory=set)

    def add(self, path: Path, *, text: bool = False) -> None:
        """Note the use of a node, or of the text of a leaf alone."""
        element = self.schema.element(path)
        leaf = element is not None and element.content is Content.LEAF
        self.paths |= {path} if text and leaf else whole(path, self.schema)

    def note(self, expression: Expression, known: Environment, *, text: bool = True) -> None:
        """Note what an expression uses; unless only its text is, its nodes are used whole."""
        match expression:
            case PathTo():
                for path in self.reached(expression, known):
                    self.add(path, text=text)
            case Each():
                self._loop(expression, known, text)
            case Quantified(_, variable, source, condition):
                places = self.origins(source, known)
                self.note(condition, {**known, variable: places})
                self.exist(places)
            case If(condition, then, otherwise):
                self.note(condition, known)
                self.note(then, known, text=text)
                self.note(otherwise, known, text=text)
            case _:
                for child, only_text in _parts(expression, text):
                    self.note(child, known, text=only_text)

    def origins(self, expression: Expression, known: Environment) -> Origins:
        """Where the nodes that an expression gives may stand; all else that it uses is noted."""
        match expression:
            case PathTo():
                return self.reached(expression, known)
            case Sequence(items):
                return NOWHERE.union(*(self.origins(each, known) for each in items))
            case If(condition, then, otherwise):
                self.note(condition, known)
                return self.origins(then, known) | self.origins(otherwise, known)
            case Each(variable, source, result, condition):
                places = self.origins(source, known)
                inner = {**known, variable: places}
                if condition is not None:
                    self.note(condition, inner)
                found = self.origins(result, inner)
                self.exist(places, found)
                return found
            case Call(function, (argument,)) if _gives_argument(function):
                return self.origins(argument, known)
            case _:
                self.note(expression, known, text=False)
                return NOWHERE

    def exist(self, places: Origins, also: Iterable[Path] = ()) -> None:
        """Note nodes that were gone through, unless something inside them is used anyway."""
        used = (*self.paths, *also)
        for place in places - ITSELF:
            if not any(path[: len(place)] == place for path in used):
                self.add(place)

    def reached(self, path: PathTo, known: Environment) -> Origins:
        """Where a path leads; what its predicates use is noted."""
        places = known.get(path.variable, NOWHERE)
        for step in path.steps:
            places = frozenset(each for place in places for each in self._step(place, step))
            for predicate in step.predicates:
                self.note(predicate, {**known, CONTEXT: places})
        return places

    def _step(self, place: Path, step: Step) -> Iterator[Path]:
        if step.name == "text()":
            yield place
        elif step.name == "*":
            element = self.schema.element(place)
            for child in element.children if element else ():
                yield (*place, child.name)
        else:
            yield (*place, step.name)

    def _loop(self, loop: Each, known: Environment, text: bool) -> None:
        places = self.origins(loop.source, known)
        inner = {**known, loop.variable: places}
        if loop.condition is not None:
            self.note(loop.condition, inner)
        self.note(loop.result, inner, text=text)
        self.exist(places)


def _parts(expression: Expression, text: bool) -> Iterator[tuple[Expression, bool]]:
    """The parts of an expression, and whether only the text of their nodes is used."""
    match expression:
        case NewElement(_, attributes, content):
            yield from ((part, True) for each in attributes for part in each.parts)
            yield from ((part, False) for part in content)
        case Sequence(items):
            yield from ((item, text) for item in items)
        case Call(function, arguments):
            known = FUNCTIONS.get(function)
            only_text = known is not None and (text or known.gives is not Gives.SAME)
            yield from ((argument, only_text) for argument in arguments)
        case _:
            yield from ((child, True) for child in children(expression))


def _gives_argument(function: str) -> bool:
    return function in FUNCTIONS and FUNCTIONS[function].gives is Gives.SAME
