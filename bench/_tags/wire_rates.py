"""Figure 12: how fast tags come out that are asked for, from the wire on.

Tags travel in four ways, and a mill reads, logs and selects in each: as tick-tags between the
tuples (TICK-TAG); in a stream of their own with links to tuples, by the times from and to which
a tag holds, joined to the tuples in windows (TABLE); as eight attributes of each tagged tuple
(TUPLE); and as an element inside each tagged tuple (XML).

The question is the paper's second: the tags of two emotions in a region, which is all of the
space. TICK-TAG gives each tag once. The others give it with each tuple that has it, and do not
find out that it is the same; what is told is the same. TABLE looks its links up by slots of a
thousand tuples, which its tuples name, so that it need not compare each tag with each tuple. The
rivals ask for the words of both emotions one by one, which is less work than to ask what a word
means.

A rate is that of a stream that is flowing: a run over a short stream is taken off one over a long
stream, and with it what it takes to start and end a run. The ratio of whole runs is told as well.
A rival that takes far longer than another in its first turn has no more of them. Rates are
differences of seconds: on a quick machine, where these are few, there are more turns.
"""

from __future__ import annotations

import statistics
import tempfile
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from tag_meter import Measured, Meter, turns
from travelling_tags import FIELDS, Traffic, traffic, written

import millstream
from millstream.model.tags import emotions

SOUGHT = tuple(word for group in ("sad", "angry") for word in emotions().groups[group])
_LISTED = ", ".join(f"'{word}'" for word in SOUGHT)
_REGION = "location WITHIN SQUARE(0.5, 0.5, 2)"
RIVALS = ("TABLE", "TUPLE", "XML")
_FAR_LONGER = 1.5
QUERIES = {
    "TICK-TAG": "SELECT TAGS FROM A WHERE (TAG EQUIVALENT TO 'sad' OR TAG EQUIVALENT TO 'angry')"
    f" AND {_REGION}",
    "TABLE": f"SELECT {', '.join(f'T.{each}' for each in FIELDS)} FROM A [20 s], T [20 s]"
    " WHERE A.slot = T.slot AND A.stamp >= T.from AND A.stamp <= T.to"
    f" AND T.content IN ({_LISTED}) AND A.{_REGION}",
    "TUPLE": f"SELECT {', '.join(f'A.{each}' for each in FIELDS)} FROM A"
    f" WHERE content IN ({_LISTED}) AND {_REGION}",
    "XML": f"SELECT {', '.join(f'mark.{each}' for each in FIELDS)} FROM A"
    f" WHERE mark.content IN ({_LISTED}) AND {_REGION}",
}


def rates(meter: Meter, on: int) -> list[Measured]:
    """Runs of mills that take turns, after some that do not count."""
    _seconds(meter, meter.size.travelling // 10, 1.0, on)
    return [_at(meter, share, on) for share in meter.size.shares[1:]]


def _at(meter: Meter, share: float, on: int) -> Measured:
    size = meter.size
    short = dict.fromkeys(QUERIES, 0.0)
    if size.starting:
        short = _seconds(meter, size.starting, share, on, size.patience / 2)
    long = _seconds(meter, size.travelling, share, on, size.patience)
    flowing = {name: long[name] - short[name] for name in QUERIES}
    whole, rate = (
        min(taken[each] for each in RIVALS) / taken["TICK-TAG"] for taken in (long, flowing)
    )
    return {
        "share": share,
        "tuples on a tag": on,
        **{f"{name} s": each for name, each in flowing.items()},
        "rate ÷ best rival": rate,
        "whole run ÷ best rival": whole,
    }


def _seconds(
    meter: Meter, count: int, share: float, on: int, patience: float = 0.0
) -> dict[str, float]:
    """The medians of runs over a stream of so many tuples."""
    found = traffic(count, share, on)
    taken: dict[str, list[float]] = {name: [] for name in QUERIES}
    with tempfile.TemporaryDirectory(prefix="millstream-bench-") as folder:
        sources = {name: written(Path(folder), name, found) for name in QUERIES}
        for _ in turns(meter.size.runs, patience):
            for name in _worth_a_turn(taken):
                seconds, results = _run(meter, sources[name], QUERIES[name])
                taken[name].append(seconds)
                wanted = _wanted(found, each_once=name == "TICK-TAG")
                if results != wanted:
                    raise AssertionError(f"{name} gave {results} results in place of {wanted}")
    return {name: statistics.median(each) for name, each in taken.items()}


def _worth_a_turn(taken: dict[str, list[float]]) -> list[str]:
    """All ways but the rivals that are out of the race."""
    first = {name: each[0] for name, each in taken.items() if each and name in RIVALS}
    longest = _FAR_LONGER * min(first.values(), default=0.0)
    return [name for name in taken if first.get(name, 0.0) <= longest]


def _wanted(found: Traffic, *, each_once: bool) -> int:
    """How many tags are to be told, or how many times."""
    tags = int(np.isin(found.fields["content"].to_pylist(), SOUGHT).sum())
    return tags if each_once else tags * found.on


def _run(meter: Meter, sources: dict[str, Path], text: str) -> tuple[float, int]:
    """What a mill takes from the files to the results, and how many these are."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="millstream-bench-"))
        mill = stack.enter_context(millstream.open(Path(folder) / "space", spark=meter.session))
        for name, source in sources.items():
            mill.create_stream(name, source, finite=True, format="tagged-xml")
        mill.subscribe(text)
        report = mill.run()
        return report.seconds, report.results
