"""The results of a continuous query are a history themselves."""

from __future__ import annotations

from pathlib import Path

from millstream.generators.credit import credit_structure
from millstream.history.temporal_view import materialize, snapshot
from millstream.model.filler_layout import instant_of
from tests.history.credit import ACCOUNT, ALL, LIMIT, ROOT, filler, time
from tests.runtime.history.credit_queries import QUERIES, STREAMS, credit_batches
from tests.runtime.history.without_spark import Feeds, opened, standing

LIMITS = """for $a in stream("credit")//account
where $a/creditLimit?[now] >= 2000
return <limit of="{ $a/@id }">{ $a/creditLimit?[now]/text() }</limit>"""


def test_changed_results_are_versions_and_those_that_end_have_an_empty_one(
    tmp_path: Path,
) -> None:
    lowered = filler(2, 4, "2003-07-01", "<creditLimit>100</creditLimit>")
    with opened(tmp_path / "s", {"credit": credit_structure()}, {"limits": LIMITS}) as mill:
        feeds = Feeds(mill)
        for batch in ([ROOT, ACCOUNT, LIMIT], list(ALL), [lowered]):
            feeds.push(("credit", batch))
        history = standing(mill, "limits").history()
        asked = 'stream("limits")//result?[2003-06-15]/limit/text()'
        found = mill.query(asked).items
        ended = mill.query('stream("limits")//result?[now]/limit').items
        before = mill.query('for $r in stream("limits")//result#[1] return vtTo($r)').items
    assert materialize(history) == (
        '<results><result vtFrom="2003-01-01T00:00:00" vtTo="2003-06-01T00:00:00">'
        '<limit of="7">2000</limit></result>'
        '<result vtFrom="2003-06-01T00:00:00" vtTo="2003-07-01T00:00:00">'
        '<limit of="7">5000</limit></result>'
        '<result vtFrom="2003-07-01T00:00:00" vtTo="now"/></results>'
    )
    assert snapshot(history, time("2003-06-15")).count("<limit") == 1
    assert (found, ended, before) == (("5000",), (), ("2003-06-01T00:00:00",))


def test_the_history_says_what_held_after_every_step(tmp_path: Path) -> None:
    with opened(tmp_path / "s", STREAMS, {"recent": QUERIES["recent"]}) as mill:
        feeds, held = Feeds(mill), {}
        for batch in credit_batches(5, transactions=40):
            feeds.push(batch)
            state = mill.runner("credit").journal.state
            held[state.evaluated["recent"]] = len(standing(mill, "recent").current())
        history = standing(mill, "recent").history()
    for now, count in held.items():
        assert snapshot(history, instant_of(now)).count("<t ") == count
    assert any(held.values())
