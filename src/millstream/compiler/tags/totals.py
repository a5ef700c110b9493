"""Aggregates over the tuples of a group, put together from parts.

A part is known of one tuple e, and of two sets of tuples together when it is known of each. So what
is known of earlier tuples need not be found again for each one that comes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from millstream.algebra.expressions import Expression, PathTo
from millstream.algebra.operators import AggregateFunction
from millstream.algebra.tag_operators import TupleAggregation
from millstream.compiler import conversions
from millstream.compiler.expressions import items_of
from millstream.compiler.items import Item, Lexical, Role, Value
from millstream.compiler.numbers import mean_of_integers
from millstream.compiler.sequences import single
from millstream.compiler.tags.marks import flat_name, flattened
from millstream.compiler.tags.tuple_source import TupleSource, UsedAttribute
from millstream.model.schema import ValueType
from millstream.model.tags import step_layout

DECIMAL, WHOLE = "DECIMAL(38,18)", "DECIMAL(38,0)"
_SUMMAND = {DECIMAL: "DECIMAL(37,18)", WHOLE: "DECIMAL(37,0)"}
"""Of which two together have room."""
_SUM_TYPES = {
    WHOLE: ValueType.INTEGER,
    DECIMAL: ValueType.DECIMAL,
    "DOUBLE": ValueType.DOUBLE,
}
_SQL_TYPES = {
    ValueType.INTEGER: "BIGINT",
    ValueType.DECIMAL: DECIMAL,
    ValueType.DOUBLE: "DOUBLE",
    ValueType.TIME: "TIMESTAMP",
    ValueType.TEXT: "STRING",
}
_SUM = "try_sum"
"""Null where a sum is too large."""
_TOGETHER = {"min": "least", "max": "greatest", "collect_set": "array_union"}


@dataclass(frozen=True, slots=True)
class Part:
    """What is summed, is the least or the greatest, or is one of a set."""

    function: str
    """try_sum, min, max or collect_set."""
    input: str
    """Of one tuple e."""
    type: str
    """Of SQL; the values of an attribute are kept with their texts."""
    attribute: UsedAttribute | None = None
    """Of which it is the least or the greatest."""

    def text(self, column: str) -> str:
        """What is written down of it."""
        return f"CAST({column} AS STRING)" if self.attribute is None else f"{column}.t"

    def read(self, text: str) -> str:
        """What was written down; nothing of what others wrote down in the same place."""
        if self.attribute is None:
            return f"try_cast({text} AS {self.type})"
        return _with_text(self.attribute.kept_as(text).value, text)

    def together(self, one: str, other: str) -> str:
        """The part of two sets of tuples, null for those that have none."""
        if self.function in _TOGETHER:
            return f"coalesce({_TOGETHER[self.function]}({one}, {other}), {one}, {other})"
        # A sum of two decimals must have room for one more digit.
        summand = _SUMMAND.get(self.type, self.type)
        both = " + ".join(f"try_cast({each} AS {summand})" for each in (one, other))
        return f"IF({one} IS NULL OR {other} IS NULL, coalesce({one}, {other}), {both})"


TAG_SETS = Part("collect_set", f"e.{step_layout.TAGSET}", "BIGINT")
"""The sets of tags on the tuples of a group."""


@dataclass(slots=True)
class Totals:
    """The parts that the aggregates of a statement need, as columns p0, p1, … of a row r."""

    source: TupleSource
    parts: list[Part] = field(default_factory=list)

    def answer(self, aggregation: TupleAggregation) -> str:
        """An aggregate as the text that a result shows, null for none."""
        value, function = aggregation.value, aggregation.function
        if value is None:
            return f"CAST({self._counted('true')} AS STRING)"
        match function:
            case AggregateFunction.COUNT:
                present = f"{self._present(value)} IS NOT NULL"
                return f"CAST({self._counted(present)} AS STRING)"
            case AggregateFunction.MIN | AggregateFunction.MAX:
                return self._extreme(function.value, value)
        number, number_type = self._number(value)
        total = self._column(Part(_SUM, number, number_type))
        count = self._counted(f"{number} IS NOT NULL")
        if function is AggregateFunction.SUM:
            # Where there are numbers and no total, it is too large.
            sum = f"IF({count} = 0, CAST(0 AS {number_type}), {total})"
            return conversions.text(Value(sum, _SUM_TYPES[number_type]))
        return conversions.text(_mean(total, count, number_type))

    def _column(self, part: Part) -> str:
        if part not in self.parts:
            self.parts.append(part)
        return f"r.p{self.parts.index(part)}"

    def _counted(self, condition: str) -> str:
        return self._column(Part(_SUM, f"IF({condition}, 1L, 0L)", "BIGINT"))

    def _extreme(self, function: str, value: Expression) -> str:
        """The least or greatest, as it was written."""
        found = self._attribute(value)
        if found is not None:
            place, attribute = found
            input = _with_text(f"e.v{place}", f"e.t{place}")
            return f"{self._column(Part(function, input, 'STRUCT', attribute))}.t"
        item = items_of(flattened(value), self.source.scope("e"))
        computed = single(item, _as_value, "DOUBLE")
        type = item.type if isinstance(item, Value) and item.type else ValueType.DOUBLE
        column = self._column(Part(function, computed, _SQL_TYPES[type]))
        return conversions.text(Value(column, type))

    # Values of a tuple e.

    def _type(self, value: Expression) -> ValueType | None:
        found = self._attribute(value)
        if found is not None:
            return found[1].type
        item = items_of(flattened(value), self.source.scope("e"))
        return item.type if isinstance(item, Value) else ValueType.DOUBLE

    def _attribute(self, value: Expression) -> tuple[int, UsedAttribute] | None:
        """The place of the attribute that a value is, and the attribute, if it is one."""
        if not isinstance(value, PathTo):
            return None
        name = flat_name(value)
        attributes = enumerate(self.source.attributes)
        return next(((place, each) for place, each in attributes if each.name == name), None)

    def _number(self, value: Expression) -> tuple[str, str]:
        """A value to be summed: exact where it was written as an integer or a decimal."""
        found, type = self._attribute(value), self._type(value)
        if found is not None and type is ValueType.DECIMAL:
            return conversions.exact(Lexical(f"e.t{found[0]}", type, Role.VALUE)), DECIMAL
        if type is None or not type.numeric:
            return "CAST(NULL AS DOUBLE)", "DOUBLE"
        item = items_of(flattened(value), self.source.scope("e"))
        if type is not ValueType.INTEGER:
            return single(item, conversions.double, "DOUBLE"), "DOUBLE"
        return f"CAST({single(item, conversions.exact, DECIMAL)} AS {WHOLE})", WHOLE

    def _present(self, value: Expression) -> str:
        item = items_of(flattened(value), self.source.scope("e"))
        return single(item, conversions.text, "STRING")


def _mean(total: str, count: str, type: str) -> Value:
    if type == WHOLE:
        return Value(mean_of_integers(total, count), ValueType.DECIMAL)
    divisor = count if type == "DOUBLE" else f"CAST({count} AS DECIMAL(20,0))"
    return Value(f"try_divide({total}, {divisor})", _SUM_TYPES[type])


def _as_value(item: Item) -> str:
    if isinstance(item, Value) and item.literal is None:
        return item.sql
    return conversions.double(item)


def _with_text(value: str, text: str) -> str:
    """A value that is compared, with what was written for it."""
    return f"IF({value} IS NULL, NULL, struct({value} AS v, {text} AS t))"
