"""The attributes that the content of a constructed element begins with."""

from __future__ import annotations

from millstream.algebra.expressions import Expression, NewElement, Sequence
from millstream.compiler.environment import Environment
from millstream.compiler.items import Item, Lexical, Role
from millstream.compiler.rendering import concatenated
from millstream.compiler.sequences import Chain, Choice, Items, leaves, loops
from millstream.compiler.serialization import attribute_xml
from millstream.errors import InternalError, QueryError, UnsupportedError


def split_attributes(
    element: NewElement, environment: Environment
) -> tuple[list[Items], list[Expression]]:
    """The attributes at the start of the content, and the rest of it."""
    leading: list[Items] = []
    rest = list(element.content)
    while rest and _is_leading(environment.items(_head(rest[0]))):
        leading.append(environment.items(_head(rest[0])))
        rest[:1] = _tail(rest[0])
    _check_names(element, leading)
    _check_rest(element, rest, environment)
    return leading, rest


def attribute_slot(items: Items) -> str:
    """Attributes as they stand in an opening tag, never null."""
    match items:
        case Chain(parts):
            return concatenated([attribute_slot(part) for part in parts])
        case Choice(condition, then, otherwise):
            return f"if({condition}, {attribute_slot(then)}, {attribute_slot(otherwise)})"
        case Lexical(sql, name=name):
            return attribute_xml(sql, name)
        case _:
            raise InternalError(f"{items} is no attribute")


def _head(part: Expression) -> Expression:
    return _head(part.items[0]) if isinstance(part, Sequence) and part.items else part


def _tail(part: Expression) -> list[Expression]:
    """What remains of one enclosed expression, still one, without its first item."""
    if not isinstance(part, Sequence) or not part.items:
        return []
    items = (*_tail(part.items[0]), *part.items[1:])
    return [Sequence(items)] if items else []


def _is_leading(items: Items) -> bool:
    return all(_is_attribute(leaf) for leaf in leaves(items))


def _is_attribute(item: Item) -> bool:
    return isinstance(item, Lexical) and item.role is Role.ATTRIBUTE


def _check_names(element: NewElement, leading: list[Items]) -> None:
    names = [attribute.name for attribute in element.attributes]
    for items in leading:
        found = sorted({leaf.name for leaf in leaves(items) if isinstance(leaf, Lexical)})
        if loops(items):
            raise UnsupportedError(
                f"attribute {found[0]} may occur more than once in <{element.name}>",
                help="choose one of them, as in $x/a[1]/@b",
            )
        names += found
    for name in names:
        if names.count(name) > 1:
            raise QueryError(f"attribute {name} occurs twice in <{element.name}>")


def _check_rest(element: NewElement, rest: list[Expression], environment: Environment) -> None:
    if rest and any(map(_is_attribute, leaves(environment.items(_head(rest[0]))))):
        raise UnsupportedError(
            f"one expression may give an attribute or other content of <{element.name}>",
            help="write them as expressions of their own, attributes first",
        )
    for leaf in (leaf for each in rest for leaf in leaves(environment.items(each))):
        if isinstance(leaf, Lexical) and leaf.role is Role.ATTRIBUTE:
            raise QueryError(
                f"attribute {leaf.name} stands after other content of <{element.name}>",
                help="put attributes before all other content",
            )
