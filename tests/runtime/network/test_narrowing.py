"""Rows are narrowed as their items would be, and their size is that of the items as text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from millstream.algebra.expressions import PathTo
from millstream.algebra.operators import Construct, Query, Scan
from millstream.model.layout import ITEM, POSITION
from millstream.model.schema import Schema
from millstream.runtime.network.narrowing import columns_of, narrowed, whole_column
from millstream.runtime.network.serialized_size import serialized_size
from millstream.runtime.parsing.parser import parser_for
from millstream.sharing.element_paths import all_paths
from millstream.sharing.rewriting import projected
from millstream.testing.reference import evaluate
from millstream.testing.strategies import arrivals, schemas
from tests.languages.streams import LETTERS, SKY, SKY_ITEMS
from tests.sharing.rewriting.narrow_items import narrow_item

ESCAPED = '<source id="&quot;&lt;ä&gt;"><name>a &amp; b</name><site><name/></site></source>'
PROFILE = settings(max_examples=100, suppress_health_check=list(HealthCheck))


def rows_of(items: list[str], schema: Schema) -> pa.Table:
    parsed = parser_for("xml", schema).parse("\n".join(items).encode())
    assert not parsed.rejected
    positions = pa.array(np.arange(len(items)), pa.int64())
    return parsed.rows.add_column(0, POSITION, positions)


def printed(items: list[str], schema: Schema) -> list[str]:
    """The items as results of a query for all of them."""
    everything = Query((Construct(Scan("items", "p", schema), PathTo("p")),))
    return list(evaluate(everything, [("items", each) for each in items]).results)


def size(items: list[str], schema: Schema) -> int:
    return serialized_size(whole_column(rows_of(items, schema).column(ITEM)), schema.item)


@PROFILE
@given(data=st.data())
def test_rows_are_narrowed_as_their_items(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    items = [text for _, text in data.draw(arrivals({"items": schema}, max_size=5))]
    kept = data.draw(st.frozensets(st.sampled_from(sorted(all_paths(schema)))))
    narrow = projected(schema, kept)
    expected = rows_of([narrow_item(each, narrow) for each in items], narrow)
    assert narrowed(rows_of(items, schema), narrow).to_pylist() == expected.to_pylist()


@pytest.mark.parametrize(
    "kept",
    [
        {("name",)},
        {("@id",), ("obs", "flux")},
        {("obs", "@id"), ("obs", "band")},
        {("site",)},
        {("seen",), ("site", "name")},
        set(),
    ],
)
def test_lists_attributes_and_what_may_be_absent(
    kept: set[tuple[str, ...]], tmp_path: Path
) -> None:
    narrow = projected(SKY, kept)
    pq.write_table(rows_of(list(SKY_ITEMS), SKY), tmp_path / "part.parquet")
    read = pq.ParquetFile(tmp_path / "part.parquet").read(columns_of(narrow))
    expected = rows_of([narrow_item(each, narrow) for each in SKY_ITEMS], narrow)
    assert narrowed(read, narrow).to_pylist() == expected.to_pylist()


@PROFILE
@given(data=st.data())
def test_size_is_that_of_the_text(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    items = [text for _, text in data.draw(arrivals({"items": schema}, max_size=5))]
    assert size(items, schema) == sum(len(each.encode()) for each in printed(items, schema))


@pytest.mark.parametrize(
    ("schema", "items"),
    [
        (
            SKY,
            [
                *SKY_ITEMS,
                '<source id="&quot;&lt;ä&gt;"><name>a &amp; b</name><site><name/></site></source>',
            ],
        ),
        (LETTERS, ["<letter><to/><body>Dear <b>reader</b>,</body></letter>"]),
    ],
)
def test_size_with_attributes_escapes_and_mixed_content(schema: Schema, items: list[str]) -> None:
    expected = sum(len(each.encode()) for each in printed(items, schema))
    assert size(items, schema) == expected


def test_all_paths_keep_the_schema() -> None:
    assert projected(SKY, all_paths(SKY)) == SKY
