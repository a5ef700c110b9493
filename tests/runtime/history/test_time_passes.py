"""As now moves, results come and go though nothing arrives."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from millstream.generators.credit import credit_structure
from millstream.model.filler import Filler
from millstream.testing.clock import ManualClock
from tests.history.credit import ACCOUNT, LIMIT, ROOT, filler
from tests.runtime.history.without_spark import Feeds, check, current, opened, standing

START = datetime(2003, 2, 1, tzinfo=UTC)
RECENT = """for $t in stream("credit")//transaction?[now - PT1H, now]
return <t>{ string($t/vendor) }</t>"""
NEXT_MONTH = """for $t in stream("credit")//transaction
where vtFrom($t) < now - P1M return <old>{ string($t/vendor) }</old>"""
TOTAL = """for $a in stream("credit")//account
where sum($a/transaction?[now - PT1H, now]/amount) >= 10
return <alert>{ string($a/@id) }</alert>"""


def bought(minute: int, vendor: str, amount: int = 6) -> Filler:
    at = (START + timedelta(minutes=minute)).isoformat()
    content = f"<transaction><vendor>{vendor}</vendor><amount>{amount}</amount></transaction>"
    return filler(3, 5, at, content)


#  minute   0     10         60   61         71
#  A        [ bought          )
#  B              [ bought               )
#  alert          [           )
def test_windows_expire(tmp_path: Path) -> None:
    clock = ManualClock(START)
    queries = {"recent": RECENT, "total": TOTAL}
    with opened(tmp_path / "s", {"credit": credit_structure()}, queries, clock=clock) as mill:
        Feeds(mill).push(("credit", [ROOT, ACCOUNT, LIMIT, bought(0, "A"), bought(10, "B")]))
        found = []
        for minutes in (0, 10, 50, 1, 9, 1):
            clock.advance(60 * minutes)
            mill.tick()
            check(mill, queries)
            found.append((sorted(current(mill, "recent")), len(current(mill, "total"))))
        versions = [each.items for each in standing(mill, "total").versions()]
    assert found == [
        (["<t>A</t>"], 0),
        (["<t>A</t>", "<t>B</t>"], 1),
        (["<t>A</t>", "<t>B</t>"], 1),
        (["<t>B</t>"], 0),
        (["<t>B</t>"], 0),
        ([], 0),
    ]
    assert versions == [("<alert>7</alert>",), None]


def test_months_are_those_of_the_calendar(tmp_path: Path) -> None:
    clock = ManualClock(START)
    queries = {"old": NEXT_MONTH}
    with opened(tmp_path / "s", {"credit": credit_structure()}, queries, clock=clock) as mill:
        Feeds(mill).push(("credit", [ROOT, ACCOUNT, bought(0, "A")]))
        for days, expected in ((28, 0), (1, 1)):  # February has 28 days
            clock.advance(86_400 * days)
            mill.tick()
            assert sum(current(mill, "old").values()) == expected


def test_what_does_not_ask_for_now_needs_no_steps(tmp_path: Path) -> None:
    clock = ManualClock(START)
    queries = {"all": 'for $t in stream("credit")//transaction return $t'}
    with opened(tmp_path / "s", {"credit": credit_structure()}, queries, clock=clock) as mill:
        Feeds(mill).push(("credit", [ROOT, ACCOUNT, bought(0, "A")]))
        clock.advance(3_600)
        assert mill.tick() == 0


def test_time_that_passes_without_effect_takes_no_step(tmp_path: Path) -> None:
    clock = ManualClock(START)
    with opened(
        tmp_path / "s", {"credit": credit_structure()}, {"recent": RECENT}, clock=clock
    ) as mill:
        Feeds(mill).push(("credit", [ROOT, ACCOUNT, bought(0, "A")]))
        clock.advance(60)
        mill.tick()
        before = mill.runner("credit").journal.state.step
        clock.advance(60)
        assert mill.tick() == 0
        assert mill.runner("credit").journal.state.step == before


@pytest.mark.parametrize("minutes", [30, 90])
def test_future_events_are_there_when_their_time_comes(minutes: int, tmp_path: Path) -> None:
    clock = ManualClock(START)
    with opened(
        tmp_path / "s", {"credit": credit_structure()}, {"recent": RECENT}, clock=clock
    ) as mill:
        Feeds(mill).push(("credit", [ROOT, ACCOUNT, bought(60, "A")]))
        assert not current(mill, "recent")
        clock.advance(60 * minutes)
        mill.tick()
        check(mill, ["recent"])
        assert bool(current(mill, "recent")) == (minutes == 90)
