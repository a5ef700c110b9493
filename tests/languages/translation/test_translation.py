"""XCQL becomes plain XQuery over fillers, as section 6 of the seed has it."""

from __future__ import annotations

import pytest

from millstream.languages.xquery.translation import Strategy, translate
from tests.history import seed_queries
from tests.languages.translation.structures import STRUCTURES, query

TRANSACTIONS = (
    'xcql:get_fillers(xcql:get_fillers(xcql:stream("creditSystem")/creditAccounts/hole)'
    "/account/hole[@tsid = 5])/transaction"
)
ACCOUNTS = 'xcql:get_fillers(xcql:stream("credit")/creditAccounts/hole)/account'


def test_charged_transactions() -> None:
    assert query(seed_queries.CHARGED) == (
        f"for $t in {TRANSACTIONS}\n"
        "where $t/amount > 1000 and "
        'xcql:trimmed(xcql:get_fillers($t/hole)/status) = "charged"\n'
        "return $t"
    )


def test_transactions_that_are_charged_now() -> None:
    assert query(seed_queries.CHARGED_NOW) == (
        f"for $t in {TRANSACTIONS}\n"
        "where $t/amount > 1000 and xcql:trimmed(xcql:interval_projection("
        'xcql:get_fillers($t/hole)/status, $xcql:now, $xcql:now)) = "charged"\n'
        "return $t"
    )


def test_maxed_out_accounts() -> None:
    assert query(seed_queries.MAXED_OUT) == (
        f"for $a in {ACCOUNTS}\n"
        "where sum(xcql:interval_projection("
        "xcql:get_fillers($a/hole[@tsid = 5])/transaction, "
        'xs:dateTime("2003-11-01T00:00:00"), xs:dateTime("2003-12-01T00:00:00"))'
        '[xcql:trimmed(status) = "charged"]/amount) >= '
        "xcql:interval_projection("
        "xcql:get_fillers($a/hole[@tsid = 4])/creditLimit, $xcql:now, $xcql:now)\n"
        "return <account>{ (attribute id { $a/@id }, $a/customer, "
        "xcql:temporalize(xcql:get_fillers($a/hole[@tsid = 4])/creditLimit)) }</account>"
    )


CLOSED = (
    'count(for $i in stream("auction")/site/closed_auctions/closed_auction '
    "where $i/price/text() >= 40 return $i/price)"
)


@pytest.mark.parametrize(
    ("strategy", "start"),
    [
        ("caq", 'xcql:once(xcql:view("auction")/site/closed_auctions/closed_auction)'),
        (
            "qac",
            'xcql:get_fillers(xcql:get_fillers(xcql:stream("auction")/site/hole[@tsid = 468])'
            "/closed_auctions/hole)/closed_auction",
        ),
        ("qac+", 'xcql:fillers_of("auction", 469)/closed_auction'),
    ],
)
def test_three_ways_to_go_about_it(strategy: str, start: str) -> None:
    expected = f"count(for $i in {start}\nwhere $i/price/text() >= 40\nreturn $i/price)"
    assert query(CLOSED, strategy) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/fleet/port/mate", 'xcql:stream("fleet")/fleet/port/mate'),
        ("/fleet/ship", 'xcql:get_fillers(xcql:stream("fleet")/fleet/hole)/ship'),
        (
            "/fleet/ship/hold/crate",
            'xcql:get_fillers(xcql:get_fillers(xcql:stream("fleet")/fleet/hole)/ship/hold/hole)'
            "/crate",
        ),
        (
            "//mate",
            'xcql:get_fillers(xcql:get_fillers(xcql:stream("fleet")/fleet/hole)/ship/hole)/mate '
            '| xcql:stream("fleet")/fleet/port//mate',
        ),
        (
            "/fleet/ship/mate[1]",
            'xcql:get_fillers(xcql:stream("fleet")/fleet/hole)/ship/xcql:filled(hole)[1]',
        ),
        (
            "/fleet/ship/*",
            'xcql:get_fillers(xcql:stream("fleet")/fleet/hole)/ship/xcql:children(.)[self::*]',
        ),
        (
            "/fleet/*/mate",
            'xcql:stream("fleet")/fleet/xcql:children(.)[self::*]/mate '
            '| xcql:get_fillers(xcql:stream("fleet")/fleet/xcql:children(.)[self::*]/hole)/mate',
        ),
        ("/fleet/port/*", 'xcql:stream("fleet")/fleet/port/*'),
        ("/fleet/port/@*", 'xcql:stream("fleet")/fleet/port/@*'),
        (
            "//ship/@vtFrom",
            'xcql:attribute(xcql:get_fillers(xcql:stream("fleet")/fleet/hole)/ship, "vtFrom")',
        ),
    ],
)
def test_paths_go_through_holes(path: str, expected: str) -> None:
    assert query(f'stream("fleet"){path}') == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("//crate", 'xcql:fillers_of("fleet", 5)/crate'),
        ("//hold", 'xcql:fillers_of("fleet", 2)/ship/hold'),
        (
            "//mate",
            'xcql:stream("fleet")/fleet/port/mate | xcql:fillers_of("fleet", 6)/mate',
        ),
        ("/fleet/ship[@id = 1]", 'xcql:fillers_of("fleet", 2)/ship[@id = 1]'),
        (
            "/fleet/ship[@id = 1]/mate",
            'xcql:get_fillers(xcql:fillers_of("fleet", 2)/ship[@id = 1]/hole)/mate',
        ),
        # A position is one among its siblings, so the way there begins above them.
        ("/fleet/ship/mate[1]", 'xcql:fillers_of("fleet", 2)/ship/xcql:filled(hole)[1]'),
        ("/fleet/ship[1]", 'xcql:stream("fleet")/fleet/xcql:filled(hole)[1]'),
    ],
)
def test_paths_begin_at_the_tag_that_they_lead_to(path: str, expected: str) -> None:
    assert query(f'stream("fleet"){path}', "qac+") == expected


