"""Parquet files that are read side by side."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pyarrow.parquet as pq

AT_ONCE = 4
"""Files that are read or written at the same time; Arrow does not hold Python up."""


def read_files(files: Sequence[str], columns: Sequence[str] | None = None) -> list[pa.Table]:
    """The tables of files, all of their columns or some."""

    def read(file: str) -> pa.Table:
        with pq.ParquetFile(file) as opened:
            return opened.read(columns=None if columns is None else list(columns))

    if len(files) < 2:
        return [read(each) for each in files]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(read, files))
