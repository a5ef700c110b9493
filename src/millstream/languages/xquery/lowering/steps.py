"""From the steps that were written to child steps, by what the schema says there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from millstream.errors import QueryError, UnsupportedError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.lowering import places
from millstream.languages.xquery.lowering.places import Place
from millstream.model.schema import Content


@dataclass(frozen=True, slots=True)
class Taken:
    """One step down: its name in the algebra, where it leads, and the predicates it has."""

    name: str
    place: Place
    predicates: tuple[syntax.Expression, ...] = ()


Way = tuple[Taken, ...]
"""Steps from a node downwards."""


def resolve(start: Place, steps: tuple[syntax.Step, ...]) -> Way:
    """The one way that the steps describe; an error if there is none, or several."""
    ways: list[Way] = [()]
    for number, step in enumerate(steps):
        last = number == len(steps) - 1
        found = [(*way, *more) for way in ways for more in _continued(_end(start, way), step, last)]
        if not found:
            raise _dead_end(_end(start, ways[0]), step)
        ways = found
    if len(ways) > 1:
        raise _ambiguous(ways, steps[-1])
    return ways[0]


def _end(start: Place, way: Way) -> Place:
    return way[-1].place if way else start


def _continued(place: Place, step: syntax.Step, last: bool) -> Iterator[Way]:
    """The ways in which a step goes on from a place, its predicates at the end of each."""
    _refuse_unreadable(place, step)
    if step.axis == "child" and step.test == "*" and last and not step.deep:
        yield _any_child(place, step)
        return
    for way in _deep(place, step) if step.deep else _direct(place, step):
        if step.predicates and not way:
            raise _unsupported(step, "a predicate on '.'", "put it on the step before")
        yield (*way[:-1], *(Taken(each.name, each.place, step.predicates) for each in way[-1:]))


def _deep(place: Place, step: syntax.Step) -> Iterator[Way]:
    """The ways to what a step finds from a node or from anything below it."""
    everything = tuple(_below(place))
    for _, each in everything:
        _refuse_hidden(each, step)
    for above, each in everything:
        for way in _direct(each, step):
            yield (*above, *way)


def _direct(place: Place, step: syntax.Step) -> Iterator[Way]:
    finder = _AXES.get(step.axis)
    if finder is None:
        raise _unsupported(step, f"the {step.axis} axis", "paths go down from an item")
    return finder(place, step)


def _child(place: Place, step: syntax.Step) -> Iterator[Way]:
    found: tuple[Place | None, ...]
    if step.test == "text()":
        found = (places.text(place),)
    elif step.test == "*" or step.test in ("element()", "element(*)"):
        found = places.children(place)
    elif "(" in step.test:
        raise _unsupported(step, f"the test {step.test}", "name the element, or write * or text()")
    else:
        found = (places.child(place, step.test),)
    for each in found:
        if each is not None:
            yield (Taken(each.names[-1], each),)


def _attribute(place: Place, step: syntax.Step) -> Iterator[Way]:
    if not _is_name(step.test):
        raise _unsupported(step, f"@{step.test}", "name the attribute")
    found = places.attribute(place, step.test)
    if found is not None:
        yield (Taken(f"@{step.test}", found),)


def _self(place: Place, step: syntax.Step) -> Iterator[Way]:
    if step.test in ("node()", "*") or place.names[-1:] == (step.test,):
        yield ()


def _descendant(place: Place, step: syntax.Step) -> Iterator[Way]:
    return _deep(place, syntax.Step(step.test, span=step.span))


def _descendant_or_self(place: Place, step: syntax.Step) -> Iterator[Way]:
    if step.test == "node()":
        raise _unsupported(step, "descendant-or-self::node()", "write '//' and a name")
    yield from _self(place, step)
    yield from _descendant(place, step)


_AXES: dict[str, Callable[[Place, syntax.Step], Iterator[Way]]] = {
    "child": _child,
    "attribute": _attribute,
    "self": _self,
    "descendant": _descendant,
    "descendant-or-self": _descendant_or_self,
}


def _below(place: Place) -> Iterator[tuple[Way, Place]]:
    """The node itself and every element below it, with the way to each."""
    yield (), place
    for each in places.children(place):
        for way, found in _below(each):
            yield (Taken(each.names[-1], each), *way), found


def _any_child(place: Place, step: syntax.Step) -> Way:
    """The step '*' at the end of a path: it stays as it is unless there is only one child."""
    found = places.children(place)
    if not found:
        raise QueryError(f"{place} has no elements inside", span=step.span)
    if len(found) == 1:
        return (Taken(found[0].names[-1], found[0], step.predicates),)
    anything = Place(place.stream, (*place.names, "*"), None, None, place)
    return (Taken("*", anything, step.predicates),)


def _refuse_unreadable(place: Place, step: syntax.Step) -> None:
    """An error if the schema cannot say what stands below a place."""
    if place.names[-1:] == ("*",):
        raise _unsupported(step, "a step below '*'", "name the element instead of '*'")
    element = place.element
    if element is not None and element.content is Content.RAW and step.axis != "attribute":
        raise _unsupported(
            step,
            f"a path into {place.path}, whose content is mixed, recursive or in free order,",
            "use the element as a whole, or its text with string()",
        )


def _refuse_hidden(place: Place, step: syntax.Step) -> None:
    """An error if something that is kept as XML text may hold what '//' looks for."""
    if place.element is not None and place.element.content is Content.RAW:
        raise _unsupported(
            step,
            f"'//' above {place.path}, whose content is not known,",
            "write the path with single slashes",
        )


def _dead_end(place: Place, step: syntax.Step) -> QueryError:
    if step.test == "text()":
        return QueryError(
            f"{place.path or 'a document'} has no text of its own",
            span=step.span,
            help="text() is for elements that hold text only",
        )
    sign = "@" if step.axis == "attribute" else ""
    return places.unknown(place, sign + step.test, step.span)


def _ambiguous(ways: list[Way], step: syntax.Step) -> UnsupportedError:
    paths = ", ".join(way[-1].place.path for way in ways if way)
    return _unsupported(step, "a path that may mean several elements", f"choose one of {paths}")


def _unsupported(step: syntax.Step, what: str, help: str) -> UnsupportedError:
    return UnsupportedError(f"{what} is not supported", span=step.span, help=help)


def _is_name(test: str) -> bool:
    return test != "*" and "(" not in test
