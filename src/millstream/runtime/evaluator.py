"""One evaluation of a step: the views that its statement reads, and the one write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Protocol

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from millstream.compiler import output
from millstream.compiler.branch import batch_sql, grouped, single_sql
from millstream.compiler.fold_statement import FoldStatement
from millstream.compiler.joins import state_view
from millstream.compiler.matching import Matching
from millstream.compiler.names import identifier
from millstream.compiler.order import Order
from millstream.compiler.rows import BATCH
from millstream.compiler.statement import Statement
from millstream.compiler.step_tags import CONTENTS, StepTags
from millstream.compiler.tags.attaching import AttachStatement
from millstream.compiler.tags.marks import marks_now
from millstream.compiler.tags.pairs import other_clock
from millstream.compiler.tags.python_calls import called_functions, calls_groups
from millstream.compiler.tags.tuple_source import NO_SET
from millstream.compiler.windows import CLOCK, CLOCK_COLUMNS
from millstream.model.layout import passed_name, view_name, viewed_leaves
from millstream.model.schema import Leaf, ValueType
from millstream.model.tags.step_layout import TAGSET
from millstream.model.tags.vocabulary import TagVocabulary
from millstream.runtime.arrow_tables import arrow_table
from millstream.runtime.channel_views import ChannelViews
from millstream.runtime.channels import channel_row
from millstream.runtime.fold_views import FoldViews
from millstream.runtime.journal import HasState
from millstream.runtime.ledger import Json
from millstream.runtime.log_reading import is_later, log_schema
from millstream.runtime.records import StreamRecord
from millstream.runtime.step_channels import StepChannels, step_channels
from millstream.runtime.storage import Storage
from millstream.runtime.tags.group_function import register_groups
from millstream.runtime.tags.lone_tagger import LoneTagger, lone_tagger
from millstream.runtime.tags.storage import TAGGED
from millstream.runtime.tags.stream_tags import StepTagging
from millstream.runtime.tags.tag_views import TagViews
from millstream.runtime.tags.taggers import Taggers
from millstream.runtime.tags.user_functions import register_functions
from millstream.runtime.watermark import Advance

_FEW_MARKS = 1_000_000
"""Tags on objects, for all channels together, that are brought to where the tuples are."""


class Subscribed(Protocol):
    """What an evaluation asks of a registry."""

    @property
    def streams(self) -> Mapping[str, StreamRecord]: ...

    @property
    def vocabulary(self) -> TagVocabulary: ...

    def statement(self, stream: str, signature: str, /) -> Statement: ...

    def attaches(self, stream: str, /) -> bool: ...


class Evaluator:
    """Evaluates the steps of one stream in a Spark session of its own."""

    def __init__(
        self,
        storage: Storage,
        registry: Subscribed,
        record: StreamRecord,
        journals: Callable[[], Mapping[str, HasState]],
        session: SparkSession,
    ) -> None:
        self._storage = storage
        self._registry = registry
        self._record = record
        self._journals = journals
        self._session = session
        self._schema = record.schema
        self._views = ChannelViews(session)
        self._folds = FoldViews(self._views)
        self._tags = TagViews(storage, session, self._views)

    def evaluate(
        self,
        begun: Json,
        advances: Sequence[Advance],
        target: str,
        excluded: Sequence[int] = (),
        tagging: StepTagging | None = None,
        tagger: LoneTagger | None = None,
    ) -> bool:
        """Write all that the active channels give in a step; False if nothing can come of it.

        Items at excluded positions do not count. With tags in play there are views that tell them;
        those of a lone tagger are told where items are read.
        """
        state = self._journals()[self._record.name].state
        step = step_channels(self._record, state, begun, advances)
        statements = self._statements(step)
        nothing_new = not begun["parts"] and "log" not in begun
        if not statements or (nothing_new and not any(each.waits for each in statements.values())):
            return False
        orders = self._orders(statements, advances)
        self._set_views(begun, advances, statements)
        disordered = {str(statements[each].reference) for each in orders if orders[each].late}
        if disordered and not self._record.fed:
            self._set_passed(disordered)
        if excluded:
            self._exclude(excluded)
        matchings = {
            signature: self._set_channels(signature, statement, step)
            for signature, statement in statements.items()
        }
        tags = self._step_tags(statements, tagging, len(step.channels))
        tags = tags if tagger is None else replace(tags, now=True)
        sql = batch_sql(
            statements, orders=orders, full=begun["full"], matchings=matchings, tags=tags
        )
        if tagging is not None and (TAGSET in sql or CONTENTS in sql):
            # Where nobody asks for tags, nobody pays for them.
            self._tags.show(tagging, sets=f"b.{TAGSET}" in sql or CONTENTS in sql)
        if tagging is None and f"b.{TAGSET}" in sql:
            self._set_tagset(NO_SET if tagger is None else tagger.sql)
        if f"b.{CONTENTS}" in sql:
            self._set_contents(tags)
        self._make_known(sql)
        self._write(self._session.sql(sql), target, mixed=output.may_keep(sql))
        return True

    def taggers(
        self,
        begun: Json,
        advances: Sequence[Advance],
        excluded: Sequence[int],
        tagging: StepTagging | None,
    ) -> pa.Table | None:
        """The tags that queries attach to the tuples of a step, as elements; None without any."""
        if not begun["parts"] or not self._registry.attaches(self._record.name):
            return None
        state = self._journals()[self._record.name].state
        step = step_channels(self._record, state, begun, advances)
        asked = {
            signature: each
            for signature, each in self._statements(step).items()
            if isinstance(each, AttachStatement)
        }
        if not asked:
            return None
        self._set_views(begun, advances, asked)
        if excluded:
            self._exclude(excluded)
        if tagging is not None:
            self._tags.show(tagging)
        tags = self._step_tags(asked, tagging, len(step.channels))
        found = Taggers(self._session, self._record, tagging)
        for signature, statement in asked.items():
            matching = self._set_channels(signature, statement, step)
            sql = single_sql(statement.attached(tags), signature, matching)
            self._make_known(sql)
            found.add(statement.attach, self._session.sql(sql), statement.source.id)
        return found.elements()

    def lone_tagger(self, begun: Json, advances: Sequence[Advance]) -> LoneTagger | None:
        """The tagger of a step without other tags, if it is the only one and nobody asks more."""
        if not begun["parts"] or not self._registry.attaches(self._record.name):
            return None
        state = self._journals()[self._record.name].state
        step = step_channels(self._record, state, begun, advances)
        return lone_tagger(self._statements(step), step, begun)

    def _write(self, rows: DataFrame, target: str, *, mixed: bool) -> None:
        narrow = rows.coalesce(self._session.sparkContext.defaultParallelism)
        if mixed:
            narrow.write.mode("overwrite").partitionBy("kind").parquet(target)
        else:
            # Results only: no need to sort the rows by where they go.
            place = f"{target}/kind={output.RESULTS}"
            narrow.drop("kind").write.mode("overwrite").parquet(place)

    def _orders(
        self, statements: Mapping[str, Statement], advances: Sequence[Advance]
    ) -> dict[str, Order]:
        """In what order the items of the batch come, for signatures that go by time."""
        lateness, fed = self._record.lateness, self._record.fed
        found = {each.after.reference: each.order(lateness, fed=fed) for each in advances}
        return {
            signature: found[each.reference]
            for signature, each in statements.items()
            if each.reference in found
        }

    def _set_views(
        self, begun: Json, advances: Sequence[Advance], statements: Mapping[str, Statement]
    ) -> None:
        parts = [part["part"] for part in begun["parts"] if part["part"]]
        files = begun.get("log", [f"streams/{self._record.name}/log/{part}" for part in parts])
        self._read(BATCH, files, log_schema(self._schema, fed=self._record.fed))
        if begun.get("since") is not None:
            self._leave_out_before(begun["since"])
        journals = self._journals()
        self._set_state("state", journals[self._record.name])
        for stream in _other_streams(statements):
            self._set_state(state_view(stream), journals[stream])
        ended = begun["ended"]
        rows = [each.clock_row(self._record.lateness, ended=ended) for each in advances]
        rows += self._other_clocks(statements)
        rows.append({"reference": "", "step": begun["step"]})
        self._views.set_table(CLOCK, arrow_table(CLOCK_COLUMNS, rows))

    def _leave_out_before(self, since: int) -> None:
        """Read no items that nobody asks about, as they come before a time."""
        time = self._record.tuple_time
        if time is not None:
            later = is_later(self._schema, time, since)
            self._session.table(BATCH).where(later).createOrReplaceTempView(BATCH)

    def _other_clocks(self, statements: Mapping[str, Statement]) -> list[Json]:
        """How far the streams are that this one is joined with."""
        rows = []
        for stream in _other_streams(statements) - {self._record.name}:
            state = self._journals()[stream].state
            lateness = self._registry.streams[stream].lateness
            for mark in state.watermarks.values():
                still = Advance(mark, mark, Decimal(0)).clock_row(lateness, ended=state.ended)
                rows.append({**still, "reference": other_clock(stream, mark.reference)})
        return rows

    def _step_tags(
        self, statements: Mapping[str, Statement], tagging: StepTagging | None, channels: int
    ) -> StepTags:
        """Whether tags are on the items of the batch, and on those that state has kept."""
        marks = None if tagging is None else tagging.marks
        streams = {self._record.name, *_other_streams(statements)}
        states = (self._journals()[each].state for each in streams)
        return StepTags(
            now=tagging is not None and bool(tagging.tagged),
            before=any(each.tables[TAGGED] for each in states),
            few=marks is not None and marks * channels <= _FEW_MARKS,
            indexed=tagging is not None and tagging.indexed,
            fleeting=tagging is not None and tagging.fleeting,
        )

    def _make_known(self, sql: str) -> None:
        """Let the session know the functions of Python that a statement calls."""
        if called_functions(sql):
            register_functions(self._session, self._registry.vocabulary.all_functions)
        if calls_groups(sql):
            register_groups(self._session)

    def _set_tagset(self, sql: str) -> None:
        """Let each item b of the batch have the set that SQL tells."""
        told = self._session.sql(f"SELECT b.*, {sql} AS {TAGSET} FROM {BATCH} b")
        told.createOrReplaceTempView(BATCH)

    def _set_contents(self, tags: StepTags) -> None:
        """Tell, for each item of the batch, the contents of the tags on it."""
        contents = f"CAST(array() AS ARRAY<STRING>) AS {CONTENTS} FROM {BATCH} b"
        if tags.now:
            known = (
                f"SELECT tagset, array_sort(collect_set(content)) AS contents"
                f" FROM ({marks_now(True)}) GROUP BY tagset"
            )
            contents = (
                f"k.contents AS {CONTENTS} FROM {BATCH} b"
                f" LEFT JOIN ({known}) k ON k.tagset = b.{TAGSET}"
            )
        self._session.sql(f"SELECT b.*, {contents}").createOrReplaceTempView(BATCH)

    def _set_passed(self, references: Iterable[str]) -> None:
        """Tell, for each row of the batch, how far each reference had come before it."""
        before = "ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING"
        passed = "".join(
            f", max({_finite(leaf)}) OVER ({before}) AS {identifier(passed_name(leaf.path))}"
            for leaf in viewed_leaves(self._schema)
            if str(leaf) in references
        )
        told = self._session.sql(f"SELECT *{passed} FROM {BATCH}")
        told.createOrReplaceTempView(BATCH)

    def _exclude(self, positions: Sequence[int]) -> None:
        rows = [{"position": each} for each in positions]
        self._views.set_table("excluded", arrow_table((("position", "BIGINT"),), rows))
        kept = self._session.sql(
            f"SELECT b.* FROM {BATCH} b LEFT ANTI JOIN excluded x ON x.position = b.position"
        )
        kept.createOrReplaceTempView(BATCH)

    def _set_state(self, view: str, journal: HasState) -> None:
        columns = ", ".join(f"{name} {type}" for name, type in output.COLUMNS if name != "kind")
        self._read(view, [each.name for each in journal.state.tables["state"]], columns)

    def _read(self, view: str, files: Sequence[str], schema: str) -> None:
        addresses = [self._storage.address(each) for each in files]
        if addresses:
            frame = self._session.read.schema(schema).parquet(*addresses)
        else:
            frame = self._session.createDataFrame([], schema)
        frame.createOrReplaceTempView(identifier(view))

    def _statements(self, step: StepChannels) -> dict[str, Statement]:
        """What the channels of a step ask of it, by signature."""
        signatures = dict.fromkeys(each.signature for each in step.channels)
        name = self._record.name
        found = grouped({each: self._registry.statement(name, each) for each in signatures})
        return {
            signature: self._folds.chosen(signature, statement, step)
            if isinstance(statement, FoldStatement)
            else statement
            for signature, statement in found.items()
        }

    def _set_channels(self, signature: str, statement: Statement, step: StepChannels) -> Matching:
        """Show the channels of a signature to its statement; how items find them."""
        if isinstance(statement, FoldStatement):
            return self._folds.show(signature, statement, step)
        channels = step.of_signature(signature)
        rows = [channel_row(each) for each in channels]
        table = arrow_table(statement.channel_columns, rows)
        return self._views.set_channels(signature, statement, channels, table, step.items)


def _other_streams(statements: Mapping[str, Statement]) -> set[str]:
    return {each for one in statements.values() for each in one.other_streams}


def _finite(leaf: Leaf) -> str:
    """A view without values that no time can have, in SQL."""
    view = identifier(view_name(leaf.path))
    if leaf.type in (ValueType.INTEGER, ValueType.TIME):
        return view
    return f"IF(isnan({view}) OR abs({view}) = double('Infinity'), NULL, {view})"
