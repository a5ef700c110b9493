"""Texts that are compared with fields of tags, in the one spelling that each value has."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from millstream.errors import QueryError
from millstream.languages.tagql import syntax
from millstream.languages.tagql.words import TagField
from millstream.model.tags.mode import parse_mode
from millstream.model.tags.sign import parse_sign
from millstream.model.tags.tag_type import parse_type

Operand = TypeVar("Operand", bound=syntax.Value)

_SPELLINGS: dict[TagField, Callable[[str], str]] = {
    TagField.SIGN: lambda text: parse_sign(text).value,
    TagField.TYPE: lambda text: parse_type(text).value,
    TagField.MODE: lambda text: parse_mode(text).name,
}


def settled(reference: syntax.Value, operand: Operand) -> Operand:
    """An operand as it is spelt beside a field of a tag, or QueryError."""
    if not isinstance(reference, syntax.TagReference) or reference.field not in _SPELLINGS:
        return operand
    if not isinstance(operand, syntax.StringLiteral):
        return operand
    try:
        value = _SPELLINGS[reference.field](operand.value)
    except ValueError as error:
        raise QueryError(str(error), code="tag-value", span=operand.span) from None
    return type(operand)(value, span=operand.span)
