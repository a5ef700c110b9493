"""Sequences of items as a small tree, and what can be asked of them in SQL.

A path through repeated elements is a loop over an array, a comma is a chain, an 'if' a choice. To
count, to search, to collect and to print are folds over this tree; no array is built but where
one is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from millstream.compiler.items import Item


@dataclass(frozen=True, slots=True)
class Loop:
    """The body once for each element of an array, which may be null."""

    array: str
    variable: str
    body: Items


@dataclass(frozen=True, slots=True)
class Chain:
    """One part after the other."""

    parts: tuple[Items, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One part or the other; the condition is never null."""

    condition: str
    then: Items
    otherwise: Items


Items = Item | Loop | Chain | Choice

EMPTY = Chain(())


def lambda_name(depth: int) -> str:
    """The lambda variable of a loop inside so many others."""
    return f"each_{depth}"


def loops(items: Items) -> int:
    """How many loops stand inside one another."""
    match items:
        case Loop(body=body):
            return 1 + loops(body)
        case Chain(parts):
            return max(map(loops, parts), default=0)
        case Choice(_, then, otherwise):
            return max(loops(then), loops(otherwise))
        case _:
            return 0


def leaves(items: Items) -> Iterator[Item]:
    """Every kind of item that the sequence may hold."""
    match items:
        case Loop(body=body):
            yield from leaves(body)
        case Chain(parts):
            for part in parts:
                yield from leaves(part)
        case Choice(_, then, otherwise):
            yield from leaves(then)
            yield from leaves(otherwise)
        case _:
            yield items


def chain(parts: list[Items]) -> Items:
    """The parts one after the other, without needless nesting."""
    flat = [each for part in parts for each in (part.parts if isinstance(part, Chain) else (part,))]
    return flat[0] if len(flat) == 1 else Chain(tuple(flat))


def bind(items: Items, function: Callable[[Item, int], Items], inside: int = 0) -> Items:
    """What the function gives for each item, in order; it learns how many loops are around."""
    match items:
        case Loop(array, variable, body):
            return Loop(array, variable, bind(body, function, inside + 1))
        case Chain(parts):
            return chain([bind(part, function, inside) for part in parts])
        case Choice(condition, then, otherwise):
            return Choice(
                condition, bind(then, function, inside), bind(otherwise, function, inside)
            )
        case _:
            return function(items, inside)


def some(items: Items, test: Callable[[Item], str]) -> str:
    """True if the test, which is never null, holds for an item."""
    match items:
        case Loop(array, variable, body):
            return f"coalesce(exists({array}, {variable} -> {some(body, test)}), false)"
        case Chain(()):
            return "false"
        case Chain(parts):
            return f"({' OR '.join(some(part, test) for part in parts)})"
        case Choice(condition, then, Chain(())):
            return f"({condition} AND {some(then, test)})"
        case Choice(condition, then, otherwise):
            return f"if({condition}, {some(then, test)}, {some(otherwise, test)})"
        case _:
            return test(items)


def present(item: Item) -> str:
    """True if there is such an item."""
    return f"({item.sql} IS NOT NULL)"


def exists(items: Items) -> str:
    """True if the sequence is not empty."""
    match items:
        case Loop(array) if _is_whole(items):
            return f"coalesce(size({array}) > 0, false)"
        case _:
            return some(items, present)


def count(items: Items) -> str:
    """How many items there are, as a bigint."""
    match items:
        case Loop(array) if _is_whole(items):
            return f"CAST(coalesce(size({array}), 0) AS BIGINT)"
        case Loop(array, variable, body):
            adding = f"(total, {variable}) -> total + {count(body)}"
            return f"coalesce(aggregate({array}, 0L, {adding}), 0L)"
        case Chain(()):
            return "0L"
        case Chain(parts):
            return f"({' + '.join(map(count, parts))})"
        case Choice(condition, then, otherwise):
            return f"if({condition}, {count(then)}, {count(otherwise)})"
        case _:
            return f"if({items.sql} IS NULL, 0L, 1L)"


def gather(items: Items, value: Callable[[Item], str], type: str) -> str:
    """The values of the items, in order, without nulls, as an SQL array that is never null."""
    match items:
        case Loop():
            return f"coalesce({_gathered_loop(items, value, type)}, {_none(type)})"
        case Chain(()):
            return _none(type)
        case Chain(parts):
            return f"concat({', '.join(gather(part, value, type) for part in parts)})"
        case Choice(condition, then, otherwise):
            return f"if({condition}, {gather(then, value, type)}, {gather(otherwise, value, type)})"
        case _:
            return f"array_compact(array(CAST({value(items)} AS {type})))"


def single(items: Items, value: Callable[[Item], str], type: str) -> str:
    """The value of the one item; null if there is none, or more than one."""
    match items:
        case Loop() | Chain((_, *_)):
            only = f"filter(array({gather(items, value, type)}), found -> size(found) = 1)"
            return f"get(get({only}, 0), 0)"
        case Chain():
            return f"CAST(NULL AS {type})"
        case Choice(condition, then, otherwise):
            chosen = single(then, value, type), single(otherwise, value, type)
            return f"if({condition}, {chosen[0]}, {chosen[1]})"
        case _:
            return value(items)


def first(items: Items, value: Callable[[Item], str], type: str) -> str:
    """The value of the first item that has one, or null."""
    match items:
        case Loop() | Chain() | Choice():
            return f"get({gather(items, value, type)}, 0)"
        case _:
            return value(items)


def _gathered_loop(loop: Loop, value: Callable[[Item], str], type: str) -> str:
    body = loop.body
    if isinstance(body, Loop | Chain | Choice):
        inner = gather(body, value, type)
        return f"flatten(transform({loop.array}, {loop.variable} -> {inner}))"
    return f"array_compact(transform({loop.array}, {loop.variable} -> {value(body)}))"


def _is_whole(loop: Loop) -> bool:
    """True if the items of a loop are the elements of its array themselves."""
    body = loop.body
    return not isinstance(body, Loop | Chain | Choice) and body.sql == loop.variable


def _none(type: str) -> str:
    return f"CAST(array() AS ARRAY<{type}>)"
