"""Figure 4 of the history seed: three strategies on Spark beside SaxonC and BaseX.

All contenders hold the site before they are asked: ours as tables of fillers in Parquet, rivals
as a document. Loading is told apart. They take turns, question by question, so that a slow moment
of the machine meets each of them; medians count, and every answer must be the same.

A question is asked once before it is measured: histories are asked again and again, and what the
first run costs beyond that (reading the text, generated code) is told as `first`. Nothing that was
read or computed is kept from one run to the next.

Then follow what cutting and taking in a large document takes in memory, and what a batch costs a
standing query with little and with much behind it.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession
from rich.console import Group
from rich.table import Table

from millstream.errors import InternalError
from millstream.languages.xquery.translation import Strategy

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_history"), str(HERE), str(HERE.parent)]

from memory import loaded  # noqa: E402
from rivals import Asked, BaseX, Saxon, has_basex  # noqa: E402
from sites import Site, site  # noqa: E402

import standing_history  # noqa: E402 beside this file
from tests.history.xmark import QUESTIONS  # noqa: E402 the twenty questions

FIGURE_4 = (1, 2, 5)
JOINS = (8, 9, 10, 11, 12)


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    factors: tuple[float, ...]
    joins: float
    large: float
    small: float
    rounds: int


FULL = Size(factors=(0.0, 0.05, 0.1), joins=0.5, large=1.0, small=0.1, rounds=3)
QUICK = Size(factors=(0.0, 0.01), joins=0.02, large=0.05, small=0.01, rounds=2)

Contender = Callable[[str], Asked]


def measure(quick: bool) -> dict[str, Any]:
    """The times of all contenders, and the ratios that are promised."""
    size = QUICK if quick else FULL
    with tempfile.TemporaryDirectory(prefix="millstream-bench-") as folder, _spark() as spark:
        sites: dict[float, Site] = {}

        def at(factor: float) -> Site:
            if factor not in sites:
                _tell(f"a site of factor {factor} is loaded")
                sites[factor] = site(factor, Path(folder), spark)
            return sites[factor]

        figure = {str(factor): _strategies(at(factor), size) for factor in size.factors}
        joins = _joins(at(size.joins))
        growth = _growth(at(size.small), at(size.large), size.rounds)
        spark.stop()
        _tell("the largest site is cut and taken in")
        peaks = loaded(at(size.large).file, Path(folder) / "loaded")
    _tell("a standing query is asked with little and with much behind it")
    return {
        "figure 4": figure,
        "joins": joins,
        "growth": growth,
        "memory": {name: asdict(peak) for name, peak in peaks.items()},
        "standing": standing_history.grown_histories(quick),
        "basex": has_basex() or "not installed: Debian's package basex",
    }


def _tell(what: str) -> None:
    """Say what is done now: the whole takes a quarter of an hour."""
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


def _strategies(where: Site, size: Size) -> dict[str, Any]:
    """Three questions by all strategies and rivals at one factor."""
    with _rivals(where) as (rivals, loads):
        ours = _ours(where, tuple(Strategy))
        # It takes many seconds to put the view together: once is enough.
        slow = {name: ours.pop(name) for name in [Strategy.CAQ.value]}
        contenders = {**ours, **rivals}
        asked = {
            f"Q{number}": _turns(contenders, number, size.rounds, once=slow) for number in FIGURE_4
        }
    loads = {"millstream": where.load_seconds, **loads}
    return {"megabytes": where.megabytes, "load": loads, "questions": asked}


def _joins(where: Site) -> dict[str, Any]:
    """The questions that join, whose cost grows with the square where joins are loops."""
    # They take many seconds each: what a start costs does not show, and once is enough.
    with _rivals(where, warm_runs=0) as (rivals, loads):
        ours = _ours(where, (Strategy.QAC_PLUS,))
        asked = {f"Q{number}": _turns(ours, number, 1, once=rivals) for number in JOINS}
    names = (*ours, *rivals)
    totals = {name: sum(each[name]["seconds"] for each in asked.values()) for name in names}
    better = min(seconds for name, seconds in totals.items() if name != "qac+")
    return {
        "factor": where.factor,
        "load": {"millstream": where.load_seconds, **loads},
        "questions": asked,
        "totals": totals,
        "ratio": totals["qac+"] / better,
    }


def _growth(small: Site, large: Site, rounds: int) -> dict[str, Any]:
    """What ten times the data costs, and how much of it is read."""
    facts: dict[str, Any] = {"factors": [small.factor, large.factor], "questions": {}}
    touched: dict[str, set[str]] = {}
    for number in FIGURE_4:
        contenders = {
            str(each.factor): _ours(each, (Strategy.QAC_PLUS,))["qac+"] for each in (small, large)
        }
        times = _turns(contenders, number, 2 * rounds, compared=False)
        ratio = times[str(large.factor)]["seconds"] / times[str(small.factor)]["seconds"]
        plan = large.histories.route(QUESTIONS[number - 1]).plan
        assert plan is not None, "the question has SQL"
        read = sum(large.column_bytes(view, columns) for view, columns in plan.reads)
        for view, columns in plan.reads:
            touched.setdefault(view, set()).update(columns)
        facts["questions"][f"Q{number}"] = {**times, "ratio": ratio, "bytes": read}
    together = sum(large.column_bytes(view, tuple(each)) for view, each in touched.items())
    facts["bytes_touched"] = together
    facts["bytes_in_all"] = large.total_bytes
    facts["share"] = together / large.total_bytes
    facts["load_seconds"] = {str(each.factor): each.load_seconds for each in (small, large)}
    return facts


def _ours(where: Site, strategies: tuple[Strategy, ...]) -> dict[str, Contender]:
    def asking(strategy: Strategy) -> Contender:
        def ask(question: str) -> Asked:
            started = time.perf_counter()
            items = where.histories.ask(question, strategy)
            return Asked("\n".join(items), time.perf_counter() - started)

        return ask

    return {each.value: asking(each) for each in strategies}


@contextmanager
def _rivals(
    where: Site, warm_runs: int = 2
) -> Iterator[tuple[dict[str, Contender], dict[str, float]]]:
    """The rivals that are there, with the document loaded."""
    saxon = Saxon(where.file)
    basex = BaseX(where.file, warm_runs) if has_basex() else None
    engines = [engine for engine in (saxon, basex) if engine is not None]
    try:
        for engine in engines:
            engine.load()
        yield (
            {engine.name: engine.ask for engine in engines},
            {engine.name: engine.load_seconds for engine in engines},
        )
    finally:
        if basex is not None:
            basex.close()


def _turns(
    contenders: dict[str, Contender],
    number: int,
    rounds: int,
    *,
    once: dict[str, Contender] | None = None,
    compared: bool = True,
) -> dict[str, Any]:
    """The medians of contenders that take turns on one question; some are asked once only."""
    question = QUESTIONS[number - 1]
    _tell(f"Q{number}")
    first = {name: ask(question) for name, ask in {**contenders, **(once or {})}.items()}
    answers = {each.items for each in first.values() if each.items is not None}
    if compared and len(answers) != 1:
        raise InternalError(f"the contenders give different answers to Q{number}")
    seconds: dict[str, list[float]] = {name: [first[name].seconds] for name in once or ()}
    seconds |= {name: [] for name in contenders}
    for _ in range(rounds):
        for name, ask in contenders.items():
            seconds[name].append(ask(question).seconds)
    return {
        name: {
            "first": first[name].seconds,
            "seconds": statistics.median(times),
            "ended": first[name].items is not None,
        }
        for name, times in seconds.items()
    }


@contextmanager
def _spark() -> Iterator[SparkSession]:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    settings = {
        "spark.driver.memory": "3g",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.sql.shuffle.partitions": "2",
        "spark.default.parallelism": "2",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.caseSensitive": "true",
        "spark.sql.session.timeZone": "UTC",
        "spark.driver.host": "127.0.0.1",
    }
    builder = SparkSession.builder.master("local[2]").appName("bench")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    try:
        yield session
    finally:
        session.stop()


def table(facts: dict[str, Any]) -> Group:
    """The facts for people."""
    return Group(
        *map(_figure, facts["figure 4"].items()),
        _of_joins(facts["joins"]),
        _of_growth(facts["growth"]),
        _of_memory(facts["memory"]),
        standing_history.table(facts["standing"]),
    )


def _figure(measured: tuple[str, dict[str, Any]]) -> Table:
    factor, facts = measured
    names = list(next(iter(facts["questions"].values())))
    title = f"factor {factor} ({facts['megabytes']:.1f} MB), seconds"
    drawn = _table(title, "question", *names)
    loads = facts["load"]
    drawn.add_row("load", *(f"{loads.get(name, loads['millstream']):.2f}" for name in names))
    for question, times in facts["questions"].items():
        drawn.add_row(question, *(f"{times[name]['seconds']:.3f}" for name in names))
    return drawn


def _of_joins(facts: dict[str, Any]) -> Table:
    names = list(facts["totals"])
    title = f"joins at factor {facts['factor']}, seconds; ratio {facts['ratio']:.3f}"
    drawn = _table(title, "question", *names)
    for question, times in facts["questions"].items():
        drawn.add_row(question, *(_shown(times[name]) for name in names))
    drawn.add_row("all", *(f"{facts['totals'][name]:.2f}" for name in names))
    return drawn


def _shown(time: dict[str, Any]) -> str:
    return f"{'' if time['ended'] else '> '}{time['seconds']:.2f}"


def _of_growth(facts: dict[str, Any]) -> Table:
    small, large = map(str, facts["factors"])
    share = f"{100 * facts['share']:.2f} % of {facts['bytes_in_all'] / 1e6:.0f} MB"
    drawn = _table(f"qac+ as sites grow; columns touched: {share}", "question", small, large, "÷")
    for question, times in facts["questions"].items():
        drawn.add_row(
            question,
            *(f"{times[each]['seconds']:.3f}" for each in (small, large)),
            f"{times['ratio']:.2f}",
        )
    return drawn


def _of_memory(facts: dict[str, Any]) -> Table:
    drawn = _table("the largest document, cut and taken in", "command", "seconds", "GB at most")
    for name, peak in facts.items():
        drawn.add_row(name, f"{peak['seconds']:.1f}", f"{peak['gigabytes']:.2f}")
    return drawn


def _table(title: str, *columns: str) -> Table:
    drawn = Table(*columns, title=title)
    for column in drawn.columns[1:]:
        column.justify = "right"
    return drawn
