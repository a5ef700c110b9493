"""What tags cost: the figures 11 to 15 of the paper that introduced them, as ratios in one run.

Statements are those that a mill runs in a step, over batches and state in Parquet; what takes turns
shares one Spark session, and the sink keeps nothing. At each share of tagged tuples:

- the tagger beside a selection by the same condition, and beside passing everything on;
- selecting tagged tuples, with tags as sets (TICK-TAG), in a global table of tags with links to
  tuples (TABLE), as columns of each tuple (TUPLE), and as XML inside each tuple (XML), where
  each tag is on 50 tuples and where it is on one; and the bytes that tags take in a window;
- the join by tags, where only a fifth of the tuples can meet, and the paper's nested loop;
- the join by distance that carries tags, beside the same join without them.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from rich.table import Table

from millstream.compiler import output
from millstream.compiler.branch import Branch, batch_sql, channels_view, compile_branch, single_sql
from millstream.compiler.joins import state_view
from millstream.compiler.matching import nested_loop
from millstream.compiler.names import identifier
from millstream.compiler.step_tags import StepTags
from millstream.compiler.tags.attaching import AttachStatement
from millstream.compiler.tags.functions import meaning
from millstream.compiler.tags.pairs import other_clock
from millstream.compiler.windows import CLOCK, CLOCK_COLUMNS
from millstream.languages.tagql import parse
from millstream.languages.tagql.lowering import lower
from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType
from millstream.model.tags import StreamAttribute, StreamShape, emotions
from millstream.model.tags.stream_shape import TuplePaths
from millstream.runtime.arrow_tables import arrow_table
from millstream.runtime.session import own_session, prepared

SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
ATTRIBUTES = (
    StreamAttribute("object_id"),
    StreamAttribute("location"),
    StreamAttribute("speed", ValueType.DECIMAL),
)
STREAMS = ("A", "B")
WORDS = tuple(word for listed in emotions().groups.values() for word in listed)
NOW = StepTags(now=True)
NEVER = StepTags()


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    tuples: int
    joined: int
    rounds: int


FULL = Size(tuples=400_000, joined=30_000, rounds=5)
QUICK = Size(tuples=60_000, joined=6_000, rounds=2)


class Streams:
    """Two streams of moving objects."""

    def names(self) -> tuple[str, ...]:
        return STREAMS

    def shape(self, stream: str) -> StreamShape:
        return StreamShape(stream, ATTRIBUTES)

    def schema(self, stream: str) -> Schema:
        children = tuple(Element(each.name, Occurs.OPTIONAL, type=each.type) for each in ATTRIBUTES)
        own = (Attribute("id"), Attribute("time", ValueType.DECIMAL))
        return Schema("stream", Element("tuple", Occurs.MANY, Content.NESTED, children, own))

    def tuple_paths(self, stream: str) -> TuplePaths:
        return TuplePaths(("@time",), ("@id",))


@dataclass(frozen=True, slots=True)
class Tagged:
    """Tuples of which some are tagged, each tag on so many of them."""

    batch: pa.Table
    sets: pa.Table
    tags: pa.Table


def tuples(count: int, share: float, on: int, seed: int, matching: float = 1.0) -> Tagged:
    """Random tuples, ten milliseconds apart; of the contents so many are words of emotions."""
    draw = np.random.default_rng(seed)
    times = np.round(np.arange(count) * 0.01, 2)
    places = draw.random((count, 2))
    located = [f"{x:.5f} {y:.5f}" for x, y in places]
    speeds = np.round(draw.random(count) * 5, 3)
    number = np.floor(np.arange(count) * share).astype(np.int64)
    chosen = np.diff(number, append=np.floor(count * share)).astype(bool)
    sets = np.where(chosen, number // on + 1, 0)
    item = pa.StructArray.from_arrays(
        [
            pa.array([f"o{each}" for each in range(count)]),
            pa.array([str(each) for each in times]),
            pa.array([f"o{each % 997}" for each in range(count)]),
            pa.array(located),
            pa.array([str(each) for each in speeds]),
        ],
        ["@id", "@time", "object_id", "location", "speed"],
    )
    batch = pa.table(
        {
            "position": pa.array(np.arange(count)),
            "item": item,
            "=@time": pa.array(times),
            "=speed": pa.array(speeds),
            "tagset": pa.array(sets, mask=~chosen),
        }
    )
    known = np.unique(sets[chosen])
    return Tagged(batch, _members(known), _tags(known, draw, matching, seed))


def _members(known: np.ndarray) -> pa.Table:
    count = len(known)
    return pa.table(
        {
            "tagset": known,
            "tag": known,
            "attribute": pa.nulls(count, pa.string()),
            "granularity": pa.repeat("tuple", count),
        }
    )


def _tags(known: np.ndarray, draw: np.random.Generator, matching: float, seed: int) -> pa.Table:
    count = len(known)
    words = draw.choice(WORDS, count)
    other = draw.random(count) >= matching
    contents = [
        f"side {seed} {number}" if alone else word
        for word, alone, number in zip(words, other, known, strict=True)
    ]
    return pa.table(
        {
            "tag": known,
            "stream": pa.repeat("A", count),
            "position": known,
            "tagger": pa.repeat("somebody", count),
            "applicability": pa.repeat("*,*,{}", count),
            "content": pa.array(contents, pa.string()),
            "type": pa.repeat("subjective", count),
            "sign": pa.repeat("+", count),
            "lifespan": pa.nulls(count, pa.int64()),
            "mode": pa.repeat("COMBINE", count),
            "time": pa.array(known),
        }
    )


class Bench:
    """One session, and the views of a step in it."""

    def __init__(self, session: SparkSession, folder: Path, size: Size) -> None:
        self.session = session
        self.folder = folder
        self.size = size
        self._files = 0

    def show(self, view: str, table: pa.Table) -> None:
        """A table as a view, read from Parquet."""
        self._files += 1
        place = str(self.folder / f"{self._files}.parquet")
        pq.write_table(table, place)
        self.session.read.parquet(place).createOrReplaceTempView(identifier(view))

    def tagged(self, found: Tagged, share: float) -> None:
        """The views of a step of tagged tuples; without tags there are none."""
        self.show("batch", found.batch if share else found.batch.drop_columns("tagset"))
        self.show("tag_sets", found.sets)
        self.show("tags", found.tags)

    def statement(self, text: str, stream: str, tags: StepTags) -> str:
        """The SQL of a step for one subscription."""
        branch, signature = self.compiled(text, stream)
        statements = {signature: branch.statements[stream]}
        return batch_sql(statements, disordered=frozenset(), full=False, tags=tags)

    def compiled(self, text: str, stream: str) -> tuple[Branch, str]:
        branch = compile_branch(lower(parse(text), Streams()).branches[0])
        row = {"channel": 0, **{f"p{n}": each for n, each in enumerate(branch.constants)}}
        channels = arrow_table(branch.statements[stream].channel_columns, [row])
        frame = self.session.createDataFrame(channels).hint("broadcast")
        frame.createOrReplaceTempView(channels_view(branch.signature))
        clocks = [{"reference": each, "lateness": 0, "anchor": 0} for each in _clocks(stream)]
        self.session.createDataFrame(
            arrow_table(CLOCK_COLUMNS, [*clocks, {"reference": "", "step": 1}])
        ).createOrReplaceTempView(CLOCK)
        return branch, branch.signature

    def keep(self, stream: str, rows: pa.Table | None) -> None:
        """The state of a stream, as a view."""
        columns = [name for name, _ in output.COLUMNS if name != "kind"]
        if rows is None:
            ddl = ", ".join(f"{name} {type}" for name, type in output.COLUMNS if name != "kind")
            self.session.createDataFrame([], ddl).createOrReplaceTempView(
                identifier(state_view(stream))
            )
            return
        kept = rows.filter(pa.compute.equal(rows.column("kind"), output.STATE)).select(columns)
        self.show(state_view(stream), kept)

    def seconds(self, *contenders: Callable[[], None]) -> list[float]:
        """The medians of some contenders that take turns; the first turn does not count."""
        taken: list[list[float]] = [[] for _ in contenders]
        for turn in range(self.size.rounds + 1):
            for times, contender in zip(taken, contenders, strict=True):
                started = time.monotonic()
                contender()
                if turn:
                    times.append(time.monotonic() - started)
        return [statistics.median(each) for each in taken]

    def sink(self, sql: str) -> Callable[[], None]:
        """Evaluates a statement, and lets go of what it gives."""
        return lambda: self.session.sql(sql).write.format("noop").mode("overwrite").save()

    def count(self, sql: str) -> int:
        return self.session.sql(sql).where(f"kind = '{output.RESULTS}'").count()


def _clocks(stream: str) -> Iterator[str]:
    yield "@time"
    yield from (other_clock(each, "@time") for each in STREAMS if each != stream)


# Figure 11.


def tagger(bench: Bench) -> list[dict[str, Any]]:
    """The tagger into the next operator, beside selection and passing on."""
    found = []
    plain = tuples(bench.size.tuples, 0.0, 1, 1)
    for share in SHARES:
        bench.tagged(plain, 0.0)
        region = f"location WITHIN RECTANGLE(0, 0, {max(share, 1e-9)}, 1)"
        select = bench.statement(f"SELECT * FROM A WHERE {region}", "A", NEVER)
        everything = bench.statement("SELECT * FROM A", "A", NEVER)
        branch, signature = bench.compiled(f"ATTACH TAG 'x' CONTINUOUSLY TO A WHERE {region}", "A")
        statement = branch.statements["A"]
        assert isinstance(statement, AttachStatement)
        chosen = single_sql(statement.attached(NEVER), signature, nested_loop(1))
        onward = (
            f"SELECT b.*, t.choice AS tagset FROM batch b LEFT JOIN ({chosen}) t"
            f" ON t.position = b.position"
        )
        selection, passed, tagging = bench.seconds(
            bench.sink(select), bench.sink(everything), bench.sink(onward)
        )
        found.append(
            {
                "share": share,
                "tagger ÷ selection": tagging / selection,
                "tagger ÷ pass-through": tagging / passed,
                "seconds": tagging,
            }
        )
    return found


# Figures 12 and 13.

QUERY = "SELECT TAGGED OBJECTS FROM A WHERE TAG EQUIVALENT TO 'sad' OR TAG EQUIVALENT TO 'angry'"
_FIELDS = ("tagger", "applicability", "content", "type", "sign", "lifespan", "mode", "time")


def alternatives(bench: Bench, on: int) -> list[dict[str, Any]]:
    """Selecting tagged tuples, with tags in four places."""
    found = []
    sought = f"{meaning('content', emotions())} IN ('sad', 'angry')"
    slots = "position, item, content"
    for share in SHARES[1:]:
        data = tuples(bench.size.tuples, share, on, 2)
        bench.tagged(data, share)
        wide, xml, links = _rivals(data)
        bench.show("wide", wide)
        bench.show("marked", xml)
        bench.show("links", links)
        inside = "xpath_string(tag, 'tag/content')"
        contenders = {
            "TICK-TAG": bench.statement(QUERY, "A", NOW),
            "TUPLE": f"SELECT {slots} FROM wide WHERE {sought}",
            "XML": f"SELECT position, item FROM marked WHERE"
            f" {meaning(inside, emotions())} IN ('sad', 'angry')",
            "TABLE": f"SELECT b.position, b.item, g.content FROM batch b JOIN links g"
            f" ON b.position >= g.first AND b.position <= g.last AND"
            f" b.position div 1000 = g.bucket WHERE {sought}",
        }
        taken = bench.seconds(*(bench.sink(each) for each in contenders.values()))
        rates = dict(zip(contenders, (1 / each for each in taken), strict=True))
        best = max(rate for name, rate in rates.items() if name != "TICK-TAG")
        sizes = _sizes(data, wide, xml, links)
        found.append(
            {
                "share": share,
                "tuples on a tag": on,
                **{f"{name} s": 1 / rate for name, rate in rates.items()},
                "rate ÷ best rival": rates["TICK-TAG"] / best,
                **sizes,
            }
        )
    return found


def _rivals(data: Tagged) -> tuple[pa.Table, pa.Table, pa.Table]:
    """The same tuples with tags as columns, as XML, and in a table of links."""
    tags = data.tags.to_pandas().set_index("tag")
    frame = data.batch.select(["position", "tagset"]).to_pandas()
    joined = frame.join(tags[list(_FIELDS)], on="tagset")
    bare = data.batch.drop_columns("tagset")
    wide = bare
    for name in _FIELDS:
        wide = wide.append_column(name, pa.array(joined[name].astype("string"), pa.string()))
    texts = [
        None
        if content is None or content != content
        else f"<tag><tagger>{tagger}</tagger><content>{content}</content><sign>+</sign>"
        f"<type>subjective</type><mode>COMBINE</mode></tag>"
        for tagger, content in zip(joined["tagger"], joined["content"], strict=True)
    ]
    xml = bare.append_column("tag", pa.array(texts, pa.string()))
    runs = frame.dropna().groupby("tagset")["position"].agg(["min", "max"])
    # A link is a condition on tuples: from one position to another.
    fields = tags[list(_FIELDS)].astype("string").to_dict("index")
    rows = [
        {"first": first, "last": last, "bucket": bucket, **fields[number]}
        for number, first, last in zip(runs.index, runs["min"], runs["max"], strict=True)
        for bucket in range(first // 1000, last // 1000 + 1)
    ]
    return wide, xml, pa.Table.from_pylist(rows)


def _sizes(data: Tagged, wide: pa.Table, xml: pa.Table, links: pa.Table) -> dict[str, float]:
    """The bytes that tags take beside bare tuples, as they are and compressed."""
    own = [data.batch.select(["tagset"]), data.sets, data.tags]
    theirs = {
        "TUPLE": [wide.select(list(_FIELDS))],
        "XML": [xml.select(["tag"])],
        "TABLE": [links],
    }
    plain = {name: sum(each.nbytes for each in tables) for name, tables in theirs.items()}
    packed = {name: sum(map(_packed, tables)) for name, tables in theirs.items()}
    return {
        "bytes ÷ best rival": sum(each.nbytes for each in own) / min(plain.values()),
        "compressed ÷ best rival": sum(map(_packed, own)) / min(packed.values()),
    }


def _packed(table: pa.Table) -> int:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    return len(sink.getvalue())


# Figure 14.


def tag_join(bench: Bench) -> list[dict[str, Any]]:
    """The join by tags at several shares, a fifth of the tuples able to meet, and a nested loop."""
    text = "SELECT TAGGED OBJECTS FROM A [5 s], B [5 s] WHERE TAG(A) EQUIVALENT TO TAG(B)"
    found = []
    for share in SHARES[1:]:
        matching = 0.2 / share
        sql = _prepared_join(bench, text, share, matching, 1)
        (seconds,) = bench.seconds(bench.sink(sql))
        found.append({"share": share, "seconds": seconds, "pairs": bench.count(sql)})
    first = found[0]["seconds"]
    return [{**each, "÷ at 20 %": each["seconds"] / first} for each in found]


def nested(bench: Bench) -> dict[str, float]:
    """Ten thousand tags a side: by keys, and one by one as the paper does it."""
    count = 10_000 if bench.size is FULL else 2_000
    for view, seed in (("mine", 1), ("theirs", 2)):
        bench.show(view, tuples(count, 1.0, 1, seed, matching=0.01).tags)
    means = {side: meaning(f"{side}.content", emotions()) for side in ("a", "b")}
    keyed = f"SELECT a.tag, b.tag FROM mine a JOIN theirs b ON {means['a']} = {means['b']}"
    loop = (
        f"SELECT a.tag, b.tag FROM mine a CROSS JOIN theirs b"
        f" WHERE NOT ({means['a']} <> {means['b']})"
    )
    by_keys, one_by_one = bench.seconds(bench.sink(keyed), bench.sink(loop))
    return {"tags a side": count, "nested loop ÷ by keys": one_by_one / by_keys}


def _prepared_join(bench: Bench, text: str, share: float, matching: float, on: int) -> str:
    """The statement of a step of A, with the tuples of B in the state."""
    tags = StepTags(now=share > 0, before=share > 0)
    for name in STREAMS:
        bench.keep(name, None)
    bench.tagged(tuples(bench.size.joined, share, on, 4, matching), share)
    kept = bench.session.sql(bench.statement(text, "B", tags)).toArrow()
    bench.keep("B", kept)
    bench.tagged(tuples(bench.size.joined, share, on, 3, matching), share)
    return bench.statement(text, "A", tags)


# Figure 15.


def aware_join(bench: Bench) -> list[dict[str, Any]]:
    """The join by distance with tags, beside the same join without them."""
    text = "SELECT A.object_id, B.object_id FROM A [2 s], B [2 s]"
    text += " WHERE Dist(A.location, B.location) < 0.1"
    found = []
    for share in SHARES:
        plain = _prepared_join(bench, text, 0.0, 1.0, 1)
        plan = _physical(bench, plain)
        views = _renamed(bench, plain, "plain")
        aware = _prepared_join(bench, f"{text} WITH TAGS", share, 1.0, 1)
        same = _physical(bench, aware) == plan if not share else None
        without, with_tags = bench.seconds(bench.sink(views), bench.sink(aware))
        found.append(
            {
                "share": share,
                "with tags ÷ without": with_tags / without,
                "same plan": same,
                "seconds": with_tags,
            }
        )
    return found


def _renamed(bench: Bench, sql: str, prefix: str) -> str:
    """The statement over copies of its views, which others may replace meanwhile."""
    for view in ("batch", "state of A", "state of B"):
        frame = bench.session.table(identifier(view))
        frame.createOrReplaceTempView(identifier(f"{prefix} {view}"))
        sql = sql.replace(f"FROM {identifier(view)} ", f"FROM {identifier(f'{prefix} {view}')} ")
        sql = sql.replace(f"FROM {view} ", f"FROM {identifier(f'{prefix} {view}')} ")
    return sql


def _physical(bench: Bench, sql: str) -> list[str]:
    """The operators of the physical plan."""
    plan = bench.session.sql(sql)._jdf.queryExecution().sparkPlan().treeString()
    return [line.lstrip(" :+-").split(" ")[0].split("(")[0] for line in plan.splitlines()]


def measure(quick: bool) -> dict[str, Any]:
    """All figures."""
    size = QUICK if quick else FULL
    session = prepared(own_session("2g", 2))
    with tempfile.TemporaryDirectory(prefix="millstream-bench-") as folder:
        bench = Bench(session, Path(folder), size)
        try:
            return {
                "tuples": size.tuples,
                "joined": size.joined,
                "figure 11": tagger(bench),
                "figures 12 and 13": [*alternatives(bench, 50), *alternatives(bench, 1)],
                "figure 14": tag_join(bench),
                "nested loop": nested(bench),
                "figure 15": aware_join(bench),
            }
        finally:
            session.stop()


def table(facts: dict[str, Any]) -> Table:
    """The figures, one row a measurement."""
    shown = Table(title=f"tags on {facts['tuples']:,} tuples", show_lines=False)
    for name in ("figure", "share", "measured"):
        shown.add_column(name)
    for figure, rows in facts.items():
        for row in rows if isinstance(rows, list) else [rows] if isinstance(rows, dict) else []:
            rest = {name: each for name, each in row.items() if name != "share"}
            told = ", ".join(f"{name} {_shown(each)}" for name, each in rest.items())
            shown.add_row(figure, f"{row.get('share', 1):.0%}", told)
    return shown


def _shown(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
