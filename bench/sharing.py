"""Processor seconds of many subscriptions shared, beside what one can write in Spark without it.

Subscribers ask for boxes of the sky and of energies, all different; together they are given a
result for every fourth photon, however many they are. Every turn is a process of its own, which
is first warmed up with as many photons but few boxes, since streams run for long. What counts are
the processor seconds of that process and of all that it starts (Spark's JVM, Python workers),
from the end of the warm-up until all results are written; what the whole process took, its start
and warm-up included, is reported beside it. Contenders take turns and must find the same photons.

To subscribe is to compile a text and to write it down, once in a subscription's life. It counts
where Millstream meets rivals, which plan their filters as they run; it does not where Millstream
with many subscribers meets Millstream with few, and is reported on its own.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.table import Table

from millstream.errors import InternalError
from millstream.generators.photons import write

PARTS = Path(__file__).with_name("_sharing")
sys.path.insert(0, str(PARTS))

import boxes  # noqa: E402 beside this file, where contenders find it as well
from findings import Findings, findings  # noqa: E402

OURS = "millstream"
SHARE = 0.25
"""Results a photon, of all boxes together."""
FILES = 8
BATCHES = 4


@dataclass(frozen=True, slots=True)
class Case:
    """What a contender is measured with."""

    contender: str
    boxes: int
    photons: int

    @property
    def ours(self) -> Case:
        """The same for Millstream."""
        return Case(OURS, self.boxes, self.photons)


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    rivals: dict[Case, float]
    """With how many times Millstream's processor seconds they should take at least."""
    few: Case
    many: Case
    rounds: int
    """Of Millstream; rivals have one."""
    limit: float
    """Seconds after which a contender is ended."""


