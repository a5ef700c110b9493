"""A step that breaks off at any point and is run again leaves what an unbroken one leaves."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from millstream.mill import Mill
from millstream.runtime import crash
from tests.runtime.history.credit_queries import QUERIES, STREAMS, credit_batches
from tests.runtime.history.without_spark import Feeds, opened, standing

CHOSEN = {name: QUERIES[name] for name in ("fraud", "charged now", "recent", "first ten")}
BATCHES = credit_batches(4, transactions=40)
Log = dict[str, list[object]]


def outcome(mill: Mill) -> Log:
    return {name: list(standing(mill, name).versions()) for name in CHOSEN}


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Log:
    with opened(tmp_path_factory.mktemp("unbroken") / "space", STREAMS, CHOSEN) as mill:
        feeds = Feeds(mill)
        for batch in BATCHES:
            feeds.push(batch)
        return outcome(mill)


class Broken(Exception):
    """What the test raises where a crash would be."""


@pytest.mark.parametrize("lost", [False, True], ids=["index kept", "index lost"])
@pytest.mark.parametrize("point", ["parsed", "begun", "evaluated", "committed"])
def test_broken_step_runs_again(
    point: str, lost: bool, unbroken: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(reached: str) -> None:
        if reached == point:
            raise Broken

    positions: dict[str, int] = {}
    for name, batch in BATCHES:
        with opened(tmp_path / "space", STREAMS, CHOSEN) as mill, monkeypatch.context() as patched:
            patched.setattr(crash, "reach", breaks)
            with pytest.raises(Broken):
                Feeds(mill, positions).push((name, batch))
        if lost:
            for file in (tmp_path / "space").glob("index.sqlite*"):
                file.unlink()
        with opened(tmp_path / "space", STREAMS, CHOSEN) as mill:
            mill.runner(name).shared_batch.resume()
            feeds = Feeds(mill, positions)
            if point == "committed":
                feeds.by_name[name].skip(batch)
            else:
                feeds.push((name, batch))
            positions = feeds.positions()
    with opened(tmp_path / "space", STREAMS, CHOSEN) as mill:
        assert outcome(mill) == unbroken
    assert all(unbroken.values())


@pytest.mark.parametrize("harm", ["damaged", "from elsewhere"])
def test_an_index_that_is_no_good_is_made_again(harm: str, unbroken: Log, tmp_path: Path) -> None:
    space = tmp_path / "space"
    with opened(space, STREAMS, CHOSEN) as mill:
        feeds = Feeds(mill)
        for batch in BATCHES[:2]:
            feeds.push(batch)
        positions = feeds.positions()
    if harm == "damaged":
        (space / "index.sqlite").write_bytes(b"no index at all" * 1000)
    else:
        with sqlite3.connect(space / "index.sqlite") as database:
            database.execute("UPDATE streams SET step = 999")
            database.execute("DELETE FROM fillers")
    with opened(space, STREAMS, CHOSEN) as mill:
        feeds = Feeds(mill, positions)
        for batch in BATCHES[2:]:
            feeds.push(batch)
        assert outcome(mill) == unbroken
