"""Items that repeat the key of an item before them, in streams that declare a key."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import SparkSession

from millstream.compiler.columns import field, text_field
from millstream.model.schema import Path, Schema
from millstream.runtime.log_reading import log_schema
from millstream.runtime.quarantine import write_reasons
from millstream.runtime.records import Segment
from millstream.runtime.segments import describe_file
from millstream.runtime.storage import Storage

KEYS = "keys"
_NEW = "SELECT DISTINCT b.key AS key FROM keyed b LEFT ANTI JOIN seen s ON s.key = b.key"
_REPEATED = (
    "SELECT b.position AS position, b.key AS key FROM (SELECT position, key, row_number() OVER"
    " (PARTITION BY key ORDER BY position) AS number FROM keyed) b"
    " LEFT JOIN (SELECT DISTINCT key FROM seen) s ON s.key = b.key"
    " WHERE b.number > 1 OR s.key IS NOT NULL"
)


class Duplicates:
    """Finds repeated keys, and remembers the keys of all steps."""

    def __init__(
        self, storage: Storage, folder: str, stream: str, schema: Schema, key: Path
    ) -> None:
        self._storage = storage
        self._folder = folder
        self._stream = stream
        self._schema = schema
        self._key = key_sql(schema, key)

    def find(
        self, session: SparkSession, log: Sequence[str], seen: Sequence[Segment]
    ) -> dict[int, str]:
        """The positions of repeated items in some files of the log, with their keys."""
        self._set_views(session, log, seen)
        return {row["position"]: row["key"] for row in session.sql(_REPEATED).collect()}

    def remember(self, session: SparkSession, step: int) -> list[Segment]:
        """The keys that the files last looked at bring for the first time, as segments."""
        folder = f"{self._folder}/{KEYS}/{step:012d}"
        target = self._storage.address(folder)
        session.sql(_NEW).coalesce(1).write.mode("overwrite").parquet(target)
        files = [each for each in self._storage.names(folder) if each.endswith(".parquet")]
        return [describe_file(self._storage, f"{folder}/{each}", step) for each in files]

    def quarantine(self, found: dict[int, str], step: int) -> list[Segment]:
        """The repeated items as quarantine entries."""
        if not found:
            return []
        reasons = {
            position: f"duplicate: an item with key '{key}' came before"
            for position, key in found.items()
        }
        return write_reasons(self._storage, self._folder, self._stream, "duplicate", reasons, step)

    def _set_views(
        self, session: SparkSession, log: Sequence[str], seen: Sequence[Segment]
    ) -> None:
        files = [self._storage.address(each) for each in log]
        items = session.read.schema(log_schema(self._schema)).parquet(*files)
        keyed = items.selectExpr("position", f"trim({self._key}) AS key").where("key IS NOT NULL")
        keyed.createOrReplaceTempView("keyed")
        known = [self._storage.address(each.name) for each in seen]
        if known:
            keys = session.read.schema("key STRING").parquet(*known)
        else:
            keys = session.createDataFrame([], "key STRING")
        keys.createOrReplaceTempView("seen")


def key_sql(schema: Schema, key: Path) -> str:
    """The text of the leaf or attribute that is an item's key, in SQL."""
    sql, element = "item", schema.item
    for name in key:
        sql = field(sql, name)
        if name.startswith("@"):
            return sql
        child = element.child(name)
        assert child is not None, "a key is a leaf of the schema"
        element = child
    return text_field(sql, element)
