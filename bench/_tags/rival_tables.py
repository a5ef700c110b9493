"""The paper's rivals: tags as columns of tuples (TUPLE), as XML in them (XML), in a table (TABLE).

The links of TABLE are from one position to another; tuples are looked up by buckets of positions.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
from tag_data import FIELDS, LENGTH, Tagged

RIVALS = ("TABLE", "TUPLE", "XML")
BUCKET = 1000 * LENGTH


@dataclass(frozen=True, slots=True)
class Rivals:
    """The same tags in three other places."""

    wide: pa.Table
    marked: pa.Table
    links: pa.Table


def rivals_of(data: Tagged) -> Rivals:
    """Tags as columns, as XML, and in a table of links."""
    tags = data.tags.to_pandas().set_index("tag")
    frame = data.batch.select(["position", "tagset"]).to_pandas()
    joined = frame.join(tags[list(FIELDS)], on="tagset")
    bare = data.batch.drop_columns("tagset")
    wide = bare
    for name in FIELDS:
        wide = wide.append_column(name, pa.array(joined[name].astype("string"), pa.string()))
    marked = bare.append_column("tag", pa.array(_elements(wide), pa.string()))
    return Rivals(wide, marked, _links(frame, tags))


def _elements(wide: pa.Table) -> list[str | None]:
    rows = zip(*(wide.column(name).to_pylist() for name in FIELDS), strict=True)
    return [None if row[2] is None else _element(row) for row in rows]


def _element(row: tuple[str | None, ...]) -> str:
    fields = zip(FIELDS, row, strict=True)
    return f"<tag>{''.join(f'<{n}>{text or str()}</{n}>' for n, text in fields)}</tag>"


def _links(frame: object, tags: object) -> pa.Table:
    runs = frame.dropna().groupby("tagset")["position"].agg(["min", "max"])  # type: ignore[attr-defined]
    fields = tags[list(FIELDS)].astype("string").to_dict("index")  # type: ignore[index]
    rows = [
        {"first": first, "last": last, "bucket": bucket, **fields[number]}
        for number, first, last in zip(runs.index, runs["min"], runs["max"], strict=True)
        for bucket in range(first // BUCKET, last // BUCKET + 1)
    ]
    schema = pa.schema(
        [
            *((name, pa.int64()) for name in ("first", "last", "bucket")),
            *((name, pa.string()) for name in FIELDS),
        ]
    )
    return pa.Table.from_pylist(rows, schema=schema)
