"""What continuous queries over histories depend on, read from their texts."""

from __future__ import annotations

import pytest

from millstream.algebra.standing import Need, Standing
from millstream.generators.credit import credit_structure
from millstream.languages.xquery.standing import asks_history, standing_query
from millstream.model.time_shift import TimeShift
from tests.history import seed_queries

CREDIT = {"credit": credit_structure(), "creditSystem": credit_structure()}
ACCOUNT, LIMIT, TRANSACTION, STATUS = 2, 4, 5, 7
HOUR = TimeShift(0, 3_600_000_000)


def standing(query: str) -> Standing:
    return standing_query(query, CREDIT)


def test_fraud_depends_on_the_last_hour_of_an_account() -> None:
    found = standing(seed_queries.FRAUD)
    (entry,) = found.entries
    limit, transaction = entry.inside
    assert (entry.tsid, entry.event, entry.binds) == (ACCOUNT, False, True)
    assert (limit.tsid, transaction.tsid) == (LIMIT, TRANSACTION)
    assert transaction.inside == (Need(STATUS),)
    assert transaction.window is not None
    assert transaction.window.begin.after_now == -HOUR
    assert found.shifts == (TimeShift(), HOUR)


def test_a_path_by_names_leads_straight_to_its_fillers() -> None:
    (entry,) = standing(seed_queries.CHARGED).entries
    assert (entry.tsid, entry.event) == (TRANSACTION, True)
    assert entry.inside == (Need(STATUS),)


def test_a_predicate_on_the_way_makes_its_element_the_anchor() -> None:
    query = 'for $t in stream("credit")//account[@id = "7"]/transaction return $t/vendor'
    (entry,) = standing(query).entries
    assert (entry.tsid, entry.inside) == (ACCOUNT, (Need(TRANSACTION),))


@pytest.mark.parametrize(
    "query",
    [
        'stream("credit")//account[1]',
        'stream("credit")//creditLimit#[last]',
        'count(stream("credit")//account)',
        'sum(stream("credit")//amount)',
        'for $a at $place in stream("credit")//account return $place',
        'for $a in stream("credit")?[now]//account return $a',
        'for $a in stream("credit")/creditAccounts return $a',
        'for $a in stream("credit")//account return now',
        'for $l in stream("credit")//creditLimit return now - vtFrom($l)',
        'for $l in stream("credit")//creditLimit?[start, now] return vtTo($l)',
        'for $a in stream("credit")//account, $b in stream("credit")//account return <p/>',
        'for $a in stream("credit")//account where count(stream("credit")//status) > 1 return $a',
        'let $all := stream("credit")//account for $a in $all return count($all)',
        'declare function f() { stream("credit")//account }; for $a in f() return $a',
        'for $a in (stream("credit"), stream("creditSystem"))//account return $a',
        'for $a in subsequence(stream("credit")//account, 1, 2) return $a',
    ],
)
def test_everything_is_evaluated_where_bindings_cannot_be_told_apart(query: str) -> None:
    assert standing(query).whole


@pytest.mark.parametrize(
    "query",
    [
        'stream("credit")//account',
        'for $a in stream("credit")//account return $a/transaction[1]/vendor',
        'for $a in stream("credit")//account return $a/creditLimit#[last]',
        'for $a in stream("credit")//account where vtTo($a) = now return $a',
        'for $a in stream("credit")//account where vtFrom($a) > now - P1M return $a',
        'for $a in stream("credit")//account, $t in $a/transaction return <p>{ $t/vendor }</p>',
        'let $all := stream("credit")//account for $a in $all return $a/customer',
        'for $l in stream("credit")//creditLimit where $l during [2003-01-01, now] return $l',
        '<all>{ for $a in stream("credit")//account return $a/customer }</all>',
    ],
)
def test_only_what_is_affected_is_evaluated(query: str) -> None:
    assert standing(query).whole is None


def test_an_element_around_the_loop_is_that_of_all_results() -> None:
    found = standing('<all of="x">{ for $a in stream("credit")//account return $a }</all>')
    assert (found.opening, found.closing) == ('<all of="x">', "</all>")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('for $a in stream("credit")//account return $a', True),
        ('for $p in stream("photons")/photons/photon return $p', False),
        ('for $p in stream("photons")//photon?[now - PT1H, now] return $p', True),
        ('for $p in stream("photons")//photon where vtFrom($p) > 2003-01-01 return $p', True),
        ('for $p in stream("photons")/photons/photon where $p/now = 1 return $p', False),
        ("this is no query about now [", False),
    ],
)
def test_queries_about_histories_are_told_apart(query: str, expected: bool) -> None:
    assert asks_history(query, ["credit"]) is expected
