"""Rows that come from another peer, written as a part of a stream's log."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from millstream.model.layout import POSITION
from millstream.runtime.intake.parts import QuarantineRow, write_log_part, write_quarantine_part
from millstream.runtime.intake.statistics import statistics
from millstream.runtime.ledger import Json
from millstream.runtime.network.fed_stream import FedStream
from millstream.runtime.parsing.parser import Rejected


def fed_part(fed: FedStream, rows: pa.Table, rejected: Sequence[Rejected], size: int) -> Json:
    """The part as a step takes it; `size` is that of its items as XML."""
    name = fed.record.name
    entries = [
        QuarantineRow(each.offset, "", each.offset, each.reason, each.raw, "item")
        for each in rejected
    ]
    return {
        "part": write_log_part(fed.folder("log"), rows),
        "rows": rows.num_rows,
        "bytes": size,
        "quarantine": write_quarantine_part(fed.folder("quarantine"), name, entries),
        "rejected": len(entries),
        "first_position": rows.column(POSITION)[0].as_py() if rows.num_rows else 0,
        "statistics": statistics(rows, fed.record.schema),
    }
