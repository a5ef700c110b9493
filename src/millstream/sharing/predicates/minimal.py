"""Predicates without redundant atoms.

Atoms are dropped one by one, each if the others imply it. So of values that must be equal some
way round a cycle is kept, where dropping all implied atoms at once would lose it.
"""

from __future__ import annotations

from collections.abc import Iterable

from millstream.sharing.predicates.atoms import FALSE, Atom, Clause, Part, Relation, edges
from millstream.sharing.predicates.closure import Closure, plus
from millstream.sharing.predicates.facts import Facts
from millstream.sharing.predicates.normal_form import disjunction


def irredundant(atoms: tuple[Atom, ...]) -> tuple[Atom, ...]:
    """Atoms that hold where these do, none of them implied by the others."""
    kept = tuple(dict.fromkeys(atoms))
    facts = Facts(kept)
    if facts.refuted():
        return (FALSE,)
    if facts.plain:
        # No shortest path goes over an edge that is looser than another way round.
        kept = tuple(atom for atom in kept if not _is_loose(atom, facts.closure))
    for atom in kept:
        if facts.plain and isinstance(atom, Relation) and not _has_rival(atom, kept, facts.closure):
            continue
        others = tuple(each for each in kept if each != atom)
        if Facts(others).entails(atom):
            kept = others
    return kept


def _is_loose(atom: Atom, closure: Closure) -> bool:
    """True if other atoms leave less room than this one."""
    if not isinstance(atom, Relation):
        return False
    known = ((closure.distance(source, target), bound) for source, target, bound in edges(atom))
    return all(distance is not None and distance < bound for distance, bound in known)


def _has_rival(relation: Relation, atoms: tuple[Atom, ...], closure: Closure) -> bool:
    """True if each edge of a relation may follow from others."""
    others = {
        (source, target)
        for each in atoms
        if isinstance(each, Relation) and each != relation
        for source, target, _ in edges(each)
    }
    return all(
        source == target
        or (source, target) in others
        or any(
            plus(head, tail) <= bound
            for middle in closure.terms.values()
            if middle not in (source, target)
            and (head := closure.distance(source, middle)) is not None
            and (tail := closure.distance(middle, target)) is not None
        )
        for source, target, bound in edges(relation)
    )


def simplified(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts with redundant atoms, alternatives and clauses left out."""
    atoms = irredundant(tuple(each for each in parts if not isinstance(each, Clause)))
    clauses = dict.fromkeys(each for each in parts if isinstance(each, Clause))
    if not clauses or atoms == (FALSE,):
        return atoms
    facts = Facts(atoms)
    reduced = [part for each in clauses for part in _narrowed(each, facts)]
    if any(not isinstance(each, Clause) for each in reduced):
        # A clause of one alternative is no clause: its atoms may narrow the others further.
        return simplified((*atoms, *reduced))
    return (*atoms, *_uncovered(tuple(dict.fromkeys(reduced)), facts))


def _narrowed(clause: Clause, facts: Facts) -> tuple[Part, ...]:
    """A clause without what the facts rule out or say already."""
    possible: list[tuple[Atom, ...]] = []
    for alternative in clause.written:
        if facts.extended(alternative).refuted():
            continue
        rest = tuple(atom for atom in alternative if not facts.entails(atom))
        possible.append(irredundant(rest))
    return disjunction(_widest(possible, facts))


def _uncovered(parts: tuple[Part, ...], facts: Facts) -> tuple[Part, ...]:
    """The clauses that do not follow from another one."""
    clauses = [each for each in parts if isinstance(each, Clause)]
    cases = {each: [facts.extended(atoms) for atoms in each.written] for each in clauses}
    for clause in tuple(clauses):
        others = [each for each in clauses if each != clause]
        if any(all(_meets(case, clause) for case in cases[each]) for each in others):
            clauses = others
    return tuple(clauses)


def _meets(facts: Facts, clause: Clause) -> bool:
    """True if an alternative of a clause is known to hold."""
    return any(all(facts.entails(atom) for atom in each) for each in clause.written)


def _widest(alternatives: Iterable[tuple[Atom, ...]], facts: Facts) -> tuple[tuple[Atom, ...], ...]:
    """The alternatives that no other one contains."""
    kept = list(dict.fromkeys(alternatives))
    for each in tuple(kept):
        known = facts.extended(each)
        others = [other for other in kept if other != each]
        if any(all(known.entails(atom) for atom in other) for other in others):
            kept = others
    return tuple(kept)
