"""How items find channels: the way that is chosen, and that all ways find the same."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from millstream.compiler import costs
from millstream.compiler.branch import Branch, batch_sql, channels_view, compile_branch
from millstream.compiler.constants import Constant
from millstream.compiler.lookups import Key, Lookups, Range
from millstream.compiler.matching import Matching, choose_matching
from millstream.errors import QueryError
from millstream.languages.xquery import compile_text
from millstream.model.schema import Content, Element, Occurs, Schema, ValueType
from millstream.runtime.arrow_tables import arrow_table
from millstream.runtime.channel_views import ChannelViews
from millstream.runtime.channels import channel_row
from millstream.runtime.log_reading import log_schema
from millstream.runtime.records import ChannelRecord

RANGES = (Range("ra", "b.ra", (0,), (1,)), Range("dec", "b.dec", (2,), (3,)))
KEY = Key("name", "b.name", "c.p4", 4)


def boxes(count: int, names: int = 1) -> list[tuple[Constant, ...]]:
    dice = random.Random(5)
    return [
        (ra := dice.random() * 350, ra + 10, dec := dice.random() * 170, dec + 10, f"n{n % names}")
        for n in range(count)
    ]


def test_few_channels_are_tried_one_by_one() -> None:
    matching = choose_matching(Lookups(ranges=RANGES), boxes(7), 1_000_000)
    assert str(matching) == "nested loop over 7 channels"


def test_few_items_are_tried_one_by_one() -> None:
    matching = choose_matching(Lookups(ranges=RANGES), boxes(1000), 100)
    assert str(matching) == "nested loop over 1,000 channels"


def test_many_channels_are_laid_on_a_grid() -> None:
    matching = choose_matching(Lookups(ranges=RANGES), boxes(1000), 100_000)
    assert str(matching).startswith("grid of 2 dimensions ra, dec, levels of ")
    assert str(matching).endswith(" cells a channel over 1,000 channels")


def test_channels_that_all_want_everything_gain_nothing_from_a_grid() -> None:
    wide: list[tuple[Constant, ...]] = [(0.0, 360.0, -90.0, 90.0 + n) for n in range(1000)]
    assert choose_matching(Lookups(ranges=RANGES), wide, 100_000).grid is None


def test_equalities_are_hash_joins() -> None:
    matching = choose_matching(Lookups((KEY,), RANGES), boxes(1000, names=500), 100_000)
    assert str(matching) == "hash join on name with 1,000 channels"


def test_a_key_that_many_channels_share_is_no_reason_against_a_grid() -> None:
    matching = choose_matching(Lookups((KEY,), RANGES), boxes(5000, names=2), 100_000)
    assert " within name, levels of " in str(matching)


# All ways find the same.


def leaf(name: str, type: ValueType) -> Element:
    return Element(name, Occurs.OPTIONAL, Content.LEAF, type=type)


THINGS = Schema(
    "things",
    Element(
        "thing",
        Occurs.MANY,
        Content.NESTED,
        (
            leaf("whole", ValueType.INTEGER),
            leaf("exact", ValueType.DECIMAL),
            leaf("real", ValueType.DOUBLE),
            leaf("name", ValueType.TEXT),
        ),
    ),
)
WHOLE = (0, 1, -1, 7, 2**53, 2**53 + 1, 2**53 + 2, -(2**53) - 1, 2**63 - 1, -(2**63) + 1)
REAL = (0.0, -0.0, 0.1, 0.25, 1.0, 1e308, -1e308, 5e-324, math.inf, -math.inf, math.nan)


class Catalog:
    """The one stream of these tests."""

    def names(self) -> Sequence[str]:
        return ("things",)

    def schema(self, stream: str) -> Schema:
        return THINGS


SHAPES = (
    "$p/whole >= {} and $p/whole <= {}",
    "$p/exact > {} and $p/exact < {} and $p/whole >= {} and $p/whole < {}",
    "$p/real >= {} and $p/real <= {} and $p/exact >= {} and $p/exact <= {} and $p/whole > {}",
    "$p/whole >= {} and $p/whole <= {} and $p/name = '{}'",
    "$p/whole = {}",
    "$p/real = {} and $p/whole > {}",
    "$p/real >= {} and $p/real < {} and $p/exact = {}",
    "$p/name = '{}'",
)
NAMES = ("a", "b", " a ", "", "Vela")


def compiled(where: str) -> Branch | None:
    """The only branch of a query; None for one that can never hold."""
    text = f'for $p in stream("things")/things/thing where {where} return <r>{{ $p/whole }}</r>'
    try:
        return compile_branch(compile_text(text, Catalog()).branches[0])
    except QueryError as error:
        assert error.code == "contradiction", error
        return None


def number(kind: str, dice: random.Random) -> str:
    """A constant: an integer, a decimal or a double."""
    match kind:
        case "integer":
            return str(dice.choice((*WHOLE, dice.randint(-10, 10), dice.randint(-10, 10))))
        case "decimal":
            return f"{dice.choice((*REAL[:5], dice.uniform(-10, 10), dice.uniform(-10, 10))):.3f}"
        case _:
            return f"{dice.choice((*REAL[:8], dice.uniform(-10, 10), dice.uniform(-10, 10))):.16e}"


def constants(shape: str, kinds: Sequence[str], dice: random.Random) -> list[str]:
    """Bounds in pairs of a low and a high one, mostly; names where the shape quotes them."""
    drawn = [number(kind, dice) for kind in kinds]
    for low in range(0, len(drawn) - 1, 2):
        if dice.random() < 0.9:
            drawn[low : low + 2] = sorted(drawn[low : low + 2], key=float)
    if "'{}'" in shape:
        drawn[shape[: shape.index("'{}'")].count("{}")] = dice.choice(NAMES)
    return drawn


def items(dice: random.Random, count: int) -> list[dict[str, object]]:
    def maybe(value: object) -> object:
        return None if dice.random() < 0.1 else value

    return [
        {
            "position": position,
            "item": {"name": maybe(dice.choice(NAMES)), "whole": str(position)},
            "=whole": maybe(dice.choice((*WHOLE, *range(-10, 11)))),
            "=exact": maybe(dice.choice((*REAL[:8], dice.uniform(-10, 10)))),
            "=real": maybe(dice.choice((*REAL, dice.uniform(-10, 10)))),
        }
        for position in range(count)
    ]


def answers(spark: SparkSession, branches: Sequence[Branch], ways: list[Matching]) -> set[tuple]:
    """The pairs of a channel and an item that match."""
    signature = branches[0].signature
    (statement,) = branches[0].statements.values()
    channels = [
        ChannelRecord(number, signature, branch.constants) for number, branch in enumerate(branches)
    ]
    rows = [channel_row(each) for each in channels]
    table = arrow_table(statement.channel_columns, rows)
    matching = ChannelViews(spark).set_channels(signature, statement, channels, table, 1000)
    ways.append(matching)
    sql = batch_sql(
        {signature: statement},
        full=False,
        matchings={signature: matching},
    )
    found = spark.sql(f"SELECT channel, ordering[0] AS position FROM ({sql})").collect()
    pairs = [tuple(row) for row in found]
    assert len(pairs) == len(set(pairs)), "an item meets a channel once"
    spark.catalog.dropTempView(channels_view(signature))
    return set(pairs)


@pytest.mark.spark
@pytest.mark.parametrize("shape", SHAPES)
def test_lookups_find_what_trying_all_finds(
    spark: SparkSession, shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(shape)
    spark.createDataFrame(
        pa.Table.from_pylist(items(dice, 400), schema=batch_schema())
    ).createOrReplaceTempView("batch")
    for _ in range(2):
        kinds = [dice.choice(("integer", "decimal", "double"))] * shape.count("{}")
        texts = [shape.format(*constants(shape, kinds, dice)) for _ in range(150)]
        branches = [branch for text in texts if (branch := compiled(text)) is not None]
        alike = [each for each in branches if each.signature == branches[0].signature]
        assert len(alike) > 50
        ways: list[Matching] = []
        with monkeypatch.context() as patch:
            for name, cost in {"PAIR": 1e9, "GRID": 0.0, "ROW": 1.0}.items():
                patch.setattr(costs, name, cost)
            looked_up = answers(spark, alike, ways)
            assert looked_up
            patch.setattr("millstream.runtime.channel_views.choose_matching", tried)
            assert answers(spark, alike, ways) == looked_up
        assert ways[0].grid is not None or ">=" not in shape
        assert ways[0].sql != ways[1].sql


def tried(*_: object) -> Matching:
    return choose_matching(Lookups(), [()], 0)


def batch_schema() -> pa.Schema:
    text = pa.struct([(name, pa.string()) for name in ("whole", "exact", "real", "name")])
    assert "`=whole` BIGINT" in log_schema(THINGS)
    return pa.schema(
        [
            ("position", pa.int64()),
            ("item", text),
            ("=whole", pa.int64()),
            ("=exact", pa.float64()),
            ("=real", pa.float64()),
        ]
    )
