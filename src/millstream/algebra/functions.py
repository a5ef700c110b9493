"""The function library: what a Call may name, how many arguments it takes, what it gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum


class Gives(Enum):
    """What kind of value a function returns."""

    NUMBER = "number"
    TEXT = "text"
    TRUTH = "truth"
    VALUES = "values"
    """Atomic values, as many as its argument has."""
    SAME = "same"
    """What its argument holds: one of its values, or its nodes."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the library by its plain name; `most` is None where any number may follow."""

    name: str
    least: int
    most: int | None
    gives: Gives
    summary: str
    takes_context: bool = False
    """True if, written without its argument, it asks about the context item.

    A Call always has the argument: languages put the context there.
    """

    def accepts(self, count: int) -> bool:
        """True if so many arguments may be given."""
        return self.least <= count and (self.most is None or count <= self.most)

    @property
    def arity(self) -> str:
        """How many arguments it takes, in words: '1', '2 or 3', '2 or more'."""
        if self.most is None:
            return f"{self.least} or more"
        return str(self.least) if self.least == self.most else f"{self.least} or {self.most}"


AGGREGATES = frozenset({"count", "sum", "avg", "min", "max"})
"""The functions that a window computes over its contents."""

NUMERIC_AGGREGATES = frozenset({"sum", "avg"})
"""The aggregates that only numbers have."""


def _library() -> Iterator[Function]:
    number, text, truth = Gives.NUMBER, Gives.TEXT, Gives.TRUTH
    yield Function("count", 1, 1, number, "how many items")
    yield Function("sum", 1, 1, number, "their sum; 0 for none")
    yield Function("avg", 1, 1, number, "their mean; empty for none")
    yield Function("min", 1, 1, Gives.SAME, "the least; empty for none")
    yield Function("max", 1, 1, Gives.SAME, "the greatest; empty for none")
    yield Function("string", 1, 1, text, "the text of one item; '' for none", takes_context=True)
    yield Function("number", 1, 1, number, "the value as a double, or NaN", takes_context=True)
    yield Function("data", 1, 1, Gives.VALUES, "the typed values of nodes")
    yield Function("not", 1, 1, truth, "true if the argument is false")
    yield Function("empty", 1, 1, truth, "true for the empty sequence")
    yield Function("exists", 1, 1, truth, "true but for the empty sequence")
    yield Function("contains", 2, 2, truth, "true if the second text is in the first")
    yield Function("starts-with", 2, 2, truth, "true if the first text starts with the second")
    yield Function("ends-with", 2, 2, truth, "true if the first text ends with the second")
    yield Function("concat", 2, None, text, "the texts one after the other")
    yield Function("string-length", 1, 1, number, "how many characters", takes_context=True)
    yield Function("normalize-space", 1, 1, text, "trimmed, single spaces", takes_context=True)
    yield Function("upper-case", 1, 1, text, "in capitals")
    yield Function("lower-case", 1, 1, text, "in small letters")
    yield Function("substring", 2, 3, text, "from a position, counted from 1, for a length")
    yield Function("distinct-values", 1, 1, Gives.VALUES, "each value once, first ones first")
    yield Function("name", 1, 1, text, "the name of a node", takes_context=True)
    yield Function("local-name", 1, 1, text, "the name without its prefix", takes_context=True)
    yield Function("round", 1, 1, number, "the nearest whole number; halves go up")
    yield Function("floor", 1, 1, number, "the whole number at or below")
    yield Function("ceiling", 1, 1, number, "the whole number at or above")
    yield Function("abs", 1, 1, number, "without its sign")
    yield Function("zero-or-one", 1, 1, Gives.SAME, "the argument, which has at most one item")
    yield Function("exactly-one", 1, 1, Gives.SAME, "the argument, which has one item")
    yield Function("true", 0, 0, truth, "true")
    yield Function("false", 0, 0, truth, "false")


FUNCTIONS = {function.name: function for function in _library()}
"""The library by name. Lowering writes true() and false() as literals."""
