"""What comes out of a chunk of a stream: rows, where they stood, and what was set aside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from millstream.runtime.parsing.arrow_types import Column

Offsets = npt.NDArray[np.int64]

DEFAULT_MAX_ITEM_BYTES = 16 * 1024 * 1024
MAX_RAW_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Rejected:
    """An item, or a run of bytes between items, that goes to quarantine."""

    offset: int
    """The byte in the data where it begins; the row number for tables."""
    reason: str
    raw: bytes
    """Its bytes, at most the first 64 KiB of them."""


@dataclass(frozen=True, slots=True)
class ParsedChunk:
    """The rows of a chunk's good items, in order, and its bad items."""

    offsets: Column
    """Where each row's item begins, ascending; row numbers for tables."""
    rows: pa.Table
    rejected: tuple[Rejected, ...]


@dataclass(frozen=True, slots=True)
class ItemBatch:
    """Items that fit the structure of the schema, whose values are still unchecked."""

    starts: Offsets
    items: Column


class Fault(Exception):
    """Why an item does not fit its schema."""


Value = Any
"""A row value: text, a dict of fields, or a list of these."""
Located = tuple[int, bytes]
"""Where an item begins in the data, and its bytes."""
RawOf = Callable[[int], bytes]
"""The bytes of the item that begins at an offset."""


def reject(offset: int, reason: str, raw: bytes) -> Rejected:
    """A bad item with its bytes cut to what quarantine keeps."""
    return Rejected(offset, reason, bytes(raw[:MAX_RAW_BYTES]))


def too_large(size: int, limit: int) -> str:
    """The reason to reject an item of too many bytes."""
    return f"item of {size} bytes is larger than {limit}"


def shown(text: str) -> str:
    """A piece of an item's text, short enough for a message."""
    return repr(text if len(text) <= 30 else text[:29] + "…")


def merged(batches: Sequence[ItemBatch], type: pa.DataType) -> ItemBatch:
    """All batches as one, in the order of their items in the data."""
    if not batches:
        return ItemBatch(np.empty(0, np.int64), pa.array([], type))
    if len(batches) == 1:
        return batches[0]
    starts = np.concatenate([batch.starts for batch in batches])
    items = pa.concat_arrays([batch.items for batch in batches])
    if np.all(starts[1:] > starts[:-1]):
        return ItemBatch(starts, items)
    order = np.argsort(starts)
    return ItemBatch(starts[order], items.take(pa.array(order)))


def collected(
    outcomes: Iterable[tuple[Located, Value | Fault]], type: pa.DataType
) -> tuple[ItemBatch, list[Rejected]]:
    """The values of the good items as one batch, and the others with the reason."""
    starts: list[int] = []
    values: list[Value] = []
    rejected: list[Rejected] = []
    for (start, raw), outcome in outcomes:
        if isinstance(outcome, Fault):
            rejected.append(reject(start, str(outcome), raw))
        else:
            starts.append(start)
            values.append(outcome)
    return ItemBatch(np.array(starts, np.int64), pa.array(values, type)), rejected
