"""Auction sites in the XMark shape: documents for rivals, fillers and tables for us."""

from __future__ import annotations

import gzip
import os
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from millstream.generators.auction_market import Market
from millstream.generators.auction_structure import auction_structure
from millstream.generators.auctions import document
from millstream.history.filler_store import FillerStore
from millstream.history.fragmenter import fragment
from millstream.runtime.history.asking import SparkHistories
from millstream.runtime.history.placed_stream import place_in_folder

BEGIN = datetime(2001, 1, 1, tzinfo=UTC)
DATA = Path(os.environ.get("MILLSTREAM_DATA", "../shared/data")) / "xmark"
BENCHMARKS_OWN = {0.0: "f0.xml", 0.05: "f0.05.xml.gz"}


@dataclass(frozen=True, slots=True)
class Site:
    """A document of some factor, and where its tables are."""

    factor: float
    file: Path
    tables: Path
    histories: SparkHistories
    load_seconds: float
    """To cut the document into fillers, and to write these as tables."""

    @property
    def megabytes(self) -> float:
        return self.file.stat().st_size / 1e6

    def column_bytes(self, view: str, columns: tuple[str, ...]) -> int:
        """What some columns of a table take in its file."""
        metadata = pq.ParquetFile(self.tables / f"{view.rsplit('_', 1)[1]}.parquet").metadata
        total = 0
        for group in range(metadata.num_row_groups):
            for number in range(metadata.num_columns):
                column = metadata.row_group(group).column(number)
                if column.path_in_schema.split(".")[0] in columns:
                    total += column.total_compressed_size
        return total

    @property
    def total_bytes(self) -> int:
        return sum(file.stat().st_size for file in self.tables.glob("*.parquet"))


def site(factor: float, folder: Path, spark: SparkSession) -> Site:
    """A site: the benchmark's own document where it is at hand, else a generated one."""
    folder = folder / f"factor-{factor}"
    folder.mkdir(parents=True)
    file = folder / "auction.xml"
    own = DATA / BENCHMARKS_OWN.get(factor, "none")
    if own.exists():
        data = own.read_bytes()
        file.write_bytes(gzip.decompress(data) if own.suffix == ".gz" else data)
    else:
        with file.open("w", encoding="utf-8") as out:
            out.writelines(document(Market(factor)))
    started = time.perf_counter()
    with file.open("rb") as source:
        fillers = fragment(source, auction_structure(), valid_time=BEGIN, reject=_refuse)
        store = FillerStore(auction_structure(), fillers)
    # Sites of other factors have the same name, and views of their own.
    spark = spark.newSession()
    placed = place_in_folder(spark, "auction", store, folder / "tables")
    seconds = time.perf_counter() - started
    histories = SparkHistories(spark, {"auction": placed})
    return Site(factor, file, folder / "tables", histories, seconds)


def _refuse(rejected: object) -> None:
    raise AssertionError(f"a generated document was refused: {rejected}")
