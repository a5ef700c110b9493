"""What a batch costs a standing query over a history, with little and with much behind it.

The query is the second of the credit accounts: accounts whose charges of the last hour come near
their limit. The history is filled first, either with more charges to as many accounts or with
more accounts; then the query is registered, and batches of the same size follow. Times are those of
the processor, so that other work on the machine does not count; a step is everything from fillers
that have been parsed to results that are committed. Parsing, which knows nothing of the past, is
told apart.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from rich.table import Table

import millstream
from millstream.generators.credit import CREDIT_STRUCTURE, Bank, fillers
from millstream.mill import Mill
from millstream.model.filler import Filler
from millstream.testing.filler_feed import FillerFeed
from millstream.testing.no_spark import NoSpark

FRAUD = """
for $a in stream("credit")//account
where sum($a/transaction?[now-PT1H,now]
  [status = "charged"]/amount) >=
  max($a/creditLimit?[now] * 0.9, 5000)
return
  <alert>
  <account id={$a/@id}>
  { $a/customer }
  </account>
  </alert>
"""
LITTLE, MUCH, QUICK_MUCH = 10_000, 1_000_000, 50_000
ACCOUNTS, FILLERS_PER_ACCOUNT = 2_000, 4
"""Enough accounts for a batch to touch as many of them with little behind it as with much."""
BATCH, BATCHES, WARM_UP = 500, 30, 5
LOADED_AT_ONCE = 50_000


def measure(quick: bool) -> dict[str, Any]:
    """The cost of a batch with little and with much behind it, for both ways to grow."""
    much = QUICK_MUCH if quick else MUCH
    accounts = [(size, size // FILLERS_PER_ACCOUNT) for size in (LITTLE, much)]
    facts = grown_histories(quick)
    facts["grown"]["more accounts"] = _growth(accounts)
    return facts


def grown_histories(quick: bool) -> dict[str, Any]:
    """The cost of a batch where the same accounts have longer and longer histories."""
    much = QUICK_MUCH if quick else MUCH
    return {
        "unit": "ms of processor time for a batch",
        "batch": BATCH,
        "grown": {"longer histories": _growth([(LITTLE, ACCOUNTS), (much, ACCOUNTS)])},
    }


def table(facts: dict[str, Any]) -> Table:
    """The facts for people."""
    title = f"{facts['unit']} of {facts['batch']} fillers"
    drawn = Table("history", "fillers behind", "accounts", "step", "parsing", "ratio", title=title)
    for column in drawn.columns[1:]:
        column.justify = "right"
    for name, growth in facts["grown"].items():
        for each in growth["sizes"]:
            ratio = "" if each is growth["sizes"][0] else f"{growth['ratio']:.2f}"
            counts = (f"{each['fillers']:,}", f"{each['accounts']:,}")
            drawn.add_row(name, *counts, f"{each['step']:.1f}", f"{each['parsing']:.1f}", ratio)
    return drawn


def _growth(sizes: list[tuple[int, int]]) -> dict[str, Any]:
    measured = [_measured(fillers, accounts) for fillers, accounts in sizes]
    return {"sizes": measured, "ratio": round(measured[-1]["step"] / measured[0]["step"], 3)}


def _measured(behind: int, accounts: int) -> dict[str, Any]:
    folder = Path(tempfile.mkdtemp(prefix="millstream-bench-"))
    try:
        with millstream.open(folder / "space", spark=NoSpark()) as mill:  # type: ignore[arg-type]
            mill.create_stream("credit", folder / "nowhere", schema=CREDIT_STRUCTURE)
            return {"fillers": behind, "accounts": accounts, **_costs(mill, behind, accounts)}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _costs(mill: Mill, behind: int, accounts: int) -> dict[str, float]:
    """The medians of parsing and of steps, in milliseconds."""
    coming = fillers(Bank(accounts, 10**9, seed=1))
    feed = FillerFeed(mill, "credit")
    for size in _pieces(behind):
        feed.push(list(islice(coming, size)))
    mill.subscribe(FRAUD, name="fraud")
    found = [_batch(feed, coming) for _ in range(WARM_UP + BATCHES)][WARM_UP:]
    parsing, steps = zip(*found, strict=True)
    return {"parsing": 1000 * statistics.median(parsing), "step": 1000 * statistics.median(steps)}


def _batch(feed: FillerFeed, coming: Iterator[Filler]) -> tuple[float, float]:
    """The seconds that parsing a batch takes, and its step."""
    started = time.process_time()
    chunks = feed.parsed(list(islice(coming, BATCH)))
    parsed = time.process_time()
    feed.take(chunks)
    return parsed - started, time.process_time() - parsed


def _pieces(total: int) -> Iterator[int]:
    while total > 0:
        yield min(total, LOADED_AT_ONCE)
        total -= LOADED_AT_ONCE
