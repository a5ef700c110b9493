"""The statistics of a chunk."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest

from millstream.model.schema import Content, Element, Schema, ValueType
from millstream.runtime.intake.statistics import statistics

TYPES: dict[ValueType, Any] = {
    ValueType.INTEGER: pa.int64(),
    ValueType.DOUBLE: pa.float64(),
    ValueType.TIME: pa.timestamp("us", "UTC"),
}


def of(type: ValueType, values: list[Any]) -> dict[str, Any]:
    child = Element("v", type=type)
    schema = Schema("items", Element("item", content=Content.NESTED, children=(child,)))
    items = pa.array([{"v": ""}] * len(values), pa.struct([("v", pa.string())]))
    table = pa.table({"item": items, "=v": pa.array(values, TYPES[type])})
    found: dict[str, Any] = json.loads(statistics(table, schema))["v"]
    return found


def test_integers_are_exact() -> None:
    assert of(ValueType.INTEGER, [3, None, 9007199254740993, 5]) == {
        "min": 3,
        "max": 9007199254740993,
        "first": 3,
        "last": 5,
        "drawdown": 9007199254740988,
        "nulls": 1,
    }


def test_the_largest_integers_do_not_overflow() -> None:
    lowest, highest = -(2**63), 2**63 - 1
    assert of(ValueType.INTEGER, [highest, lowest])["drawdown"] == highest - lowest


@pytest.mark.parametrize(
    ("values", "drawdown"),
    [([1, 2, 2, 7], 0), ([5, 3, 6, 1, 9], 5), ([1], 0), ([], 0), ([None], 0)],
)
def test_drawdown_is_the_largest_step_behind(values: list[Any], drawdown: int) -> None:
    assert of(ValueType.INTEGER, values)["drawdown"] == drawdown


def test_doubles_leave_out_what_is_no_number() -> None:
    found = of(ValueType.DOUBLE, [1.5, float("nan"), 0.25])
    assert found == {
        "min": 0.25,
        "max": 1.5,
        "first": 1.5,
        "last": 0.25,
        "drawdown": 1.25,
        "nulls": 0,
        "nans": 1,
    }


def test_times_are_microseconds() -> None:
    later = datetime(1970, 1, 1, 0, 0, 2, tzinfo=UTC)
    found = of(ValueType.TIME, [later, datetime(1970, 1, 1, 0, 0, 0, 5, tzinfo=UTC)])
    assert (found["max"], found["last"], found["drawdown"]) == (2_000_000, 5, 1_999_995)


def test_no_values_have_no_range() -> None:
    found = of(ValueType.TIME, [None])
    assert (found["min"], found["max"], found["nulls"]) == (None, None, 1)
