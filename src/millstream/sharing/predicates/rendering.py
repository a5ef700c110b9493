"""Atoms back in the algebra, and as text for people."""

from __future__ import annotations

from millstream.algebra.expressions import (
    And,
    Arithmetic,
    Call,
    Compare,
    Expression,
    Literal,
    Or,
)
from millstream.algebra.show import show
from millstream.sharing.predicates.atoms import (
    MIRRORED,
    Bound,
    Clause,
    Denied,
    Opaque,
    Part,
    Relation,
    Some,
)
from millstream.sharing.predicates.constants import literal_of
from millstream.sharing.predicates.terms import ZERO, Term, Weight, size


def expression_of(parts: tuple[Part, ...]) -> Expression | None:
    """The conjunction of parts; None if there are none."""
    operands = tuple(_part(each) for each in parts)
    return _joined(And, operands) if operands else None


def text_of(part: Part) -> str:
    """A part for people."""
    match part:
        case Clause(written=alternatives):
            return " or ".join(joined_text(each) for each in alternatives)
        case Denied(fact):
            return f"not({text_of(fact)})"
        case Some(relation):
            return _relation_text(relation)
        case Relation():
            return _relation_text(part)
        case Opaque(label=label):
            return label


def joined_text(parts: tuple[Part, ...]) -> str:
    """A conjunction for people."""
    if len(parts) == 1:
        return text_of(parts[0])
    return " and ".join(
        f"({text_of(each)})" if isinstance(each, Clause) else text_of(each) for each in parts
    )


def limit_text(source: Term, target: Term, bound: Bound, written: Literal | None = None) -> str:
    """What an edge measures a value against: a constant, or another value and a constant."""
    term = target if source == ZERO else source
    constant = -bound[0] if source == ZERO else bound[0]
    if ZERO in (source, target):
        return show(written or _literal(constant, term))
    return f"{target}{_offset_text(constant, source.integer and target.integer)}"


def _part(part: Part) -> Expression:
    match part:
        case Clause(written=alternatives):
            each = tuple(_joined(And, tuple(map(_part, atoms))) for atoms in alternatives)
            return _joined(Or, each)
        case Denied(fact):
            return Call("not", (_part(fact),))
        case Some(relation):
            return _comparison(relation)
        case Relation():
            return _comparison(part)
        case Opaque(expression=expression):
            return expression


def _joined(kind: type[And] | type[Or], operands: tuple[Expression, ...]) -> Expression:
    return operands[0] if len(operands) == 1 else kind(operands)


def _comparison(relation: Relation) -> Expression:
    left, operator, right, offset = _sides(relation)
    if right == ZERO:
        constant = relation.written or _literal(offset, left)
        return Compare(operator, left.expression, constant)
    if right.integer or not left.integer:
        whole = left.integer or right.integer
        return Compare(operator, left.expression, _moved(right, offset, whole))
    # An integer keeps its constant: other numbers may be rounded when one is added to them.
    return Compare(operator, _moved(left, -offset, True), right.expression)


def _sides(relation: Relation) -> tuple[Term, str, Term, Weight]:
    """The relation with its constant on the right."""
    left, operator, right, offset = (
        relation.left,
        relation.operator,
        relation.right,
        relation.offset,
    )
    if left == ZERO:
        return right, MIRRORED[operator], left, -offset
    return left, operator, right, offset


def _moved(term: Term, offset: Weight, whole: bool) -> Expression:
    """A value and a constant."""
    if offset == 0:
        return term.expression
    literal = literal_of(size(offset), term.kind, whole)
    return Arithmetic("+" if offset > 0 else "-", term.expression, literal)


def _literal(weight: Weight, term: Term) -> Literal:
    return literal_of(weight, term.kind, term.integer)


def _relation_text(relation: Relation) -> str:
    left, operator, right, offset = _sides(relation)
    if right == ZERO:
        return f"{left} {operator} {show(relation.written or _literal(offset, left))}"
    return f"{left} {operator} {right}{_offset_text(offset, left.integer and right.integer)}"


def _offset_text(offset: Weight, whole: bool) -> str:
    if offset == 0:
        return ""
    sign = "-" if offset < 0 else "+"
    return f" {sign} {show(literal_of(size(offset), ZERO.kind, whole or offset.denominator == 1))}"
