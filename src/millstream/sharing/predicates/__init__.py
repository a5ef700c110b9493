"""Predicates as graphs: satisfiable or not, minimal, implied by one another, and what remains.

A predicate is a conjunction of atoms and of clauses (alternatives). Atoms about single values are
difference constraints, decided on the closed graph of all that holds together; the others stand
alone. Everything here is sound: a 'yes' is true of every item, absent elements, NaN and rounded
sums included. A 'no' may mean 'not known': beyond the limits on cases, for the order of texts, for
sums of numbers that are no integers (they are rounded, so no constant is moved), and for
conditions of which nothing is known but that equal ones are equally true. Two limits of the
numbers themselves: integers that are compared with other numbers are taken to lie within ±2^53,
and sums of integers to fit in 64 bits.
"""

from millstream.sharing.predicates.graph import Bounds, GraphEdge, PredicateGraph
from millstream.sharing.predicates.implication import Implication, equivalent, implies, residual
from millstream.sharing.predicates.predicate import TRUE, Predicate, conjunction, predicate_of
from millstream.sharing.predicates.variables import Resolve, Variable, item_resolver

__all__ = [
    "TRUE",
    "Bounds",
    "GraphEdge",
    "Implication",
    "Predicate",
    "PredicateGraph",
    "Resolve",
    "Variable",
    "conjunction",
    "equivalent",
    "implies",
    "item_resolver",
    "predicate_of",
    "residual",
]
