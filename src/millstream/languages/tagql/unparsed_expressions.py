"""The text of values and conditions."""

from __future__ import annotations

from millstream.languages.tagql import syntax
from millstream.languages.tagql.lexer import WORD
from millstream.languages.tagql.words import RESERVED
from millstream.model.tags.duration import format_duration

_SUM, _PRODUCT, _SIGNED, _PRIMARY = range(4)
_OR, _AND, _NOT, _PREDICATE = range(4)


def unparse_value(value: syntax.Value, tightness: int = _SUM) -> str:
    """The text of a value, in parentheses where its surroundings bind tighter."""
    own, text = _value(value)
    return text if own >= tightness else f"({text})"


def unparse_condition(condition: syntax.Condition, tightness: int = _OR) -> str:
    """The text of a condition, in parentheses where its surroundings bind tighter."""
    own, text = _condition(condition)
    return text if own >= tightness else f"({text})"


def name_text(name: str) -> str:
    """A name, between quotes where it would not be read as one."""
    plain = WORD.fullmatch(name) and name.upper() not in RESERVED
    return name if plain else '"' + name.replace('"', '""') + '"'


def steps_text(steps: tuple[str, ...]) -> str:
    """Names with dots between them."""
    return ".".join(map(name_text, steps))


def object_text(reference: syntax.ObjectReference) -> str:
    """A stream, an attribute, or a value."""
    steps = tuple(_step_text(step) for step in reference.steps)
    ending = ("value",) if reference.of_value else ()
    return ".".join((name_text(reference.stream), *steps, *ending))


def literal_text(literal: syntax.Literal) -> str:
    """A string, number or duration."""
    match literal:
        case syntax.StringLiteral(value):
            return "'" + value.replace("'", "''") + "'"
        case syntax.NumberLiteral(text):
            return text
        case syntax.DurationLiteral(microseconds):
            return format_duration(microseconds)


def _step_text(step: str) -> str:
    # Without quotes, 'value' would say that the value is meant.
    return '"' + step + '"' if step.upper() == "VALUE" else name_text(step)


def _value(value: syntax.Value) -> tuple[int, str]:
    match value:
        case syntax.Arithmetic(operator, left, right):
            level = _SUM if operator in "+-" else _PRODUCT
            return level, (
                f"{unparse_value(left, level)} {operator} {unparse_value(right, level + 1)}"
            )
        case syntax.Negative(operand):
            # Two minus signs together would begin a comment.
            return _SIGNED, "-" + unparse_value(operand, _PRIMARY)
        case syntax.Name(steps):
            return _PRIMARY, steps_text(steps)
        case syntax.TagReference(field, source):
            named = f"({name_text(source)})" if source is not None else ""
            return _PRIMARY, field.value + named
        case syntax.Star():
            return _PRIMARY, "*"
        case syntax.Call(function, arguments):
            return _PRIMARY, f"{function}({', '.join(map(unparse_value, arguments))})"
        case _:
            return _PRIMARY, literal_text(value)


def _condition(condition: syntax.Condition) -> tuple[int, str]:
    match condition:
        case syntax.Or(operands):
            return _OR, " OR ".join(unparse_condition(each, _AND) for each in operands)
        case syntax.And(operands):
            return _AND, " AND ".join(unparse_condition(each, _NOT) for each in operands)
        case syntax.Not(operand):
            return _NOT, f"NOT {unparse_condition(operand, _NOT)}"
        case _:
            return _PREDICATE, _predicate(condition)


def _predicate(condition: syntax.Condition) -> str:
    match condition:
        case syntax.Compare(operator, left, right):
            return f"{unparse_value(left)} {operator} {unparse_value(right)}"
        case syntax.Like(operand, pattern, negated):
            text = literal_text(syntax.StringLiteral(pattern))
            return f"{unparse_value(operand)} {_not(negated)}LIKE {text}"
        case syntax.In(operand, choices, negated):
            listed = ", ".join(map(literal_text, choices))
            return f"{unparse_value(operand)} {_not(negated)}IN ({listed})"
        case syntax.Between(operand, low, high, negated):
            bounds = f"{unparse_value(low)} AND {unparse_value(high)}"
            return f"{unparse_value(operand)} {_not(negated)}BETWEEN {bounds}"
        case syntax.IsNull(operand, negated):
            return f"{unparse_value(operand)} IS {_not(negated)}NULL"
        case syntax.Within(location, region, negated):
            text = f"{region.kind.name}({', '.join(region.numbers)})"
            return f"{unparse_value(location)} {_not(negated)}WITHIN {text}"
        case syntax.ObjectIs(objects, negated):
            return _object_condition(objects, negated)
        case _:
            return _likeness(condition)


def _object_condition(objects: tuple[syntax.ObjectReference, ...], negated: bool) -> str:
    if len(objects) == 1:
        return f"OBJECT {'<>' if negated else '='} {object_text(objects[0])}"
    return f"OBJECT {_not(negated)}IN ({', '.join(map(object_text, objects))})"


def _likeness(condition: syntax.Condition) -> str:
    match condition:
        case syntax.Equivalent(left, right):
            return f"{unparse_value(left)} EQUIVALENT TO {unparse_value(right)}"
        case syntax.Similar(left, right, operator, threshold):
            pair = f"{unparse_value(left)} SIMILAR TO {unparse_value(right)}"
            return f"{pair} JACCARD {operator} {threshold}"
        case syntax.CoOccurs(left, right, operator, count):
            pair = f"{unparse_value(left)} COOCCURS WITH {unparse_value(right)}"
            return f"{pair} {operator} {count}"
    raise AssertionError(f"no condition: {condition}")


def _not(negated: bool) -> str:
    return "NOT " if negated else ""
