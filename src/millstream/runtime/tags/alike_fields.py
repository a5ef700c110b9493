"""Fields that say the same in all tags of a step: known beforehand, they need not be read."""

from __future__ import annotations

import pyarrow as pa

from millstream.runtime.parsing.arrow_types import compute

_WORTH_IT = 10_000
"""Tags from which on it pays to find out."""


def alike_in(tags: pa.Table) -> dict[str, str]:
    """What the texts say that are the same in all of many tags, by the names of their fields."""
    if tags.num_rows < _WORTH_IT:
        return {}
    texts = [each.name for each in tags.schema if pa.types.is_string(each.type)]
    found = ((name, _only(tags.column(name))) for name in texts)
    return {name: value for name, value in found if value is not None}


def _only(column: pa.ChunkedArray) -> str | None:
    """The one text of a column; None if there are several, or some are missing."""
    first: str | None = column[0].as_py()
    # Most columns with several have another one at the end, or in the middle.
    if first is None or any(column[place].as_py() != first for place in (-1, len(column) // 2)):
        return None
    same = compute.all(compute.equal(column, first), skip_nulls=False).as_py()
    return first if same else None
