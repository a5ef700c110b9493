"""Plans of queries over histories: what is read, how it is joined, and what tells results apart."""

from __future__ import annotations

import pytest

from millstream.compiler.history import Catalog, Plan, StreamTables, Untranslatable, compile_query
from millstream.generators.auction_structure import auction_structure
from millstream.languages.xquery.core import lower_history
from millstream.model.filler_layout import layouts
from tests.history.credit import STRUCTURE
from tests.history.xmark import QUESTIONS

AUCTION = auction_structure()
STRUCTURES = {"auction": AUCTION, "credit": STRUCTURE}


def tables(name: str) -> StreamTables:
    """Tables of which it is known that every path is there once."""
    known = layouts(STRUCTURES[name])
    paths = {(tsid, "/".join(path)) for tsid in known for path, _ in known[tsid].inside()}
    views = {tsid: f"{name}_{tsid}" for tsid in known}
    return StreamTables(STRUCTURES[name], views, frozenset(paths), frozenset(paths))


CATALOG = Catalog({name: tables(name) for name in STRUCTURES})


def plan(text: str, *, from_root: bool = False) -> Plan:
    return compile_query(lower_history(text, STRUCTURES), CATALOG, from_root=from_root)


def test_only_the_columns_that_are_asked_for_are_read() -> None:
    reads = dict(plan(QUESTIONS[0]).reads)
    assert reads == {
        "auction_392": ("#attributes", "id", "name#from", "name#text", "rank", "version")
    }


def test_from_the_root_the_holes_on_the_way_are_read() -> None:
    reads = dict(plan(QUESTIONS[0], from_root=True).reads)
    assert set(reads) == {"auction_1", "auction_391", "auction_392"}
    assert "people#hole" in reads["auction_1"]
    assert "body" not in reads["auction_392"]


def test_equal_texts_give_equal_statements() -> None:
    assert plan(QUESTIONS[8]) == plan(QUESTIONS[8])


@pytest.mark.parametrize("number", (8, 9, 10))
def test_loops_inside_others_are_gathered_by_what_they_are_asked_for(number: int) -> None:
    sql = plan(QUESTIONS[number - 1]).sql
    assert "CROSS JOIN" not in sql.replace("FROM (SELECT 1 AS unit) CROSS JOIN", "")
    assert sql.count("LEFT JOIN loop_") == (2 if number == 9 else 1)


def test_an_inequality_compares_columns_of_both_sides() -> None:
    sql = plan(QUESTIONS[10]).sql
    (line,) = (line for line in sql.splitlines() if "BROADCAST" in line)
    assert "exists(" not in line


def test_results_are_told_apart_by_what_their_variables_stand_in() -> None:
    found = plan(
        'for $a in stream("credit")//account, $t in stream("credit")//transaction return 1'
    )
    assert found.bindings == 2
    assert "AS b0" in found.sql
    assert "AS b1" in found.sql


def test_a_result_without_sql_leaves_the_bindings() -> None:
    found = plan('for $t in stream("credit")//transaction return reverse($t/*)')
    assert [name.partition(".")[0] for name, _ in found.inputs] == ["t"]
    assert found.reason == "reverse()"
    assert "AS v0" in found.sql


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ('vtFrom(<w>{ stream("credit")//account }</w>)', "the lifespan of what is not stored"),
        (
            'stream("credit")//account?[now] | stream("credit")//status',
            "what is seen through windows, taken together",
        ),
        ('stream("credit")//account/node()', "the step child::node()"),
    ],
)
def test_what_has_no_sql_says_why_and_where(query: str, reason: str) -> None:
    with pytest.raises(Untranslatable) as raised:
        plan(query)
    assert raised.value.reason.startswith(reason)
    assert raised.value.span.end > 0
