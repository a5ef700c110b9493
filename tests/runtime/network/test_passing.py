"""How far a stream had come before each item."""

from __future__ import annotations

from decimal import Decimal

import pyarrow as pa
import pytest

from millstream.model.layout import passed_name, view_name
from millstream.model.schema import Content, Element, Leaf, Schema, ValueType
from millstream.runtime.network.passing import drawdown, highest_before
from millstream.runtime.parsing.arrow_types import VIEW_TYPES
from millstream.runtime.watermark import Watermark

NAN, INF = float("nan"), float("inf")


def schema(type: ValueType) -> Schema:
    leaf = Element("t", content=Content.LEAF, type=type)
    return Schema("r", Element("i", content=Content.NESTED, children=(leaf,)))


def views(values: list[float | None], type: ValueType) -> pa.Table:
    column = pa.array(values, pa.float64() if type is ValueType.DOUBLE else pa.int64())
    return pa.table({view_name(("t",)): column.cast(VIEW_TYPES[type])})


@pytest.mark.parametrize(
    ("type", "values", "expected"),
    [
        (ValueType.INTEGER, [3, 1, 5, 4], [None, 3, 3, 5]),
        (ValueType.INTEGER, [None, -7, None, -9], [None, None, -7, -7]),
        (ValueType.DOUBLE, [1.5, NAN, 0.5, INF, 2.0, 1.0], [None, 1.5, 1.5, 1.5, 1.5, 2.0]),
        (ValueType.INTEGER, [], []),
    ],
)
def test_highest_value_before(
    type: ValueType, values: list[float | None], expected: list[float | None]
) -> None:
    found = highest_before(views(values, type), schema(type))
    assert found[passed_name(("t",))].to_pylist() == expected


def test_times() -> None:
    rows = views([2_000_000, 1_000_000, 3_000_000], ValueType.TIME)
    found = highest_before(rows, schema(ValueType.TIME))[passed_name(("t",))]
    assert found.type == VIEW_TYPES[ValueType.TIME]
    assert found.cast(pa.int64()).to_pylist() == [None, 2_000_000, 2_000_000]


@pytest.mark.parametrize(
    ("values", "passed", "highest", "expected"),
    [
        ([1, 2, 3], [None, 1, 2], None, 0),
        ([1, 2, 3], [None, 9, 9], None, 7),
        ([1, 2, 3], [None, 1, 2], 5, 4),
        ([None], [None], 5, 0),
        ([], [], 5, 0),
    ],
)
def test_drawdown(
    values: list[int | None], passed: list[int | None], highest: int | None, expected: int
) -> None:
    rows = pa.table(
        {
            view_name(("t",)): pa.array(values, pa.int64()),
            passed_name(("t",)): pa.array(passed, pa.int64()),
        }
    )
    mark = Watermark(
        "t", ValueType.INTEGER, Decimal(0), None if highest is None else Decimal(highest)
    )
    assert drawdown(rows, Leaf(("t",), ValueType.INTEGER, False), mark) == expected
