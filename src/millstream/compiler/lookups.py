"""What of a predicate can be looked up instead of tried: equalities, and ranges of numbers.

A lookup only finds candidates. Whether a channel wants an item is decided by the whole predicate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from millstream.algebra.expressions import Compare, Expression, PathTo
from millstream.algebra.walk import conjuncts
from millstream.compiler import conversions
from millstream.compiler.comparisons import ComparedAs, compared_as, whole
from millstream.compiler.constants import constant_index
from millstream.compiler.expressions import items_of
from millstream.compiler.items import Item, Lexical, Node, Value
from millstream.compiler.scope import NodeColumn, Scope

_LOWS = (">", ">=")
_HIGHS = ("<", "<=")


@dataclass(frozen=True, slots=True)
class Key:
    """A value of an item that must equal a constant of the channel."""

    path: str
    item: str
    """The value, as SQL over a row b of the batch."""
    channel: str
    """The constant, as SQL over a row c of the channels."""
    constant: int
    """Its number among the channel's constants."""


@dataclass(frozen=True, slots=True)
class Range:
    """A number of an item that must lie between constants of the channel."""

    path: str
    number: str
    """A double, as SQL over a row b of the batch."""
    lows: tuple[int, ...]
    """The numbers of the constants that it must not be below."""
    highs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lookups:
    """All that can be looked up of a signature's predicates."""

    keys: tuple[Key, ...] = ()
    ranges: tuple[Range, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of a single value of the item with a constant of the channel."""

    operator: str
    path: str
    item: Node | Lexical
    value: Value
    constant: int


def lookups(conditions: Sequence[Condition]) -> Lookups:
    """What the conditions, all of which must hold, allow to be looked up."""
    keys = (_key(each) for each in conditions if each.operator == "=")
    return Lookups(tuple(each for each in keys if each), tuple(_ranges(conditions)))


def conditions_of(predicate: Expression, scope: Scope) -> Iterator[Condition]:
    """The conjuncts of a predicate, its constants taken out, that compare with a constant."""
    for each in conjuncts(predicate):
        match each:
            case Compare(operator, PathTo() as path, PathTo(variable, ())):
                constant = constant_index(variable)
                item = _single(path, scope)
                if constant is None or item is None:
                    continue
                value = items_of(each.right, scope)
                assert isinstance(value, Value), "a constant is a value"
                yield Condition(operator, _shown(path), item, value, constant)


def _single(path: PathTo, scope: Scope) -> Node | Lexical | None:
    """The one node that a path reaches inside an item of the batch, if it is one at most."""
    variable = scope.get(path.variable)
    if not isinstance(variable, NodeColumn) or variable.views is None:
        return None
    items = items_of(path, scope)
    return items if isinstance(items, Node | Lexical) else None


def _shown(path: PathTo) -> str:
    return "/".join(each.name for each in path.steps)


def _key(condition: Condition) -> Key | None:
    item, value = condition.item, condition.value
    match compared_as(item, value):
        case ComparedAs.INTEGERS:
            sides = whole(item), whole(value)
        case ComparedAs.DOUBLES:
            sides = conversions.double(item), conversions.double(value)
        case ComparedAs.TEXTS:
            sides = conversions.trimmed(item), conversions.trimmed(value)
        case _:
            return None
    return Key(condition.path, *sides, condition.constant)


def _ranges(conditions: Sequence[Condition]) -> Iterator[Range]:
    """The numbers that have bounds on both sides."""
    bounded: dict[str, list[Condition]] = {}
    for each in conditions:
        if each.operator in (*_LOWS, *_HIGHS) and _is_viewed_number(each.item, each.value):
            bounded.setdefault(conversions.double(each.item), []).append(each)
    for number, bounds in bounded.items():
        lows = tuple(each.constant for each in bounds if each.operator in _LOWS)
        highs = tuple(each.constant for each in bounds if each.operator in _HIGHS)
        if lows and highs:
            yield Range(bounds[0].path, number, lows, highs)


def _is_viewed_number(item: Node | Lexical, value: Item) -> bool:
    # As a double, an integer keeps its order: what is between integers is between their doubles.
    numbers = (ComparedAs.INTEGERS, ComparedAs.DOUBLES)
    return item.view is not None and compared_as(item, value) in numbers