FULL = Size(
    {
        Case("independent queries", 100, 1_500_000): 50.0,
        Case("one by one", 1_000, 200_000): 20.0,
        Case("one pass", 300, 400_000): 3.0,
        Case("one pass", 1_000, 400_000): 10.0,
    },
    few=Case(OURS, 10, 400_000),
    many=Case(OURS, 10_000, 400_000),
    rounds=3,
    limit=1200,
)
QUICK = Size(
    {
        Case("independent queries", 20, 40_000): 3.0,
        Case("one by one", 60, 40_000): 2.0,
        Case("one pass", 100, 40_000): 1.0,
    },
    few=Case(OURS, 10, 40_000),
    many=Case(OURS, 1_000, 40_000),
    rounds=1,
    limit=120,
)
AT_MOST = 2.0
"""How many times the processor seconds of few boxes many boxes should take at most."""
WARM_UP = 10
"""The boxes with which a contender is warmed up."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What one contender did."""

    cpu: float
    """Processor seconds from the end of the warm-up to the last result."""
    whole: float
    """Processor seconds of the whole process."""
    seconds: float
    subscribing: float
    found: Findings


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a contender came to no end."""

    reason: str
    whole: float


def measure(quick: bool) -> dict[str, Any]:
    """The medians of Millstream, what its rivals took, and their ratios."""
    size = QUICK if quick else FULL
    with tempfile.TemporaryDirectory(prefix="millstream-bench-") as folder:
        ground = Ground(Path(folder), size.limit)
        turns: dict[Case, list[Turn | Failure]] = {}
        for case in _order(size):
            turns.setdefault(case, []).append(ground.turn(case))
    _check(turns)
    return _facts(size, turns)


def _order(size: Size) -> Iterator[Case]:
    """Who takes a turn after whom: rivals once, among the rounds of Millstream."""
    rivals = list(size.rivals)
    ours = list(dict.fromkeys((size.few, size.many, *(each.ours for each in rivals))))
    for number in range(size.rounds):
        yield from ours
        yield from rivals[number :: size.rounds]


class Ground:
    """Where contenders meet: the same photons and boxes for all."""

    def __init__(self, folder: Path, limit: float) -> None:
        self._folder = folder
        self._limit = limit

    def turn(self, case: Case) -> Turn | Failure:
        """Let a contender take its turn in a process of its own."""
        place = self._folder / "turn"
        first = replace(case, boxes=WARM_UP)
        tasks = [self._task(first, place / "warm-up"), self._task(case, place / "measured")]
        command = [sys.executable, PARTS, "measure", case.contender, json.dumps(tasks)]
        said = place / "said.txt"
        place.mkdir()
        try:
            with said.open("w") as errors:
                outcome = subprocess.run(
                    [*command, str(self._limit)],
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    env={**os.environ, "PYSPARK_PYTHON": sys.executable},
                    check=True,
                )
            use = json.loads(outcome.stdout)
            if use["status"]:
                return Failure(_reason(use["status"], said.read_text(errors="replace")), use["cpu"])
            return _turn(place / "measured", use["cpu"])
        finally:
            shutil.rmtree(place)

    def _task(self, case: Case, folder: Path) -> dict[str, Any]:
        photons = self._folder / f"photons-{case.photons}"
        if not photons.exists():
            write(photons, case.photons, files=FILES)
        asked = self._folder / f"boxes-{case.boxes}.json"
        if not asked.exists():
            boxes.save(boxes.draw(case.boxes, SHARE), asked)
        paths = {"photons": photons, "boxes_file": asked, "folder": folder}
        return {**{name: str(path) for name, path in paths.items()}, "batches": BATCHES}


def _turn(folder: Path, whole: float) -> Turn:
    facts = json.loads((folder / "facts.json").read_text())
    return Turn(
        facts["cpu"], whole, facts["seconds"], facts.get("subscribing", 0.0), findings(folder)
    )


def _reason(status: int, said: str) -> str:
    """Why a contender failed, in a few words."""
    if status < 0:
        return "ended: it took too long"
    telling = ("OutOfMemoryError", "StackOverflowError", "grows beyond 64 KB")
    return next((each for each in telling if each in said), said.strip().splitlines()[-1])


def _check(turns: dict[Case, list[Turn | Failure]]) -> None:
    """All contenders must have found the same; Millstream must have come to an end."""
    found: dict[tuple[int, int], Findings] = {}
    for case, each in ((case, each) for case, done in turns.items() for each in done):
        if isinstance(each, Failure):
            if case.contender == OURS:
                raise InternalError(f"with {case.boxes:,} boxes Millstream failed: {each.reason}")
            continue
        if found.setdefault((case.boxes, case.photons), each.found) != each.found:
            raise InternalError(f"'{case.contender}' found other photons for {case.boxes:,} boxes")


def _facts(size: Size, turns: dict[Case, list[Turn | Failure]]) -> dict[str, Any]:
    return {
        "share": SHARE,
        "batches": BATCHES,
        "rounds": size.rounds,
        "rivals": [_meeting(case, wanted, turns) for case, wanted in size.rivals.items()],
        "growth": _growth(size, turns),
    }


def _meeting(case: Case, wanted: float, turns: dict[Case, list[Turn | Failure]]) -> dict[str, Any]:
    ours = _medians(turns[case.ours])
    facts = {
        "rival": case.contender,
        "boxes": case.boxes,
        "photons": case.photons,
        "wanted": wanted,
        "millstream": ours,
    }
    (theirs,) = turns[case]
    if isinstance(theirs, Failure):
        return {**facts, "failure": theirs.reason, "whole_until_then": round(theirs.whole, 2)}
    taken = _medians([theirs])
    return {
        **facts,
        "taken": taken,
        "ratio": round(taken["cpu"] / ours["cpu"], 2),
        "whole_ratio": round(taken["whole"] / ours["whole"], 2),
    }


def _growth(size: Size, turns: dict[Case, list[Turn | Failure]]) -> dict[str, Any]:
    few, many = _medians(turns[size.few]), _medians(turns[size.many])
    running = [each["cpu"] - each["subscribing"] for each in (few, many)]
    return {
        "few": size.few.boxes,
        "many": size.many.boxes,
        "photons": size.few.photons,
        "at_most": AT_MOST,
        "millstream_few": few,
        "millstream_many": many,
        "ratio": round(running[1] / running[0], 2),
    }


def _medians(turns: Sequence[Turn | Failure]) -> dict[str, float]:
    done = [each for each in turns if isinstance(each, Turn)]
    columns = ("cpu", "whole", "seconds", "subscribing")
    medians = {
        name: round(statistics.median(getattr(each, name) for each in done), 2) for name in columns
    }
    return {**medians, "results": sum(count for count, _ in done[0].found.values())}


def table(facts: dict[str, Any]) -> Table:
    """The facts for people."""
    headings = ("rival", "boxes", "photons", "CPU s", "Millstream", "ratio", "wanted", "whole")
    drawn = Table(*headings, title="Processor seconds, and how many times Millstream's")
    for column in drawn.columns[1:]:
        column.justify = "right"
    for each in facts["rivals"]:
        ended = "failure" in each
        drawn.add_row(
            each["rival"],
            f"{each['boxes']:,}",
            f"{each['photons']:,}",
            each["failure"] if ended else f"{each['taken']['cpu']:.1f}",
            f"{each['millstream']['cpu']:.1f}",
            "" if ended else f"{each['ratio']:.1f}",
            f"≥ {each['wanted']:g}",
            "" if ended else f"{each['whole_ratio']:.1f}",
        )
    growth = facts["growth"]
    few, many = growth["millstream_few"], growth["millstream_many"]
    drawn.add_section()
    drawn.add_row(
        f"Millstream with {growth['many']:,} boxes, not {growth['few']}",
        f"{growth['many']:,}",
        f"{growth['photons']:,}",
        f"{many['cpu'] - many['subscribing']:.1f}",
        f"{few['cpu'] - few['subscribing']:.1f}",
        f"{growth['ratio']:.2f}",
        f"≤ {growth['at_most']:g}",
        f"{many['whole'] / few['whole']:.1f}",
    )
    drawn.caption = (
        f"To subscribe to {growth['many']:,} boxes took {many['subscribing']:.1f} more."
        " 'whole' counts start and warm-up as well."
    )
    return drawn
