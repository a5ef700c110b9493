"""Printing a syntax tree and reading it again changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from millstream.languages.tagql import parse, syntax, unparse
from tests.languages.tagql.examples import EXAMPLES
from tests.languages.tagql.trees import STATEMENTS


@pytest.mark.parametrize("name", EXAMPLES)
def test_reading_what_was_printed_gives_the_tree_again(name: str) -> None:
    tree = parse(EXAMPLES[name])
    assert parse(unparse(tree)) == tree


@settings(max_examples=300, suppress_health_check=list(HealthCheck))
@given(STATEMENTS)
def test_any_tree_survives_printing(statement: syntax.Statement) -> None:
    assert parse(unparse(statement)) == statement


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "attach tag 'x' to S with tagmode = combine tag_sign = -",
            "ATTACH TAG 'x'\nTO S\nWITH TAG_SIGN = '-'",
        ),
        (
            "select (a + b) * -c as d from S s where not (a = 1 or b like 'x%') and c is null",
            "SELECT (a + b) * -c AS d\nFROM S AS s\nWHERE NOT (a = 1 OR b LIKE 'x%') AND c IS NULL",
        ),
        (
            'select tagged objects from S [60 s] where "from" <> 60 sec',
            'SELECT TAGGED OBJECTS\nFROM S [1 min]\nWHERE "from" <> 1 min',
        ),
        (
            "select tags from S where tagtype = 'SUBJECTIVE'",
            "SELECT TAGS\nFROM S\nWHERE TAG_TYPE = 'subjective'",
        ),
    ],
)
def test_text_is_printed_plainly(text: str, expected: str) -> None:
    assert unparse(parse(text)) == expected