def test_another_name_of_a_path_begins_there_too() -> None:
    text = 'let $f := stream("fleet")/fleet return $f/ship/mate'
    assert query(text, "qac+").splitlines()[1] == 'return xcql:fillers_of("fleet", 6)/mate'


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("now", "$xcql:now"),
        ("now - PT1H", 'xcql:minus($xcql:now, xs:dayTimeDuration("PT1H"))'),
        ("now - P1Y", 'xcql:minus($xcql:now, xs:yearMonthDuration("P1Y"))'),
        ("now + P1Y2DT1H", 'xcql:plus($xcql:now, xs:duration("P1Y2DT1H"))'),
        ("now - P2W1D", 'xcql:minus($xcql:now, xs:dayTimeDuration("P15D"))'),
        ("2003-11-01T10:00+01:00", 'xs:dateTime("2003-11-01T09:00:00")'),
        ("- PT1H", 'xs:dayTimeDuration("-PT1H")'),
        ('xs:date("2003-11-01")', 'xcql:time("2003-11-01")'),
        ("max(1, 2)", "max((1, 2))"),
        ("1 + 2", "1 + 2"),
        ("1 = 2", "1 = 2"),
        ("$s/@id = '1'", '$s/@id = "1"'),
        ("$s/now = 1", "$s/now = 1"),
        ("$s/now = 'x'", 'xcql:trimmed($s/now) = "x"'),
        ("$s/now > 2003-11-01T00:00", 'xcql:times($s/now) > xs:dateTime("2003-11-01T00:00:00")'),
        ("vtTo($s) = now", "xcql:lasts($s)"),
        ("now != vtTo($s)", "xcql:passes($s)"),
        ("$s before [now]", 'xcql:related($s, "before", xcql:interval($xcql:now, $xcql:now))'),
        ("$s/mate[. is $s]", "xcql:get_fillers($s/hole)/mate[. is $s]"),
        ("string($s)", "string(xcql:temporalize($s))"),
        ("string($s/now)", "string($s/now)"),
        ("$s[now = 1]", "$s[now = 1]"),
        ("$s/mate[now > vtFrom(.)]", "xcql:get_fillers($s/hole)/mate[$xcql:now > xcql:vtFrom(.)]"),
        ("$s/mate#[2]", "xcql:version_projection(xcql:get_fillers($s/hole)/mate, 2, 2)"),
        ("count($s/mate)", "count(xcql:get_fillers($s/hole)/mate)"),
    ],
)
def test_expressions(expression: str, expected: str) -> None:
    found = query(f'for $s in stream("fleet")/fleet/ship return {expression}')
    assert found.splitlines()[1] == f"return {expected}"


def test_the_last_versions_are_counted() -> None:
    assert query('stream("fleet")/fleet/port#[last-9, last]') == (
        'let $xcql:versions := xcql:stream("fleet")/fleet/port\n'
        "return xcql:version_projection("
        "$xcql:versions, count($xcql:versions) - 9, count($xcql:versions))"
    )


def test_a_stream_at_an_instant_is_computed_once() -> None:
    then = 'stream("fleet")?[2003-11-01]'
    declaration, result = query(f"{then}//ship | {then}//crate").split(";\n")
    assert declaration.startswith("declare variable $xcql:at1 := xcql:interval_projection(")
    assert result == "xcql:result(xcql:once($xcql:at1//ship) | xcql:once($xcql:at1//crate)"


def test_functions_of_the_query_get_a_namespace() -> None:
    text = "declare function twice($n as xs:integer, $e as element()) { $n * 2 }; twice(1, 2)"
    assert query(text) == (
        "declare function local:twice($n as xs:integer, $e) { $n * 2 };\n"
        "xcql:result(local:twice(1, 2)"
    )


def test_only_what_is_called_is_in_the_prolog() -> None:
    plain = translate('count(stream("fleet")/fleet/port)', STRUCTURES).prolog
    timed = translate('stream("fleet")/fleet/port?[now]', STRUCTURES).prolog
    assert "xcql:interval_projection" not in plain
    assert "xcql:interval_projection" in timed
    assert "declare variable $xcql:types" in timed


@pytest.mark.parametrize("strategy", Strategy)
@pytest.mark.parametrize("name", ["maxed out", "fraud", "charged now", "first ten"])
def test_the_streams_that_are_read_are_told(name: str, strategy: Strategy) -> None:
    found = translate(seed_queries.ALL[name], STRUCTURES, strategy)
    assert found.streams in (("credit",), ("creditSystem",))
    assert found.strategy is strategy
