"""What a query returns for each binding, computed by SaxonC in tasks of Spark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any
from xml.sax.saxutils import quoteattr

import pyarrow as pa
from pyspark.sql.types import ArrayType, StringType, StructField, StructType

from millstream.compiler.history import Plan
from millstream.errors import MillstreamError, QueryError
from millstream.history.evaluation import run_keyed
from millstream.model.user_functions import registered, restore
from millstream.runtime.session import DataFrame

_TEXTS = pa.list_(pa.string())


def with_items(frame: DataFrame, plan: Plan, xquery: str, now: datetime) -> DataFrame:
    """The bindings of a plan with what the query returns for each, a batch of them at a time."""
    inputs = len(plan.inputs)
    kept = frame.schema.fields[: len(frame.columns) - inputs]
    schema = StructType(
        [
            *kept,
            StructField("items", ArrayType(StringType())),
            StructField("code", StringType()),
        ]
    )

    functions = dict(registered())

    def answer(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        restore(functions)
        for batch in batches:
            yield _answered(batch, inputs, xquery, now)

    return frame.mapInArrow(answer, schema)


def raise_failure(rows: Sequence[dict[str, Any]]) -> None:
    """The failure of a query on a worker is that of the query."""
    for row in rows:
        if row.get("code") is not None:
            raise QueryError(row["items"][0], code=row["code"])


def _answered(batch: pa.RecordBatch, inputs: int, xquery: str, now: datetime) -> pa.RecordBatch:
    kept = batch.num_columns - inputs
    columns = [batch.column(kept + number).to_pylist() for number in range(inputs)]
    items: list[list[str]] = [[] for _ in range(batch.num_rows)]
    code = None
    try:
        for result in run_keyed(xquery, {"rows": _document(columns)}, now):
            items[int(result.keys[0])] = list(result.items)
    except MillstreamError as error:
        code, items = error.code, [[error.message] for _ in items]
    arrays = [
        *(batch.column(number) for number in range(kept)),
        pa.array(items, type=_TEXTS),
        pa.array([code] * batch.num_rows, type=pa.string()),
    ]
    names = [*batch.schema.names[:kept], "items", "code"]
    return pa.RecordBatch.from_arrays(arrays, names=names)


def _document(columns: Sequence[Sequence[str]]) -> str:
    """The variables of all rows as one document."""
    rows = (
        f"<row n={quoteattr(str(place))}>"
        + "".join(f"<v{number}>{text}</v{number}>" for number, text in enumerate(texts))
        + "</row>"
        for place, texts in enumerate(zip(*columns, strict=True))
    )
    return f"<rows>{''.join(rows)}</rows>"
