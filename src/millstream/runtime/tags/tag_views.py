"""The views through which a step's statement sees tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import pyarrow as pa
from pyspark.sql.functions import lit

from millstream.compiler.rows import BATCH
from millstream.compiler.tags.marks import marks_view
from millstream.model.layout import POSITION
from millstream.model.tags.step_layout import (
    ON_POSITION,
    TAG,
    TAG_COLUMNS,
    TAG_MARKS,
    TAG_SET_COLUMNS,
    TAG_SETS,
    TAGS,
    TAGSET,
)
from millstream.runtime.channel_views import ChannelViews
from millstream.runtime.session import SparkSession
from millstream.runtime.storage import Storage
from millstream.runtime.tags.stream_tags import StepTagging
from millstream.runtime.tags.tagged_runs import LAST

_NOTHING: Mapping[str, str] = MappingProxyType({})
_TAGGED = "tagged_positions"
_TAGGED_COLUMNS = ((POSITION, "BIGINT"), (TAGSET, "BIGINT"))
_JOINED = (
    f"SELECT b.*, t.{TAGSET} FROM {BATCH} b LEFT JOIN {_TAGGED} t ON t.{POSITION} = b.{POSITION}"
)
_RUNS = "tagged_runs"
_STRETCH = 1 << 16
_PAST_RUNS = (
    f"SELECT {POSITION}, {LAST}, {TAGSET},"
    f" explode(sequence({POSITION} div {_STRETCH}L, {LAST} div {_STRETCH}L)) AS stretch"
    f" FROM {_TAGGED} WHERE {LAST} IS NOT NULL"
)
_JOINED_TO_PAST = (
    f"SELECT b.*, coalesce(t.{TAGSET}, r.{TAGSET}) AS {TAGSET} FROM {BATCH} b"
    f" LEFT JOIN (SELECT * FROM {_TAGGED} WHERE {LAST} IS NULL) t ON t.{POSITION} = b.{POSITION}"
    f" LEFT JOIN ({_PAST_RUNS}) r ON r.stretch = b.{POSITION} div {_STRETCH}L"
    f" AND b.{POSITION} >= r.{POSITION} AND b.{POSITION} <= r.{LAST}"
)


_ALIVE = "alive_tags"
_OF_THE_LIVING = (
    f"SELECT s.* FROM {TAG_SETS} s LEFT SEMI JOIN (SELECT {TAG} FROM {TAGS} WHERE lifespan IS NULL"
    f" UNION ALL SELECT {TAG} FROM {_ALIVE}) a ON a.{TAG} = s.{TAG}"
)


class TagViews:
    """Shows the tags of a step; what no statement asks for is not read."""

    def __init__(self, storage: Storage, session: SparkSession, views: ChannelViews) -> None:
        self._storage = storage
        self._session = session
        self._views = views

    def show(self, tagging: StepTagging, *, sets: bool = True) -> None:
        """Make views of sets and tags, and give the batch its column of sets if so wished."""
        if sets:
            self._show_sets(tagging)
        more = ((ON_POSITION, "BIGINT"),) if tagging.fleeting else ()
        self._set(TAGS, (*TAG_COLUMNS, *more), tagging.tags, tagging.known_tags, tagging.alike)
        if tagging.alone is None:
            self._set(TAG_SETS, TAG_SET_COLUMNS, tagging.sets, tagging.known_sets)
        if tagging.alive is not None:
            self._views.set_table(_ALIVE, tagging.alive)
            self._session.sql(_OF_THE_LIVING).createOrReplaceTempView(TAG_SETS)
        marks = self._session.sql(marks_view(tagging.alone, fleeting=tagging.fleeting))
        marks.createOrReplaceTempView(TAG_MARKS)

    def _show_sets(self, tagging: StepTagging) -> None:
        if tagging.past:
            self._set(_TAGGED, (*_TAGGED_COLUMNS, (LAST, "BIGINT")), tagging.tagged, None)
            joined = _JOINED_TO_PAST
        elif tagging.runs is None:
            self._set(_TAGGED, _TAGGED_COLUMNS, tagging.tagged, None, small=True)
            joined = _JOINED
        else:
            self._views.set_table(_RUNS, tagging.runs.table)
            joined = (
                f"SELECT b.*, t.{TAGSET} FROM {BATCH} b LEFT JOIN {_RUNS} t"
                f" ON t.stretch = b.{POSITION} div {tagging.runs.stretch}L"
                f" AND b.{POSITION} >= t.first AND b.{POSITION} <= t.last"
            )
        self._session.sql(joined).createOrReplaceTempView(BATCH)

    def _set(
        self,
        view: str,
        columns: Sequence[tuple[str, str]],
        files: Sequence[str],
        known: pa.Table | None,
        alike: Mapping[str, str] = _NOTHING,
        *,
        small: bool = False,
    ) -> None:
        """A view of some files, and of rows that are in none of them.

        Columns that are alike in all rows of the files are not read.
        """
        schema = ", ".join(f"{name} {type}" for name, type in columns)
        frames = []
        if files:
            addresses = [self._storage.address(each) for each in files]
            read = self._session.read.schema(schema).parquet(*addresses)
            told = {name: lit(value) for name, value in alike.items()}
            frames.append(read.withColumns(told) if told else read)
        if known is not None and known.num_rows:
            self._views.set_table(f"known_{view}", known)
            frames.append(self._session.table(f"known_{view}"))
        if not frames:
            frames.append(self._session.createDataFrame([], schema))
        whole = frames[0] if len(frames) == 1 else frames[0].unionByName(frames[1])
        (whole.hint("broadcast") if small else whole).createOrReplaceTempView(view)
