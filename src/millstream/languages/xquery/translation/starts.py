"""Where a path of the strategy qac+ begins: at the fillers of the tag that it leads to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from millstream.languages.xquery import syntax
from millstream.languages.xquery.translation.naming import call, numbers, text, union_of
from millstream.languages.xquery.translation.positions import may_count
from millstream.languages.xquery.translation.routes import MOST_ROUTES
from millstream.languages.xquery.translation.shape import Place
from millstream.languages.xquery.translation.structures import Structures

_Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Start:
    """Where a path can begin that goes down a stream, and how many of its steps that saves."""

    stream: str
    places: frozenset[Place]
    steps: int
    predicates: tuple[syntax.Expression, ...]
    """Those of the last step that is saved; none of them counts."""


def start_of(
    structures: Structures, document: Place, steps: tuple[syntax.PathStep, ...]
) -> Start | None:
    """The furthest start of a path: steps with predicates in between must be gone through."""
    places, saved = frozenset({document}), 0
    predicates: tuple[syntax.Expression, ...] = ()
    for step in steps:
        if not is_by_name(step) or predicates or may_count(step.predicates):
            break
        found = _reached(structures, places, step)
        if not found:
            return None
        places, saved, predicates = found, saved + 1, step.predicates
    return Start(document.stream, places, saved, predicates) if saved else None


def beginning(
    structures: Structures, start: Start, predicates: tuple[syntax.Expression, ...]
) -> syntax.Expression | None:
    """The nodes of a start, its predicates given translated; None if it has too many parts."""
    parts: dict[tuple[_Names, bool], set[int]] = {}
    for place in start.places:
        names, tsid = _from_filler(structures, place)
        parts.setdefault((names, tsid is None), set()).update([] if tsid is None else [tsid])
    if len(parts) > MOST_ROUTES:
        return None
    return union_of(
        [
            _part(start.stream, names, tsids, predicates)
            for (names, _), tsids in sorted(parts.items())
        ]
    )


def _part(
    stream: str, names: _Names, tsids: Iterable[int], predicates: tuple[syntax.Expression, ...]
) -> syntax.Expression:
    listed = sorted(tsids)
    if listed:
        origin = call("fillers_of", text(stream), numbers(listed))
    else:
        origin = call("stream", text(stream))
    *above, last = names
    steps = (*(syntax.Step(name) for name in above), syntax.Step(last, predicates=predicates))
    return syntax.Path(origin, steps)


def _from_filler(structures: Structures, place: Place) -> tuple[_Names, int | None]:
    """The names from the element of a filler down to a place, and the filler's tag.

    The root's filler is found by itself, without its tag.
    """
    line = structures.line(place)
    for above in range(len(line) - 1, 0, -1):
        if line[above].fragmented:
            return tuple(tag.name for tag in line[above:]), line[above].id
    return tuple(tag.name for tag in line), None


def is_by_name(step: syntax.PathStep) -> bool:
    """True for a child, or a descendant, by its name or any."""
    return isinstance(step, syntax.Step) and step.axis == "child" and "(" not in step.test


def _reached(
    structures: Structures, places: frozenset[Place], step: syntax.PathStep
) -> frozenset[Place]:
    assert isinstance(step, syntax.Step), "told apart by is_by_name"
    found = set()
    for place in places:
        if step.deep:
            tags = [line[-1] for line in structures.below(place)]
        else:
            tags = list(structures.children(place))
        found |= {Place(place.stream, tag.id) for tag in tags if step.test in ("*", tag.name)}
    return frozenset(found)
