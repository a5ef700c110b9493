"""What statements say."""

from __future__ import annotations

import pytest

from millstream.languages.tagql import parse, syntax
from millstream.languages.tagql.words import TagField
from millstream.model.tags import Mode, Sign
from millstream.model.tags.duration import UNITS
from tests.languages.tagql import examples

MINUTE = UNITS["min"]
TAG = syntax.TagReference(TagField.CONTENT)


def name(*steps: str) -> syntax.Name:
    return syntax.Name(steps)


def text(value: str) -> syntax.StringLiteral:
    return syntax.StringLiteral(value)


def number(value: str) -> syntax.NumberLiteral:
    return syntax.NumberLiteral(value)


def condition(written: str) -> syntax.Condition | None:
    statement = parse(f"SELECT TAGGED OBJECTS FROM S WHERE {written}")
    assert isinstance(statement, syntax.SelectTagged)
    return statement.condition


def test_tag_on_a_value() -> None:
    assert parse(examples.PANIC_ATTACK) == syntax.AttachTag(
        text("Panic attack"),
        syntax.ObjectReference("Patients", ("loc",), of_value=True),
        sign=Sign.NEGATIVE,
        lifespan=MINUTE,
        mode=Mode.OVERWRITE,
    )


def test_tag_on_an_attribute_with_line_breaks_between_options() -> None:
    assert parse(examples.RUNNING) == syntax.AttachTag(
        text("Running"),
        syntax.ObjectReference("Patients", ("measure",)),
        sign=Sign.POSITIVE,
        lifespan=30 * MINUTE,
        mode=Mode.OVERWRITE,
    )


def test_continuous_tagging_with_a_nested_query() -> None:
    measured = syntax.Compare(">", name("measure"), number("80"))
    nested = syntax.Select((syntax.Column(name("pid")),), (syntax.Source("Patients"),), measured)
    assert parse(examples.DANGEROUS) == syntax.AttachTag(
        text("Dangerous"),
        syntax.ObjectReference("Patients", ("pid",), of_value=True),
        continuously=True,
        condition=nested,
        sign=Sign.NEGATIVE,
    )


def test_tags_of_an_attribute_by_sign() -> None:
    sign = syntax.Compare("=", syntax.TagReference(TagField.SIGN), text("-"))
    measure = syntax.ObjectIs((syntax.ObjectReference("Patients", ("measure",)),))
    expected = syntax.SelectTags((syntax.Source("Patients"),), syntax.And((measure, sign)))
    assert parse(examples.Q1) == expected


def test_tagged_objects_by_content() -> None:
    emergency = syntax.Compare("=", TAG, text("Emergency"))
    assert parse(examples.Q2) == syntax.SelectTagged((syntax.Source("Patients"),), emergency)


def test_selection_with_tags() -> None:
    assert parse(examples.Q3) == syntax.Select(
        tuple(syntax.Column(name(each)) for each in ("pid", "loc", "time")),
        (syntax.Source("Patients"),),
        syntax.Compare(">", name("measure"), number("80")),
        with_tags=True,
    )


def test_windowed_join_with_tags() -> None:
    distance = syntax.Call("DIST", (name("A", "loc"), name("B", "loc")))
    assert parse(examples.Q4) == syntax.Select(
        (syntax.Column(name("A", "pid")), syntax.Column(name("B", "pid"))),
        (syntax.Source("Patients", "A", MINUTE), syntax.Source("Animals", "B", 3 * MINUTE)),
        syntax.Compare("<", distance, number("0.2")),
        with_tags=True,
    )


def test_contents_drawn_at_random() -> None:
    statement = parse(examples.EXPERIMENT_1)
    assert isinstance(statement, syntax.AttachTag)
    assert statement.content == syntax.OneOf(("happy", "sad", "jealous", "angry", "elated"))
    region = syntax.Region(syntax.RegionKind.SQUARE, ("0.5", "0.5", "0.25"))
    assert statement.condition == syntax.Within(name("location"), region)


def test_join_by_tags() -> None:
    statement = parse(examples.EXPERIMENT_3)
    assert isinstance(statement, syntax.SelectTagged)
    sides = (syntax.TagReference(TagField.CONTENT, each) for each in "AB")
    assert statement.condition == syntax.Equivalent(*sides)


