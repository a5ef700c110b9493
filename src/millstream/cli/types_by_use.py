"""Types of elements that only a query can tell: what is used as a number is taken for one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from millstream.algebra.children import children
from millstream.algebra.expressions import (
    CONTEXT,
    Arithmetic,
    Call,
    Compare,
    Each,
    Expression,
    Literal,
    PathTo,
    Quantified,
)
from millstream.algebra.functions import FUNCTIONS, NUMERIC_AGGREGATES, Gives
from millstream.algebra.operators import Operator, Query, Scan, Unnest, Window
from millstream.algebra.walk import expressions, operators
from millstream.model.schema import Path

Place = tuple[str, Path]
"""A stream, and a path from its item."""

Known = Mapping[str, Place]

ON_NUMBERS = NUMERIC_AGGREGATES | {"round", "floor", "ceiling", "abs"}
"""The functions of the library that are about numbers."""


def used_as_numbers(queries: Iterable[Query]) -> frozenset[Place]:
    """The places whose text is computed with, or compared with numbers."""
    use = _Use()
    for query in queries:
        for branch in query.branches:
            known = use.rows(branch.input)
            use.look(branch.template, known)
    use.spread()
    return frozenset(use.numbers)


@dataclass(slots=True)
class _Use:
    numbers: set[Place] = field(default_factory=set)
    compared: list[tuple[Place, Place]] = field(default_factory=list)

    def rows(self, operator: Operator) -> Known:
        """What the variables of a branch hold; the expressions of its operators are looked at."""
        known: dict[str, Place] = {}
        for each in reversed(tuple(operators(operator))):
            if isinstance(each, Scan):
                known[each.variable] = (each.stream, ())
            elif isinstance(each, Window):
                self._window(each, known)
            elif isinstance(each, Unnest):
                place = self._place(each.source, known)
                if place is not None:
                    known[each.variable] = place
            for expression in expressions(each):
                self.look(expression, known)
        return known

    def _window(self, window: Window, known: dict[str, Place]) -> None:
        stream, path = known[window.input.bindings[-1].variable]
        known[window.variable] = (stream, path)
        if window.spec.reference:
            self.numbers.add((stream, (*path, *window.spec.reference)))
        for each in window.aggregations:
            place = self._place(each.source, known)
            if place is None or each.function.value == "count":
                continue
            known[each.variable] = place
            if each.function.value in NUMERIC_AGGREGATES:
                self.numbers.add(place)

    def look(self, expression: Expression, known: Known) -> None:
        """Note what an expression uses as numbers."""
        match expression:
            case PathTo(variable, steps):
                for number, step in enumerate(steps, 1):
                    place = self._place(PathTo(variable, steps[:number]), known)
                    inner = known if place is None else {**known, CONTEXT: place}
                    for predicate in step.predicates:
                        self.look(predicate, inner)
                return
            case Each(variable, source) | Quantified(_, variable, source):
                place = self._place(source, known)
                known = known if place is None else {**known, variable: place}
            case Compare(_, left, right):
                self._compare(left, right, known)
                self._compare(right, left, known)
            case Arithmetic(_, left, right):
                self._note((left, right), known)
            case Call(function, arguments) if function in ON_NUMBERS:
                self._note(arguments, known)
        for child in children(expression):
            self.look(child, known)

    def spread(self) -> None:
        """What is compared with a number is one."""
        size = -1
        while size != len(self.numbers):
            size = len(self.numbers)
            self.numbers |= {one for one, other in self.compared if other in self.numbers}

    def _compare(self, one: Expression, other: Expression, known: Known) -> None:
        place, beside = self._place(one, known), self._place(other, known)
        if place is None:
            return
        if _is_number(other):
            self.numbers.add(place)
        elif beside is not None:
            self.compared.append((place, beside))

    def _note(self, operands: Iterable[Expression], known: Known) -> None:
        places = (self._place(each, known) for each in operands)
        self.numbers |= {place for place in places if place is not None}

    def _place(self, expression: Expression, known: Known) -> Place | None:
        if not isinstance(expression, PathTo) or expression.variable not in known:
            return None
        stream, path = known[expression.variable]
        names = tuple(step.name for step in expression.steps if step.name != "text()")
        return stream, (*path, *names)


def _is_number(expression: Expression) -> bool:
    match expression:
        case Literal(value):
            return not isinstance(value, bool | str)
        case Arithmetic():
            return True
        case Call(function):
            return function in FUNCTIONS and FUNCTIONS[function].gives is Gives.NUMBER
    return False
