"""Steps of statements over views that are made by hand: what the runtime does, without a runtime.

Tags are resolved by the reference; what is tried here is what statements make of resolved tags.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession

from millstream.compiler import output
from millstream.compiler.branch import Branch, batch_sql, channels_view, compile_branch
from millstream.compiler.joins import state_view
from millstream.compiler.names import identifier
from millstream.compiler.order import Order
from millstream.compiler.statement import Statement
from millstream.compiler.step_tags import StepTags
from millstream.compiler.tags.marks import marks_view
from millstream.compiler.tags.pairs import other_clock
from millstream.compiler.windows import CLOCK, CLOCK_COLUMNS
from millstream.languages.tagql import syntax
from millstream.languages.tagql.lowering import lower
from millstream.model.layout import view_name
from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType
from millstream.model.tags import MarkedTuple, PlacedTag, StreamShape
from millstream.model.tags.step_layout import TAG_COLUMNS, TAG_SET_COLUMNS
from millstream.model.tags.stream_shape import TuplePaths
from millstream.runtime.arrow_tables import arrow_table
from millstream.runtime.tags.group_function import register_groups
from millstream.testing.tags import TaggedStream, resolve
from millstream.testing.tags.strategies.streams import ATTRIBUTES, STREAMS

LATENESS = 1_000
"""Nothing is late: what time does is the business of other tests."""


def schema_of(shape: StreamShape) -> Schema:
    children = tuple(
        Element(each.name, Occurs.OPTIONAL, type=each.type) for each in shape.attributes
    )
    own = (Attribute("id"), Attribute("time", ValueType.DECIMAL))
    return Schema("stream", Element("tuple", Occurs.MANY, Content.NESTED, children, own))


class Streams:
    """The streams of random statements."""

    def names(self) -> tuple[str, ...]:
        return STREAMS

    def shape(self, stream: str) -> StreamShape:
        return StreamShape(stream, ATTRIBUTES)

    def schema(self, stream: str) -> Schema:
        return schema_of(self.shape(stream))

    def tuple_paths(self, stream: str) -> TuplePaths:
        return TuplePaths(("@time",), ("@id",))


@dataclass
class Sets:
    """Sets of tagged objects, numbered as they come."""

    numbers: dict[frozenset[tuple[int, str | None, str]], int] = field(default_factory=dict)
    tags: dict[int, PlacedTag] = field(default_factory=dict)
    at: dict[tuple[str, int], int] = field(default_factory=dict)
    """The sets of tuples, by their streams and positions."""

    def number(self, marked: MarkedTuple) -> int | None:
        members = set()
        for mark in marked.marks:
            number = STREAMS.index(mark.tag.stream) * 1_000_000 + mark.tag.position
            self.tags[number] = mark.tag
            attribute = None if mark.granularity.whole else mark.attribute
            members.add((number, attribute, mark.granularity.value))
        return (
            self.numbers.setdefault(frozenset(members), len(self.numbers) + 1) if members else None
        )

    def members(self, number: int) -> frozenset[tuple[int, str | None, str]]:
        return next(members for members, known in self.numbers.items() if known == number)


@dataclass(frozen=True)
class Row:
    """A result: where it stands, and what is in its slots."""

    ordering: tuple[int, ...]
    values: tuple[str | None, ...]


class HandMadeSteps:
    """Statements that go through streams, batch by batch."""

    def __init__(
        self,
        session: SparkSession,
        statements: Sequence[syntax.Statement],
        nows: Sequence[int] | None = None,
    ) -> None:
        """With times that are now for them, statements are those that are asked once."""
        self.session = session
        times = nows or [None] * len(statements)
        self.branches = [
            compile_branch(lower(each, Streams(), now=now).branches[0])
            for each, now in zip(statements, times, strict=True)
        ]
        self.sets = Sets()
        self.results: list[list[Row]] = [[] for _ in statements]
        self._state: dict[str, list[dict[str, Any]]] = {name: [] for name in STREAMS}
        self._highest: dict[str, int | None] = dict.fromkeys(STREAMS)
        self._latest: dict[str, int] = {}
        self._tagged: set[str] = set()
        self._ended: set[str] = set()
        self._step = 0
        register_groups(session)

    def step(self, stream: str, tuples: Sequence[MarkedTuple], *, full: bool, ended: bool) -> None:
        """One step of a stream; with `full` its state is written anew."""
        self._step += 1
        sets = [self.sets.number(each) for each in tuples]
        now = any(each is not None for each in sets)
        self.sets.at |= {
            (stream, each.position): number
            for each, number in zip(tuples, sets, strict=True)
            if number is not None
        }
        after = [self._highest[stream], *(each.element.time // 1_000_000 for each in tuples)]
        highest = max((each for each in after if each is not None), default=None)
        self._ended |= {stream} if ended else set()
        self._views(stream, tuples, sets, now, highest)
        # Both ways to find the tags of tuples take turns.
        tags = StepTags(now, bool(self._tagged), few=self._step % 2 == 1)
        statements = {
            branch.signature: branch.statements[stream]
            for branch in self.branches
            if stream in branch.statements
        }
        if not statements:
            return
        self._channels(stream, statements)
        orders = dict.fromkeys(statements, Order(behind=self._behind(stream, tuples)))
        sql = batch_sql(statements, orders=orders, full=full, tags=tags)
        self._take(stream, self.session.sql(sql).toArrow(), full)
        self._highest[stream] = highest
        self._tagged |= {stream} if now else set()

    def kept(self, stream: str) -> int:
        """How many rows the state of a stream has."""
        return len(self._state[stream])

    def _behind(self, stream: str, tuples: Sequence[MarkedTuple]) -> int:
        """How far times go back from tuple to tuple, also from those of the steps before."""
        farthest = 0
        for each in tuples:
            time = each.element.time
            latest = self._latest.setdefault(stream, time)
            farthest = max(farthest, latest - time)
            self._latest[stream] = max(latest, time)
        return farthest

    def _take(self, stream: str, rows: pa.Table, full: bool) -> None:
        state = []
        for row in rows.to_pylist():
            if row["kind"] == output.RESULTS:
                found = Row(tuple(row["ordering"]), tuple(row["values"]))
                self.results[row["channel"]].append(found)
            else:
                assert row["kind"] == output.STATE
                state.append({key: each for key, each in row.items() if key != "kind"})
        self._state[stream] = state if full else self._state[stream] + state

    def _channels(self, stream: str, statements: Mapping[str, Statement]) -> None:
        for signature, statement in statements.items():
            rows = [
                {"channel": number, **_constants(branch)}
                for number, branch in enumerate(self.branches)
                if branch.signature == signature
            ]
            table = arrow_table(statement.channel_columns, rows)
            self.session.createDataFrame(table).createOrReplaceTempView(channels_view(signature))

    def _views(
        self,
        stream: str,
        tuples: Sequence[MarkedTuple],
        sets: Sequence[int | None],
        now: bool,
        highest: int | None,
    ) -> None:
        rows = [_row(each, number) for each, number in zip(tuples, sets, strict=True)]
        batch = self.session.createDataFrame(pa.Table.from_pylist(rows, schema=_BATCH))
        (batch if now else batch.drop("tagset")).createOrReplaceTempView("batch")
        for name, state in self._state.items():
            frame = self.session.createDataFrame(pa.Table.from_pylist(state, schema=_STATE))
            frame.createOrReplaceTempView(identifier(state_view(name)))
            if name == stream:
                frame.createOrReplaceTempView("state")
        self._tag_views({each for each in sets if each is not None} if now else set())
        clocks = [self._clock("@time", stream, highest)]
        clocks += [
            self._clock(other_clock(each, "@time"), each, self._highest[each])
            for each in STREAMS
            if each != stream
        ]
        clocks.append({"reference": "", "step": self._step})
        self.session.createDataFrame(arrow_table(CLOCK_COLUMNS, clocks)).createOrReplaceTempView(
            CLOCK
        )

    def _clock(self, reference: str, stream: str, now: int | None) -> dict[str, Any]:
        return {
            "reference": reference,
            "highest": self._highest[stream],
            "lateness": LATENESS,
            "anchor": 0,
            "now": now,
            "ended": stream in self._ended,
        }

    def _tag_views(self, sets: set[int]) -> None:
        members = [
            {"tagset": number, "tag": tag, "attribute": attribute, "granularity": granularity}
            for number in sets
            for tag, attribute, granularity in self.sets.members(number)
        ]
        tags = [
            _tag(number, self.sets.tags[number]) for number in {each["tag"] for each in members}
        ]
        for view, columns, rows in (
            ("tag_sets", TAG_SET_COLUMNS, members),
            ("tags", TAG_COLUMNS, tags),
        ):
            self.session.createDataFrame(arrow_table(columns, rows)).createOrReplaceTempView(view)
        self.session.sql(marks_view(None)).createOrReplaceTempView("tag_marks")


def marked(stream: TaggedStream) -> tuple[MarkedTuple, ...]:
    return resolve(stream.elements, stream.shape)


_ITEM = pa.struct([(name, pa.string()) for name in ("@id", "@time", "k", "n", "loc")])
_BATCH = pa.schema(
    [
        ("position", pa.int64()),
        ("item", _ITEM),
        (view_name(("@time",)), pa.float64()),
        (view_name(("n",)), pa.int64()),
        ("tagset", pa.int64()),
    ]
)
_STATE = pa.schema(
    [
        ("role", pa.string()),
        ("channel", pa.int32()),
        ("tick", pa.int64()),
        ("ordering", pa.list_(pa.int64())),
        ("values", pa.list_(pa.string())),
        ("content", pa.string()),
    ]
)


def _row(marked: MarkedTuple, tagset: int | None) -> dict[str, Any]:
    k, n, loc = marked.element.texts
    time = marked.element.time / 1_000_000
    return {
        "position": marked.position,
        "item": {"@id": marked.element.id, "@time": str(time), "k": k, "n": n, "loc": loc},
        view_name(("@time",)): time,
        view_name(("n",)): None if n is None else int(n),
        "tagset": tagset,
    }


def _tag(number: int, placed: PlacedTag) -> dict[str, Any]:
    tag = placed.tag
    return {
        "tag": number,
        "stream": placed.stream,
        "position": placed.position,
        "tagger": tag.tagger,
        "applicability": str(tag.applicability),
        "content": tag.content,
        "type": tag.type.value,
        "sign": tag.sign.value,
        "lifespan": tag.lifespan,
        "mode": tag.mode.name,
        "time": tag.timestamp,
    }


def _constants(branch: Branch) -> dict[str, Any]:
    return {f"p{index}": value for index, value in enumerate(branch.constants)}