def test_aggregation_by_tags() -> None:
    statement = parse(
        "SELECT TAG, AVG(speed) FROM V [5 min] GROUP BY TAGS USING JACCARD 0.5 INCLUDING UNTAGGED"
    )
    assert statement == syntax.Select(
        (syntax.Column(TAG), syntax.Column(syntax.Call("AVG", (name("speed"),)))),
        (syntax.Source("V", None, 5 * MINUTE),),
        grouping=syntax.GroupByTags(syntax.Likeness.JACCARD, "0.5", untagged=True),
    )


A, B = (syntax.TagReference(TagField.CONTENT, each) for each in "AB")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("TAG(A) = TAG(B)", syntax.Compare("=", A, B)),
        ("TAG(A) SIMILAR TO TAG(B) JACCARD > 0.5", syntax.Similar(A, B, ">", "0.5")),
        ("TAG(A) COOCCURS WITH TAG(B) >= 2", syntax.CoOccurs(A, B, ">=", "2")),
        ("TAG LIKE 'Acc%'", syntax.Like(TAG, "Acc%")),
        ("TAG NOT IN ('a', 'b')", syntax.In(TAG, (text("a"), text("b")), negated=True)),
        (
            "TAGGER = 'ann'",
            syntax.Compare("=", syntax.TagReference(TagField.TAGGER), text("ann")),
        ),
        (
            "TAGMODE != 'o'",
            syntax.Compare("<>", syntax.TagReference(TagField.MODE), text("OVERWRITE")),
        ),
        (
            "TAG_LIFESPAN > 2 h",
            syntax.Compare(
                ">", syntax.TagReference(TagField.LIFESPAN), syntax.DurationLiteral(120 * MINUTE)
            ),
        ),
        (
            'OBJECT = S."value"',
            syntax.ObjectIs((syntax.ObjectReference("S", ("value",)),)),
        ),
        ("OBJECT = S.value", syntax.ObjectIs((syntax.ObjectReference("S", ("value",)),))),
        ("OBJECT = S.a.value", syntax.ObjectIs((syntax.ObjectReference("S", ("a",), True),))),
        (
            'OBJECT <> S.a."value"',
            syntax.ObjectIs((syntax.ObjectReference("S", ("a", "value")),), negated=True),
        ),
        (
            "OBJECT NOT IN (S, S.a)",
            syntax.ObjectIs(
                (syntax.ObjectReference("S"), syntax.ObjectReference("S", ("a",))), negated=True
            ),
        ),
        (
            "a BETWEEN 1 AND 2 AND b IS NOT NULL",
            syntax.And(
                (
                    syntax.Between(name("a"), number("1"), number("2")),
                    syntax.IsNull(name("b"), negated=True),
                )
            ),
        ),
        (
            "NOT a = 1 OR b = -2",
            syntax.Or(
                (
                    syntax.Not(syntax.Compare("=", name("a"), number("1"))),
                    syntax.Compare("=", name("b"), syntax.Negative(number("2"))),
                )
            ),
        ),
        (
            "(a - b - c) * 2 > 1 /* why */ -- not",
            syntax.Compare(
                ">",
                syntax.Arithmetic(
                    "*",
                    syntax.Arithmetic("-", syntax.Arithmetic("-", name("a"), name("b")), name("c")),
                    number("2"),
                ),
                number("1"),
            ),
        ),
    ],
)
def test_condition(written: str, expected: syntax.Condition) -> None:
    assert condition(written) == expected


@pytest.mark.parametrize(
    "source", ["V A [1 min]", "V AS A [1 min]", "V [60 s] A", "V [1 min] AS A"]
)
def test_alias_and_window_in_any_order(source: str) -> None:
    statement = parse(f"SELECT * FROM {source};")
    assert isinstance(statement, syntax.Select)
    assert statement.sources == (syntax.Source("V", "A", MINUTE),)


def test_spans_cover_what_was_written() -> None:
    written = "SELECT TAGGED OBJECTS FROM S WHERE Dist(a, b) < 0.2 AND x = 1"
    statement = parse(written)
    assert isinstance(statement, syntax.SelectTagged)
    assert isinstance(statement.condition, syntax.And)
    spans = [each.span for each in (statement, *statement.condition.operands)]
    assert [written[each.start : each.end] for each in spans] == [
        written,
        "Dist(a, b) < 0.2",
        "x = 1",
    ]
