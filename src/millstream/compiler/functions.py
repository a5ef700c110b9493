"""The function library in SQL; what each function means is told in the algebra's table."""

from __future__ import annotations

from collections.abc import Callable

from millstream.algebra.expressions import Expression
from millstream.compiler import arithmetic, conversions, totals
from millstream.compiler.distinct import distinct_values
from millstream.compiler.environment import Environment
from millstream.compiler.items import Item, Lexical, Markup, Node, Role, Value, truth_value
from millstream.compiler.names import string
from millstream.compiler.sequences import Items, bind, exists, first, gather, single
from millstream.compiler.tags.functions import PREFIX, tag_call
from millstream.compiler.truth import truth_of
from millstream.errors import UnsupportedError
from millstream.model.schema import ValueType
from millstream.model.values import XML_SPACE

_LARGEST = "2147483647D"


def call(function: str, arguments: tuple[Expression, ...], environment: Environment) -> Items:
    """What a function of the library gives for its arguments."""
    if function.startswith(PREFIX):
        return tag_call(function, arguments, environment)
    if function not in FUNCTIONS:
        raise UnsupportedError(f"function {function}() cannot run inside an item")
    given = [environment.items(argument) for argument in arguments]
    if function == "distinct-values":
        return distinct_values(data(given[0]), environment.depth)
    return _LIBRARY[function](*given)


def text(items: Items) -> str:
    """The text of the one item, empty for none; never null."""
    return f"coalesce({single(items, conversions.text, 'STRING')}, '')"


def number(items: Items) -> str:
    """The one value as a double, NaN if it is no number; never null."""
    return f"coalesce({arithmetic.double(items)}, double('NaN'))"


def data(items: Items) -> Items:
    """The nodes of a sequence as typed values."""
    return bind(items, lambda item, _: _atom(item))


def _atom(item: Item) -> Item:
    match item:
        case Node() | Lexical():
            written = conversions.text(item)
            return Lexical(written, item.type, Role.VALUE, view=item.view)
        case Markup():
            return Lexical(conversions.text(item), ValueType.TEXT, Role.VALUE)
        case _:
            return item


def _aggregate(function: str) -> Callable[[Items], Items]:
    return lambda items: totals.aggregate(function, items)


def _test(function: str) -> Callable[[Items, Items], Items]:
    return lambda items, part: truth_value(f"{function}({text(items)}, {text(part)})")


def _text_function(function: str) -> Callable[[Items], Items]:
    return lambda items: _text(f"{function}({text(items)})")


def _text(sql: str) -> Value:
    return Value(sql, ValueType.TEXT)


def _concat(*arguments: Items) -> Value:
    return _text(f"concat({', '.join(text(argument) for argument in arguments)})")


def _string_join(items: Items, separator: Items | None = None) -> Value:
    between = "''" if separator is None else text(separator)
    return _text(f"concat_ws({between}, {gather(items, conversions.text, 'STRING')})")


def _string_length(items: Items) -> Value:
    return Value(f"CAST(length({text(items)}) AS BIGINT)", ValueType.INTEGER)


def _normalize_space(items: Items) -> Value:
    trimmed = f"btrim({text(items)}, {string(XML_SPACE)})"
    return _text(f"regexp_replace({trimmed}, {string(f'[{XML_SPACE}]+')}, ' ')")


def _substring(items: Items, start: Items, length: Items | None = None) -> Value:
    """The characters at the positions from start on, while position < start + length."""
    begin = arithmetic.half_up(number(start))
    position = f"greatest(least(nanvl({begin}, {_LARGEST}), {_LARGEST}), 1D)"
    if length is None:
        return _text(f"substring({text(items)}, CAST({position} AS INT))")
    beyond = f"{begin} + {arithmetic.half_up(number(length))}"
    many = f"greatest(least(nanvl({beyond} - {position}, 0D), {_LARGEST}), 0D)"
    return _text(f"substring({text(items)}, CAST({position} AS INT), CAST({many} AS INT))")


def _name(items: Items) -> Value:
    return _text(f"coalesce({first(items, _name_of, 'STRING')}, '')")


def _local_name(items: Items) -> Value:
    return _text(f"substring_index({_name(items).sql}, ':', -1)")


def _name_of(item: Item) -> str:
    match item:
        case Node(sql, element):
            name = element.name
        case Lexical(sql, role=Role.ATTRIBUTE, name=name) | Markup(sql, name):
            pass
        case _:
            return "CAST(NULL AS STRING)"
    return f"if({sql} IS NULL, NULL, {string(name)})"


def _rounding(
    on_doubles: Callable[[str], str], on_integers: Callable[[str], str]
) -> Callable[[Items], Items]:
    """A function from number to number: an integer gives an integer, all else a double."""

    def apply(items: Items) -> Value:
        if arithmetic.is_integer(items):
            return Value(on_integers(arithmetic.integer(items)), ValueType.INTEGER)
        return Value(on_doubles(arithmetic.double(items)), ValueType.DOUBLE)

    return apply


def _same(sql: str) -> str:
    return sql


_LIBRARY: dict[str, Callable[..., Items]] = {
    **{name: _aggregate(name) for name in ("count", "sum", "avg", "min", "max")},
    "abs": _rounding(lambda sql: f"abs({sql})", arithmetic.absolute),
    "boolean": lambda items: truth_value(truth_of(items)),
    "ceiling": _rounding(arithmetic.ceiling, _same),
    "concat": _concat,
    "contains": _test("contains"),
    "data": data,
    "empty": lambda items: truth_value(f"(NOT {exists(items)})"),
    "ends-with": _test("endswith"),
    "exactly-one": lambda items: items,
    "exists": lambda items: truth_value(exists(items)),
    "false": lambda: truth_value("false"),
    "floor": _rounding(arithmetic.floor, _same),
    "local-name": _local_name,
    "lower-case": _text_function("lower"),
    "name": _name,
    "normalize-space": _normalize_space,
    "not": lambda items: truth_value(f"(NOT {truth_of(items)})"),
    "number": lambda items: Value(number(items), ValueType.DOUBLE),
    "round": _rounding(arithmetic.half_up, _same),
    "starts-with": _test("startswith"),
    "string": lambda items: _text(text(items)),
    "string-join": _string_join,
    "string-length": _string_length,
    "substring": _substring,
    "true": lambda: truth_value("true"),
    "upper-case": _text_function("upper"),
    "zero-or-one": lambda items: items,
}

FUNCTIONS = frozenset({*_LIBRARY, "distinct-values"})
"""The functions that can run inside an item."""
