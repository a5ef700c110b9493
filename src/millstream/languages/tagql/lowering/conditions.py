"""Conditions of TAG-QL as expressions of the algebra.

A comparison with something absent is false, its negated spellings too; values of different kinds
are never so related.
"""

from __future__ import annotations

from decimal import Decimal

from millstream.algebra.expressions import And, Call, Compare, Expression, Literal, Or, PathTo, Step
from millstream.algebra.tag_operators import ATTRIBUTE, GRANULARITY
from millstream.languages.tagql import syntax
from millstream.languages.tagql.lowering.naming import Naming, tag_variable
from millstream.languages.tagql.lowering.values import Typed, is_point, lower_value, number
from millstream.model.schema import ValueType
from millstream.model.tags.granularity import Granularity
from millstream.model.tags.thesaurus import find_thesaurus
from millstream.model.values import parse_instant

FALSE = Literal(False)


def lower_condition(condition: syntax.Condition, naming: Naming) -> Expression:
    """A condition in the algebra."""
    match condition:
        case syntax.And(operands):
            return And(tuple(lower_condition(each, naming) for each in operands))
        case syntax.Or(operands):
            return Or(tuple(lower_condition(each, naming) for each in operands))
        case syntax.Not(operand):
            return negation(lower_condition(operand, naming))
        case syntax.ObjectIs(objects, negated):
            found = Or(tuple(_is_on(each) for each in objects))
            return negation(found) if negated else found
        case syntax.Compare(operator, left, right):
            return compare(operator, lower_value(left, naming), lower_value(right, naming))
        case syntax.Equivalent() | syntax.Similar() | syntax.CoOccurs():
            return _alike(condition, naming)
        case syntax.IsNull(operand, negated):
            value = lower_value(operand, naming).expression
            return Call("exists" if negated else "empty", (value,))
        case _:
            return _tested(condition, naming)


def negation(condition: Expression) -> Expression:
    """True where a condition is false."""
    return Call("not", (condition,))


def compare(operator: str, left: Typed, right: Typed) -> Expression:
    """A comparison of two values; of different kinds they are not related at all."""
    written = "!=" if operator == "<>" else operator
    if not _comparable(left, right):
        return FALSE
    return Compare(written, left.expression, right.expression)


def _comparable(left: Typed, right: Typed) -> bool:
    if left.numeric and right.numeric:
        return True
    kinds = {left.type, right.type}
    if kinds == {ValueType.TEXT, ValueType.TIME}:
        text = left if left.type is ValueType.TEXT else right
        return isinstance(text.expression, Literal) and _is_instant(str(text.expression.value))
    return len(kinds) == 1 and None not in kinds


def _is_instant(text: str) -> bool:
    try:
        parse_instant(text)
    except ValueError:
        return False
    return True


def _is_on(reference: syntax.ObjectReference) -> Expression:
    """True when the tag is attached to an object, and not to more or less."""
    variable = tag_variable(reference.stream).variable
    granularity = PathTo(variable, (Step(GRANULARITY),))
    if not reference.steps:
        whole = (each for each in Granularity if each.whole)
        return Or(tuple(Compare("=", granularity, Literal(each.value)) for each in whole))
    wanted = Granularity.VALUE if reference.of_value else Granularity.ATTRIBUTE
    attribute = PathTo(variable, (Step(ATTRIBUTE),))
    return And(
        (
            Compare("=", granularity, Literal(wanted.value)),
            Compare("=", attribute, Literal(reference.attribute)),
        )
    )


def _alike(
    condition: syntax.Equivalent | syntax.Similar | syntax.CoOccurs, naming: Naming
) -> Expression:
    one = lower_value(condition.left, naming).expression
    other = lower_value(condition.right, naming).expression
    match condition:
        case syntax.Equivalent():
            return Compare("=", *(_meaning(each, naming.dictionary) for each in (one, other)))
        case syntax.Similar(_, _, operator, threshold):
            share, least = Call("tag:jaccard", (one, other)), number(Decimal(threshold))
            return compare(operator, Typed(share, ValueType.DOUBLE), least)
        case syntax.CoOccurs(_, _, operator, count):
            together, least = Call("tag:together", (one, other)), number(Decimal(count))
            return compare(operator, Typed(together, ValueType.INTEGER), least)


def _meaning(word: Expression, dictionary: str) -> Expression:
    """What a word means; of a word that is written out it is known at once."""
    if isinstance(word, Literal) and isinstance(word.value, str):
        return Literal(find_thesaurus(dictionary).meaning(word.value))
    return Call("tag:meaning", (word, Literal(dictionary)))


def _tested(
    condition: syntax.Like | syntax.In | syntax.Between | syntax.Within, naming: Naming
) -> Expression:
    match condition:
        case syntax.Within(location, region, negated):
            return _within(lower_value(location, naming), region, negated)
        case syntax.Like(operand, pattern, negated):
            value = lower_value(operand, naming)
            found: Expression = FALSE
            if value.type is ValueType.TEXT:
                found = Call("tag:like", (value.expression, Literal(pattern)))
            return _where_present((value,), found, negated)
        case syntax.In(operand, choices, negated):
            value = lower_value(operand, naming)
            tests = tuple(compare("=", value, lower_value(each, naming)) for each in choices)
            return _where_present((value,), Or(tests), negated)
        case syntax.Between(operand, low, high, negated):
            value, least, most = (lower_value(each, naming) for each in (operand, low, high))
            inside = And((compare(">=", value, least), compare("<=", value, most)))
            return _where_present((value, least, most), inside, negated)


def _where_present(values: tuple[Typed, ...], found: Expression, negated: bool) -> Expression:
    if not negated:
        return found
    exist = (Call("exists", (each.expression,)) for each in values)
    return And((*exist, negation(found)))


def _within(location: Typed, region: syntax.Region, negated: bool) -> Expression:
    if not is_point(location):
        return FALSE
    numbers = (Literal(float(each)) for each in region.values)
    kind = "tag:outside" if negated else "tag:within"
    return Call(kind, (location.expression, Literal(region.kind.name), *numbers))
