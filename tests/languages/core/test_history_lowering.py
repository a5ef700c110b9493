"""XCQL in the algebra of histories: steps know their tags, and what has no form is marked."""

from __future__ import annotations

import pytest

from millstream.algebra.xcql import expressions as core
from millstream.algebra.xcql.show import show
from millstream.algebra.xcql.walk import places, untranslated, variables, walk
from millstream.generators.auction_structure import auction_structure
from millstream.languages.xquery.core import lower_history
from tests.history import seed_queries
from tests.history.credit import STRUCTURE
from tests.history.xmark import QUESTIONS

STREAMS = {"credit": STRUCTURE}


def lowered(text: str) -> core.Expression:
    return lower_history(text, STREAMS)


def test_a_step_names_the_tags_it_leads_to() -> None:
    found = lowered('stream("credit")//transaction/status')
    assert found == core.Step(core.Stream("credit"), frozenset({core.Place("credit", 7)}))


def test_what_lies_between_is_kept_where_positions_count() -> None:
    found = lowered('stream("credit")//account/creditLimit[1]')
    assert isinstance(found, core.Step)
    assert isinstance(found.base, core.Step)


def test_equal_queries_are_equal_and_hashable() -> None:
    one, other = (lowered(f'count( stream("credit")//{space}account )') for space in ("", " "))
    assert one == other
    assert len({one, other}) == 1


def test_variables_have_names_of_their_own() -> None:
    found = lowered('for $x in stream("credit")//account for $x in $x/transaction return $x')
    names = [each.variable for each in walk(found) if isinstance(each, core.For)]
    assert len(set(names)) == 2
    assert variables(found) == frozenset()


def test_a_name_is_a_time_where_no_element_has_it() -> None:
    found = lowered('stream("credit")//creditLimit?[now - PT1H, now]')
    assert isinstance(found, core.IntervalProjection)
    assert found.begin == core.Calculate("-", core.Now(), core.Duration(0, 3_600_000_000))


def test_declared_functions_are_written_out() -> None:
    query = """
        declare function local:double($n as xs:integer) as xs:integer { 2 * $n };
        local:double(count(stream("credit")//account))"""
    found = lowered(query)
    assert isinstance(found, core.Loop)
    assert isinstance(found.result, core.Cast)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (
            "declare function local:f($n) { local:f($n) }; local:f(1)",
            "a function that calls itself",
        ),
        ('stream("credit")//account | <a/>', "the operator '|'"),
        ("<a><b/></a>/b", "a step into what is not stored"),
        ('stream("credit")//node()', "the step child::node()"),
    ],
)
def test_what_has_no_form_is_marked_with_the_reason(query: str, reason: str) -> None:
    assert [each.reason for each in untranslated(lowered(query))] == [reason]


@pytest.mark.parametrize(
    "name", [name for name in seed_queries.ALL if "credit" in seed_queries.ALL[name]]
)
def test_queries_of_the_seed_have_a_form(name: str) -> None:
    found = lower_history(seed_queries.ALL[name], {"credit": STRUCTURE, "creditSystem": STRUCTURE})
    assert untranslated(found) == ()


def test_the_questions_have_a_form_and_are_shown() -> None:
    structures = {"auction": auction_structure()}
    for question in QUESTIONS:
        found = lower_history(question, structures)
        assert untranslated(found) == ()
        assert places(found)
        assert 'stream("auction")' in show(found, structures)
