"""Windows over partial aggregates, in the algebra."""

from __future__ import annotations

from dataclasses import replace

from millstream.algebra.explain import explain_operator
from millstream.algebra.expressions import Expression, PathTo, Step
from millstream.algebra.operators import (
    AggregateFunction,
    Aggregation,
    Scan,
    ValueBinding,
    Window,
)
from millstream.algebra.walk import expressions, map_expressions, rename
from millstream.model.schema import Content, Element, Schema, ValueType
from millstream.model.window import WindowKind, WindowSpec

TOTAL, NUMBER = PathTo("w", (Step("total"),)), PathTo("w", (Step("values"),))
MEAN = Aggregation("a", AggregateFunction.AVG, TOTAL, ValueType.DECIMAL, NUMBER)
WINDOW = Window(
    Scan("tiles", "t", Schema("tiles", Element("tile", content=Content.NESTED))),
    "w",
    WindowSpec(WindowKind.DIFF, 60, 40, ("start",)),
    (MEAN, Aggregation("n", AggregateFunction.VALUES, TOTAL, ValueType.INTEGER)),
    tile=20,
    start="s",
)


def test_explain_tells_of_tiles_weights_and_starts() -> None:
    assert explain_operator(WINDOW) == (
        "Window |start diff 60 step 40| as $w of tiles of 20 starting at $s"
        " with $a := avg($w/total, $w/values) as decimal, $n := values($w/total) as integer\n"
        "  Scan tiles as $t"
    )


def test_the_start_is_bound_to_an_integer() -> None:
    assert WINDOW.bindings[-1] == ValueBinding("s", ValueType.INTEGER)


def test_a_weight_is_an_expression_of_the_window() -> None:
    assert expressions(WINDOW) == (TOTAL, NUMBER, TOTAL)


def test_weights_are_rewritten() -> None:
    def doubled(path: Expression) -> Expression:
        assert isinstance(path, PathTo)
        return PathTo(path.variable, path.steps * 2)

    mapped = map_expressions(WINDOW, doubled)
    assert expressions(mapped) == tuple(doubled(each) for each in expressions(WINDOW))


def test_rename_reaches_starts_and_weights() -> None:
    renamed = rename(WINDOW, {"w": "v", "s": "begin", "a": "mean"})
    total, number = PathTo("v", TOTAL.steps), PathTo("v", NUMBER.steps)
    mean = replace(MEAN, variable="mean", source=total, weight=number)
    assert isinstance(renamed, Window)
    assert (renamed.start, renamed.aggregations[0]) == ("begin", mean)


def test_other_tiles_make_other_windows() -> None:
    assert len({WINDOW, replace(WINDOW, tile=10), replace(WINDOW, start=None)}) == 3
