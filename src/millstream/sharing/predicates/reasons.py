"""Why a condition is not implied, for people."""

from __future__ import annotations

from millstream.algebra.expressions import Literal
from millstream.sharing.predicates.atoms import Bound, Edge, Part, Relation, edges, relations
from millstream.sharing.predicates.predicate import Predicate
from millstream.sharing.predicates.rendering import limit_text, text_of
from millstream.sharing.predicates.terms import ZERO, Kind, Term


def reason(part: Part, stronger: Predicate) -> str:
    """What the condition needs, and what the stronger predicate allows instead."""
    return f"needs {text_of(part)}; the new subscription {_instead(part, stronger)}"


def _instead(part: Part, stronger: Predicate) -> str:
    if isinstance(part, Relation):
        for edge in edges(part):
            if not all(case.closure.within(*edge) for case in stronger.cases):
                return _allowed(edge, stronger)
    return "does not ask for it"


def _allowed(edge: Edge, stronger: Predicate) -> str:
    source, target, _ = edge
    term = target if source == ZERO else source
    if term.kind is Kind.TEXT:
        known = any(term in case.closure for case in stronger.cases)
        return f"allows other values of {term}" if known else f"does not ask for {term}"
    widest = _widest(source, target, stronger)
    if widest is None:
        if ZERO in (source, target):
            return f"does not bound {term}{_direction(edge, stronger)}"
        return f"does not relate {source} to {target}"
    limit = limit_text(source, target, widest, _written(source, target, widest, stronger))
    return f"allows {term} {'down to' if source == ZERO else 'up to'} {limit}"


def _direction(edge: Edge, stronger: Predicate) -> str:
    """Which bound is missing, if there is one on the other side."""
    source, target, _ = edge
    if _widest(target, source, stronger) is None:
        return ""
    return " from below" if source == ZERO else " from above"


def _widest(source: Term, target: Term, stronger: Predicate) -> Bound | None:
    """The bound that holds in all cases."""
    found = [case.closure.distance(source, target) for case in stronger.cases]
    known = [each for each in found if each is not None]
    return max(known, default=None) if len(known) == len(found) else None


def _written(source: Term, target: Term, bound: Bound, stronger: Predicate) -> Literal | None:
    """A bound as the query wrote it."""
    for case in stronger.cases:
        for relation in relations(case.atoms):
            as_written = abs(relation.offset) == abs(bound[0])
            if as_written and (source, target, bound) in edges(relation):
                return relation.written
    return None
