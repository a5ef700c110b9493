"""Rows of tables as items."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from millstream.errors import SchemaError
from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType
from millstream.runtime.parsing.parser import arrow_schema, rows_from_table
from tests.runtime.parsing.shapes import DECIMAL, INTEGER, PHOTONS, leaf, nested

DOUBLE, TIME, TEXT = ValueType.DOUBLE, ValueType.TIME, ValueType.TEXT


def one_column(array: Any, type: ValueType) -> list[Any]:
    schema = Schema("r", nested("i", leaf("v", type, Occurs.OPTIONAL)))
    chunk = rows_from_table(pa.table({"v": array}), schema)
    assert chunk.rejected == ()
    return [row["v"] for row in chunk.rows.column("item").to_pylist()]


@pytest.mark.parametrize(
    ("array", "type", "expected"),
    [
        (pa.array([1, None, -7]), INTEGER, ["1", None, "-7"]),
        (pa.array([3.0, 1e15]), INTEGER, ["3", "1000000000000000"]),
        (pa.array([1.5, 1e19, 1e-7]), DECIMAL, ["1.5", "10000000000000000000", "0.0000001"]),
        (pa.array([0.1], pa.float32()), DECIMAL, ["0.1"]),
        (
            pa.array([1.5, 1e20, float("nan"), float("-inf"), 1234567.5]),
            DOUBLE,
            ["1.5", "1.0E20", "NaN", "-INF", "1.2345675E6"],
        ),
        (
            pa.array([Decimal("24.00"), Decimal("0.00"), None, Decimal("-1.25")]),
            DECIMAL,
            ["24", "0", None, "-1.25"],
        ),
        (pa.array([Decimal("1E-9")], pa.decimal128(38, 12)), DECIMAL, ["0.000000001"]),
        (pa.array([True, False]), TEXT, ["true", "false"]),
        (pa.array([date(2003, 11, 1)]), TIME, ["2003-11-01"]),
        (
            pa.array([datetime(2003, 11, 1, 10, 0, 0, 500000), datetime(2003, 11, 1)]),
            TIME,
            ["2003-11-01T10:00:00.5Z", "2003-11-01T00:00:00Z"],
        ),
        (
            pa.array([datetime(2003, 11, 1, 10, tzinfo=UTC)], pa.timestamp("ns", "Europe/Paris")),
            TIME,
            ["2003-11-01T10:00:00Z"],
        ),
        (pa.array(["a", "b", "a"]).dictionary_encode(), TEXT, ["a", "b", "a"]),
        (pa.array(["a"], pa.large_string()), TEXT, ["a"]),
        (pa.nulls(2), TEXT, [None, None]),
        (pa.chunked_array([["1"], ["2"]]), INTEGER, ["1", "2"]),
    ],
)
def test_values_become_canonical_text(array: Any, type: ValueType, expected: Any) -> None:
    assert one_column(array, type) == expected


def test_fraction_is_no_integer() -> None:
    schema = Schema("r", nested("i", leaf("v", INTEGER)))
    chunk = rows_from_table(pa.table({"v": [1.0, 2.5]}), schema)
    assert [each.reason for each in chunk.rejected] == ["i/v: not an integer: '2.5'"]


def test_nested_columns() -> None:
    tag = Element("tag", Occurs.MANY, attributes=(Attribute("by"),))
    item = nested("i", nested("c", leaf("n", INTEGER), occurs=Occurs.OPTIONAL), tag, leaf("m"))
    rows = [
        {"c": {"n": 1}, "tag": [{"#text": "a", "@by": "x"}, None], "m": "1"},
        {"c": None, "tag": [], "m": "2"},
        {"c": {"n": None}, "tag": None, "m": "3"},
    ]
    schema = Schema("r", item)
    chunk = rows_from_table(pa.Table.from_pylist(rows), schema)
    assert chunk.rows.column("item").to_pylist() == [
        {"c": {"n": "1"}, "tag": [{"#text": "a", "@by": "x"}], "m": "1"},
        {"c": None, "tag": None, "m": "2"},
    ]
    assert chunk.rows.column("=c/n").to_pylist() == [1, None]
    assert chunk.offsets.to_pylist() == [0, 1]
    assert [(each.offset, each.reason) for each in chunk.rejected] == [
        (2, "i/c: missing child 'n'")
    ]
    assert chunk.rejected[0].raw == b'{"c": {"n": null}, "tag": null, "m": "3"}'
    assert chunk.rows.schema.equals(arrow_schema(schema))


def test_one_value_stands_for_a_list_of_one() -> None:
    schema = Schema("r", nested("i", leaf("a", occurs=Occurs.MANY)))
    chunk = rows_from_table(pa.table({"a": ["x", None]}), schema)
    assert chunk.rows.column("item").to_pylist() == [{"a": ["x"]}, {"a": None}]


def test_bad_values_are_set_aside() -> None:
    schema = Schema(
        "r", nested("i", leaf("n", INTEGER), Element("d", Occurs.OPTIONAL, Content.RAW))
    )
    table = pa.table(
        {"n": ["1", "x", "3", "4\x01"], "d": ["<d/>", None, "<d>", None]},
    )
    chunk = rows_from_table(table, schema)
    assert chunk.offsets.to_pylist() == [0]
    assert [(each.offset, each.reason.partition(":")[0]) for each in chunk.rejected] == [
        (1, "i/n"),
        (2, "i/d"),
        (3, "i/n"),
    ]


@pytest.mark.parametrize(
    "table",
    [
        pa.table({"energy": [1.0]}),
        pa.table({"en": [[1.0]]}),
        pa.table({"en": [{"a": 1}]}),
        pa.table({"coord": [1.0]}),
        pa.table({"en": [b"1"]}),
    ],
)
def test_table_of_another_stream_is_refused(table: pa.Table) -> None:
    with pytest.raises(SchemaError):
        rows_from_table(table, PHOTONS)


def test_item_may_be_bare_text() -> None:
    chunk = rows_from_table(pa.table({"#text": [1, None]}), Schema("r", leaf("i", INTEGER)))
    assert chunk.rows.to_pylist() == [{"item": "1", "=": 1}, {"item": "", "=": None}]


def test_no_rows() -> None:
    chunk = rows_from_table(pa.table({"en": pa.array([], pa.float64())}), PHOTONS)
    assert chunk.rows.schema.equals(arrow_schema(PHOTONS))
    assert chunk.rows.num_rows == 0
