"""What a planner must know of a stream, from what flows or, before that, from its source."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pyarrow.parquet as pq
from lxml import etree

from millstream.errors import SchemaError
from millstream.model.layout import ITEM
from millstream.model.sample import find_items
from millstream.runtime.intake.files import files_at
from millstream.runtime.item_text import item_text, plain_item
from millstream.runtime.journal import StreamState
from millstream.runtime.records import StreamRecord
from millstream.runtime.sampling import sample
from millstream.runtime.storage import Storage
from millstream.runtime.tuning.station import Unheard
from millstream.sharing.statistics import StreamStatistics, observe

LOOKED_AT = 1000
"""Items that are looked at."""
UNKNOWN_RATE = 1.0
"""Items a second, as long as nobody has said or seen how many there are."""


def stream_statistics(
    storage: Storage, record: StreamRecord, state: StreamState
) -> StreamStatistics:
    """Sizes, occurrences and values of a stream's items, and how many come a second."""
    rate = record.rate or UNKNOWN_RATE
    for texts in (_logged(storage, record, state), _announced(record)):
        found = list(islice(texts, LOOKED_AT))
        if found:
            return observe(record.schema, found, rate)
    return observe(record.schema, [plain_item(record.schema.item)], rate)


def _logged(storage: Storage, record: StreamRecord, state: StreamState) -> Iterator[str]:
    """The newest items that are still in the log; of fillers a log holds something else."""
    if record.structure is not None:
        return
    for segment in reversed(state.tables["log"]):
        path = storage.address(segment.name)
        system, name = files_at(path).opened(path)
        with pq.ParquetFile(name, filesystem=system) as file:
            for batch in file.iter_batches(LOOKED_AT, columns=[ITEM]):
                for value in batch.column(0).to_pylist():
                    yield item_text(value, record.schema.item)


def _announced(record: StreamRecord) -> Iterator[str]:
    """The first items of a source of XML, or of a stream elsewhere."""
    try:
        found = find_items(
            sample(record.source, record.format, record.delimiter or ","),
            stream=record.name,
            item=record.schema.item.name,
        )
    except (SchemaError, Unheard):
        return
    for each in found.items:
        if isinstance(each, etree._Element):
            yield etree.tostring(each, encoding="unicode", with_tail=False)
