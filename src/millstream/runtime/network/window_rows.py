"""Windows that a tap gave, as rows of a stream whose items they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from millstream.model.layout import ITEM, POSITION, view_name
from millstream.model.schema import Schema
from millstream.runtime.network.narrowing import whole_column
from millstream.runtime.parsing.arrow_types import compute
from millstream.runtime.parsing.parser import Rejected, parser_for
from millstream.sharing.rewriting.window_items import START


def window_rows(
    texts: Sequence[str], schema: Schema, position: int, origin: int
) -> tuple[pa.Table | None, tuple[Rejected, ...]]:
    """The rows of windows given as XML, numbered from a position on; and what is none.

    Starts are counted from an origin; windows that start before it are not for this stream.
    """
    if not texts:
        return None, ()
    parsed = parser_for("xml", schema).parse("\n".join(texts).encode())
    lengths = [len(each.encode()) + 1 for each in texts]
    begins = np.cumsum([0, *lengths[:-1]])
    numbers = np.searchsorted(begins, parsed.offsets.to_numpy()) + position
    rows = parsed.rows.add_column(0, POSITION, pa.array(numbers, pa.int64()))
    return (_since(rows, origin) if origin else rows), parsed.rejected


def _since(rows: pa.Table, origin: int) -> pa.Table:
    view = view_name((START,))
    later = rows.filter(compute.greater_equal(rows.column(view), origin))
    starts = compute.subtract(whole_column(later.column(view)), origin)
    items = whole_column(later.column(ITEM))
    fields = [compute.struct_field(items, [each.name]) for each in items.type]
    fields[items.type.get_field_index(START)] = starts.cast(pa.string())
    moved = pa.StructArray.from_arrays(fields, fields=list(items.type))
    later = later.set_column(later.column_names.index(ITEM), ITEM, moved)
    return later.set_column(later.column_names.index(view), view, starts)
