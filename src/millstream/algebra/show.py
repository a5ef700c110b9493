"""Expressions as text, in the words of XQuery."""

from __future__ import annotations

from decimal import Decimal
from xml.sax.saxutils import escape

from millstream.algebra.expressions import (
    CONTEXT,
    And,
    Arithmetic,
    Call,
    Compare,
    Each,
    Expression,
    If,
    Literal,
    NewAttribute,
    NewElement,
    NewPair,
    NewTag,
    NewTuple,
    Or,
    PathTo,
    Quantified,
    Sequence,
    Step,
    Text,
)


def show(expression: Expression) -> str:
    """The expression as XQuery text on one line."""
    match expression:
        case Literal(value):
            return _literal(value)
        case PathTo(variable, steps):
            return _path(variable, steps)
        case Compare(operator, left, right) | Arithmetic(operator, left, right):
            return f"{_operand(left)} {operator} {_operand(right)}"
        case And(operands):
            return " and ".join(_operand(each, Compare) for each in operands)
        case Or(operands):
            return " or ".join(_operand(each, Compare, And) for each in operands)
        case Sequence(items):
            return f"({', '.join(show(each) for each in items)})"
        case Call(function, arguments):
            return f"{function}({', '.join(show(each) for each in arguments)})"
        case Text(value):
            return _string(value)
        case NewElement():
            return _element(expression)
        case NewTuple() | NewPair() | NewTag():
            return _tuple(expression)
        case _:
            return _clause(expression)


def _tuple(expression: NewTuple | NewPair | NewTag) -> str:
    match expression:
        case NewTag(tag):
            return f"tag {show(tag)}"
        case NewPair(left, right):
            return f"pair of {_tuple(left)} and {_tuple(right)}"
        case NewTuple(columns, with_tags):
            listed = ", ".join(f"{each.name}: {show(each.value)}" for each in columns)
            return f"tuple ({listed})" + (" with tags" if with_tags else "")


def _clause(expression: If | Each | Quantified) -> str:
    match expression:
        case If(condition, then, otherwise):
            return f"if ({show(condition)}) then {_operand(then)} else {_operand(otherwise)}"
        case Each(variable, source, result, condition):
            where = "" if condition is None else f" where {show(condition)}"
            return f"for ${variable} in {_operand(source)}{where} return {_operand(result)}"
        case Quantified(every, variable, source, condition):
            word = "every" if every else "some"
            return f"{word} ${variable} in {_operand(source)} satisfies {_operand(condition)}"


_LINE_ENDS = {"\n": "&#xA;", "\r": "&#xD;"}
_SIMPLE = (Literal, PathTo, Sequence, Call, Text, NewElement)


def _operand(expression: Expression, *allowed: type) -> str:
    """The text of a part, in parentheses unless it is simple or of an allowed kind."""
    text = show(expression)
    return text if isinstance(expression, (*_SIMPLE, *allowed)) else f"({text})"


def _literal(value: int | Decimal | float | str | bool) -> str:
    if isinstance(value, bool):
        return "true()" if value else "false()"
    if isinstance(value, float):
        return f"{value!r}e0" if "e" not in repr(value) else repr(value)
    if isinstance(value, Decimal):
        return f"{value:f}"
    return _string(value) if isinstance(value, str) else str(value)


def _string(value: str) -> str:
    return '"' + escape(value, {'"': '""'} | _LINE_ENDS) + '"'


def _path(variable: str, steps: tuple[Step, ...]) -> str:
    tail = "/".join(_step(step) for step in steps)
    if variable == CONTEXT:
        return tail or "."
    return f"${variable}/{tail}" if tail else f"${variable}"


def _step(step: Step) -> str:
    return step.name + "".join(f"[{show(predicate)}]" for predicate in step.predicates)


def _element(element: NewElement) -> str:
    head = " ".join((element.name, *(_attribute(each) for each in element.attributes)))
    if not element.content:
        return f"<{head}/>"
    return f"<{head}>{''.join(_content(each) for each in element.content)}</{element.name}>"


def _attribute(attribute: NewAttribute) -> str:
    parts = (_quoted(part) for part in attribute.parts)
    return f'{attribute.name}="{"".join(parts)}"'


def _quoted(part: Expression) -> str:
    if isinstance(part, Text):
        return _braces(escape(part.value, {'"': "&quot;"} | _LINE_ENDS))
    return f"{{ {show(part)} }}"


def _content(part: Expression) -> str:
    match part:
        case Text(value):
            return _braces(escape(value))
        case NewElement():
            return _element(part)
        case _:
            return f"{{ {show(part)} }}"


def _braces(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
