"""Predicate graphs as the outside sees them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from millstream.sharing.predicates.atoms import Atom, edges, relations
from millstream.sharing.predicates.terms import ZERO


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """source ≤ target + weight, or (strict) source < target + weight."""

    source: str
    target: str
    weight: Fraction
    strict: bool


@dataclass(frozen=True, slots=True)
class PredicateGraph:
    """The difference constraints of one conjunction, none of them redundant."""

    nodes: tuple[str, ...]
    """Names of values, in order, and '0' for the constant zero."""
    edges: tuple[GraphEdge, ...]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the greatest value that a variable may have; None where there is no limit."""

    low: Fraction | None
    high: Fraction | None


def graph_of(atoms: tuple[Atom, ...]) -> PredicateGraph:
    """The graph of a conjunction."""
    found = [edge for relation in relations(atoms) for edge in edges(relation)]
    names = {str(term) for source, target, _ in found for term in (source, target)}
    return PredicateGraph(
        tuple(sorted(names | {ZERO.name})),
        tuple(
            GraphEdge(str(source), str(target), Fraction(weight), not included)
            for source, target, (weight, included) in found
        ),
    )
