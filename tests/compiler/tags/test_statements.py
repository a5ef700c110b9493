"""What statements leave behind, what they make of order, and how often they send rows around."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from millstream.compiler import output
from millstream.compiler.branch import batch_sql, compile_branch
from millstream.compiler.step_tags import FEW_TAGS, StepTags
from millstream.languages.tagql import parse
from millstream.languages.tagql.lowering import lower
from millstream.model.tags import Element, StreamShape, StreamTuple, place, tick_tag
from millstream.model.tags.duration import SECOND
from millstream.testing.tags import TaggedStream
from millstream.testing.tags.strategies.streams import ATTRIBUTES, STREAMS
from tests.compiler.tags.hand_made import HandMadeSteps, Streams, marked

STREAM = STREAMS[0]
_ENDINGS = ("", " WITH TAGS")
_BROADCAST = "spark.sql.autoBroadcastJoinThreshold"


def sql_of(text: str, tags: StepTags) -> str:
    """The SQL of a step for one statement."""
    branch = compile_branch(lower(parse(text), Streams()).branches[0])
    statements = {branch.signature: branch.statements[STREAM]}
    return batch_sql(statements, full=False, tags=tags)


@pytest.mark.parametrize(
    ("tags", "kept"),
    [(StepTags(now=True, few=True, fleeting=True), False), (FEW_TAGS, True)],
)
def test_only_tags_that_may_be_met_again_are_remembered(tags: StepTags, kept: bool) -> None:
    assert output.may_keep(sql_of(f"SELECT TAGS FROM {STREAM}", tags)) is kept


@pytest.mark.spark
def test_the_rows_of_an_aggregate_are_sent_around_once(spark: SparkSession) -> None:
    name = ATTRIBUTES[0].name
    text = f"SELECT {name}, COUNT(*) FROM {STREAM} [5 s] GROUP BY {name} WITH TAGS"
    elements = [StreamTuple(each, 0, ("x", "1", None)) for each in ("a", "b")]
    stream = TaggedStream(StreamShape(STREAM, ATTRIBUTES), tuple(place(elements)))
    HandMadeSteps(spark, [parse(text)]).step(STREAM, marked(stream), full=False, ended=False)
    before = spark.conf.get(_BROADCAST)
    spark.conf.set(_BROADCAST, -1)
    try:
        plan = spark.sql(sql_of(text, StepTags()))._jdf.queryExecution().executedPlan()
    finally:
        spark.conf.set(_BROADCAST, before or -1)
    assert plan.toString().count("Exchange hashpartitioning") == 1


@pytest.mark.spark
def test_statements_that_keep_the_same_leave_each_other_alone(spark: SparkSession) -> None:
    name = ATTRIBUTES[0].name
    windows = ("", " [5 s]", " [900 s]")
    texts = [f"SELECT {name}, COUNT(*) FROM {STREAM}{each} GROUP BY {name}" for each in windows]
    elements = [StreamTuple(str(number), number, ("x", "1", None)) for number in range(6)]
    stream = TaggedStream(StreamShape(STREAM, ATTRIBUTES), tuple(place(elements)))
    tuples = list(marked(stream))
    steps = HandMadeSteps(
        spark, [parse(f"{text}{ending}") for text in texts for ending in _ENDINGS]
    )
    for start in (0, 2, 4):
        steps.step(STREAM, tuples[start : start + 2], full=True, ended=False)
    for rows in steps.results:
        assert sorted(int(row.values[-1] or 0) for row in rows) == [1, 2, 3, 4, 5, 6]


@pytest.mark.spark
def test_tuples_that_come_out_of_order_count_in_later_ones_only(spark: SparkSession) -> None:
    # position  0  1  2  3  4  5  6  7  8   two steps, none more than 2 s behind
    # time      0  3  2  5  4  9 | 8  7 12
    window, times = 6, (0, 3, 2, 5, 4, 9, 8, 7, 12)
    name = ATTRIBUTES[0].name
    elements = [StreamTuple(str(time), time * SECOND, ("x", "1", None)) for time in times]
    stream = TaggedStream(StreamShape(STREAM, ATTRIBUTES), tuple(place(elements)))
    tuples = list(marked(stream))
    steps = HandMadeSteps(
        spark, [parse(f"SELECT {name}, COUNT(*) FROM {STREAM} [{window} s] GROUP BY {name}")]
    )
    for batch in (tuples[:6], tuples[6:]):
        steps.step(STREAM, batch, full=False, ended=False)
    found = [int(row.values[-1] or 0) for row in sorted(steps.results[0], key=lambda r: r.ordering)]
    assert found == [
        sum(time - window < earlier <= time for earlier in times[: number + 1])
        for number, time in enumerate(times)
    ]


LARGE = 9 * 10**18


@pytest.mark.spark
@pytest.mark.parametrize("window", ["", " [3 s]", " [900 s]"])
def test_any_number_of_large_integers_has_a_sum(spark: SparkSession, window: str) -> None:
    times = (0, 1, 3, 2, *range(4, 40))
    name, number = (each.name for each in ATTRIBUTES[:2])
    elements = [StreamTuple(str(time), time * SECOND, ("x", str(LARGE), None)) for time in times]
    stream = TaggedStream(StreamShape(STREAM, ATTRIBUTES), tuple(place(elements)))
    asked = f"SELECT {name}, COUNT(*), SUM({number}), AVG({number}) FROM {STREAM}{window}"
    steps = HandMadeSteps(spark, [parse(f"{asked} GROUP BY {name}")])
    tuples = list(marked(stream))
    for batch in (tuples[:20], tuples[20:]):
        steps.step(STREAM, batch, full=True, ended=False)
    found = [row.values[-3:] for row in steps.results[0]]
    assert len(found) == len(times)
    for count, total, mean in found:
        assert (total, mean) == (str(int(count or 0) * LARGE), str(LARGE))


@pytest.mark.spark
@pytest.mark.parametrize("likeness", ["EQUALITY", "DICTIONARY"])
def test_groups_by_tags_without_a_window_are_kept_as_totals(
    spark: SparkSession, likeness: str
) -> None:
    elements: list[Element] = []
    for time in range(40):
        for word in ("sad", "happy")[: 1 + time % 2]:
            elements.append(tick_tag(word, tagger="ann", timestamp=time * SECOND))
        elements.append(StreamTuple(str(time), time * SECOND, ("x", "1", None)))
    stream = TaggedStream(StreamShape(STREAM, ATTRIBUTES), tuple(place(elements)))
    text = f"SELECT TAG, COUNT(*) FROM {STREAM} GROUP BY TAGS USING {likeness}"
    steps = HandMadeSteps(spark, [parse(text)])
    tuples = list(marked(stream))
    for start in range(0, len(tuples), 10):
        steps.step(STREAM, tuples[start : start + 10], full=True, ended=False)
        assert steps.kept(STREAM) == 1
    assert [row.values[-2:] for row in sorted(steps.results[0], key=lambda r: r.ordering)] == [
        ("sad", str(number)) for number in range(1, 41)
    ]
