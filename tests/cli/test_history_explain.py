"""millstream explain over histories, and the choice of an engine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from millstream.cli.history_engine import SMALL_BYTES, chosen_engine
from tests.cli.conftest import Call
from tests.cli.fake_door import FakeMill

LARGE = 'count(stream("credit")//transaction[amount > 1000])'


@pytest.fixture(autouse=True)
def smith(call: Call, folder: Path) -> Path:
    assert call("generate", "credit", "--example", "--out", "smith").status == 0
    return folder / "smith"


def test_little_is_left_to_saxon_and_much_to_spark() -> None:
    assert chosen_engine("auto", SMALL_BYTES) == "saxon"
    assert chosen_engine("auto", SMALL_BYTES + 1) == "spark"
    assert chosen_engine("spark", 0) == "spark"


def test_an_explanation_shows_algebra_columns_and_sql(call: Call, mill: FakeMill) -> None:
    outcome = call("explain", LARGE, "--stream", "credit=smith", "--engine", "spark")
    assert (outcome.status, mill.opened) == (0, None)
    titles = [part.split("\n")[0] for part in outcome.stdout.split("\n\n")]
    assert titles == ["algebra", "reads", "sql"]
    assert "history_credit_5: amount#from, amount#text, id, rank, version" in outcome.stdout
    assert "Step to creditAccounts/account/transaction" in outcome.stdout


def test_an_explanation_says_what_runs_without_asking(call: Call) -> None:
    outcome = call("explain", LARGE, "--stream", "credit=smith")
    assert outcome.stdout.startswith("engine\nSaxonC in this process")
    assert "xcql:fillers_of" in outcome.stdout


@pytest.mark.parametrize(
    ("query", "strategy", "engine"),
    [
        (LARGE, "qac", "Spark SQL"),
        (LARGE, "caq", "Spark SQL over the whole temporal view"),
        ('stream("credit")//account/node()', "caq", "SaxonC in a task of Spark"),
        ('for $a in stream("credit")//account return reverse($a/*)', "qac+", "Spark SQL for the"),
    ],
)
def test_what_is_left_to_saxon_is_told(call: Call, query: str, strategy: str, engine: str) -> None:
    arguments = ("explain", query, "--stream", "credit=smith", "--strategy", strategy, "--json")
    facts = json.loads(call(*arguments).stdout)
    assert facts["engine"].startswith(engine)
    assert (facts["reason"] is None) == ("SaxonC" not in facts["engine"])


def test_the_engine_is_told_with_the_answer(call: Call) -> None:
    outcome = call("query", LARGE, "--stream", "credit=smith", "--engine", "saxon", "--json")
    assert json.loads(outcome.stdout)["engine"] == "saxon"
