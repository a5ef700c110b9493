"""Paths: the nodes that steps reach from a variable."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from millstream.algebra.expressions import CONTEXT, Expression, Literal, PathTo, Step
from millstream.compiler.columns import field
from millstream.compiler.environment import Environment
from millstream.compiler.items import Item, Lexical, Markup, Node, Role
from millstream.compiler.names import identifier, string
from millstream.compiler.sequences import (
    EMPTY,
    Chain,
    Choice,
    Items,
    Loop,
    bind,
    chain,
    count,
    lambda_name,
)
from millstream.compiler.truth import truth_of
from millstream.errors import UnsupportedError
from millstream.model.layout import view_name
from millstream.model.schema import Attribute, Content, Element, ValueType


def follow(path: PathTo, environment: Environment) -> Items:
    """The nodes that a path reaches, in document order."""
    items = environment.variable(path.variable)
    for step in path.steps:
        items = _take(step, items, environment)
    return items


def _take(step: Step, items: Items, environment: Environment) -> Items:
    def taken(item: Item, loops: int) -> Items:
        below = environment.inside(loops)
        found = _found(item, step.name, below)
        for predicate in step.predicates:
            found = _narrowed(found, predicate, below)
        return chain(found)

    return bind(items, taken)


def _found(item: Item, name: str, environment: Environment) -> list[Items]:
    """What a step finds below one item: a single node, or a loop over all of one name."""
    if isinstance(item, Markup):
        _refuse(item, name)
    if not isinstance(item, Node):
        return []
    if item.element.content is Content.RAW and not name.startswith("@"):
        _refuse(item, name)
    if name == "text()":
        return _text_node(item)
    element = item.element
    if name.startswith("@"):
        return [_attribute(item, each) for each in element.attributes if f"@{each.name}" == name]
    return [
        _child(item, each, environment) for each in element.children if name in ("*", each.name)
    ]


def _child(node: Node, child: Element, environment: Environment) -> Items:
    below = field(node.sql, child.name)
    if not child.repeated:
        return Node(below, child, node.views, (*node.path, child.name))
    each = lambda_name(environment.depth)
    return Loop(below, each, Node(each, child))


def _attribute(node: Node, attribute: Attribute) -> Lexical:
    name = f"@{attribute.name}"
    if node.element.content is Content.RAW:
        return Lexical(_raw_attribute(node.sql, name), attribute.type, Role.ATTRIBUTE, name[1:])
    view = None
    if node.views is not None and attribute.type is not ValueType.TEXT:
        view = node.views + identifier(view_name((*node.path, name)))
    sql = field(node.sql, name)
    return Lexical(sql, attribute.type, Role.ATTRIBUTE, attribute.name, view)


def _raw_attribute(xml: str, name: str) -> str:
    where = string(f"/*/{name}")
    return f"if(xpath_boolean({xml}, {where}), xpath_string({xml}, {where}), NULL)"


def _text_node(node: Node) -> list[Items]:
    """The text of a leaf; an empty leaf has none."""
    if not node.is_leaf:
        return []
    return [Lexical(f"nullif({node.text}, '')", node.type, Role.TEXT, view=node.view)]


def _narrowed(found: list[Items], predicate: Expression, environment: Environment) -> list[Items]:
    match predicate:
        case Literal(value=int(position)) if not isinstance(position, bool):
            return _at(found, position)
        case _:
            return [_filtered(each, predicate, environment) for each in found]


def _filtered(items: Items, predicate: Expression, environment: Environment) -> Items:
    match items:
        case Loop(array, variable, Node() as node):
            inner = environment.inside(1).bind(CONTEXT, node)
            kept = truth_of(inner.items(predicate))
            return Loop(f"filter({array}, {variable} -> {kept})", variable, node)
        case Choice(condition, then):
            return Choice(condition, _filtered(then, predicate, environment), EMPTY)
        case Node() | Lexical():
            kept = truth_of(environment.bind(CONTEXT, items).items(predicate))
            return Choice(kept, items, EMPTY)
        case _:
            return items


def _at(found: list[Items], position: int) -> list[Items]:
    """The node at a position, counted from 1 over all that the step has found."""
    if position < 1:
        return []
    if len(found) == 1 and not isinstance(found[0], Loop):
        return found if position == 1 else []
    index = f"{position - 1}L"
    picked = []
    for number, items in enumerate(found):
        before = count(Chain(tuple(found[:number])))
        picked.append(_picked(items, index if number == 0 else f"({index} - {before})"))
    return picked


def _picked(items: Items, index: str) -> Items:
    match items:
        case Loop(array, _, Node() as node):
            # 'get' gives null for what lies outside, below as well as above.
            return replace(node, sql=f"get({array}, CAST({index} AS INT))")
        case _:
            return Choice(f"({index} = 0L)", items, EMPTY)


def _refuse(item: Node | Markup, name: str) -> NoReturn:
    if isinstance(item, Node):
        raise UnsupportedError(
            f"cannot look for {name} inside {item.element.name}, whose content is kept as XML text",
            help="use the element as a whole, or its text with string()",
        )
    raise UnsupportedError(
        f"cannot look for {name} inside the constructed element {item.name}",
        help="use what the element was made of instead",
    )
