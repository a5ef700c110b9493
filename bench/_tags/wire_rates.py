"""Figure 12: how fast tuples come out that are selected by their tags, from the wire on.

Tags travel in four ways, and a mill reads, logs and selects in each: as tick-tags between the
tuples (TICK-TAG); in a stream of their own with links to tuples, by the times from and to which
a tag holds, joined to the tuples in windows (TABLE); as eight attributes of each tagged tuple
(TUPLE); and as an element inside each tagged tuple (XML). All give the same tuples.

TABLE looks its links up by slots of a thousand tuples, which its tuples name, so that it need not
compare each tag with each tuple. The rivals ask for the words of both emotions one by one, which
is less work than to ask what a word means.
"""

from __future__ import annotations

import statistics
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tag_meter import SHARES, Measured, Meter
from travelling_tags import traffic, written

import millstream
from millstream.model.tags import emotions

SOUGHT = ("sad", "angry")
_LISTED = ", ".join(f"'{word}'" for group in SOUGHT for word in emotions().groups[group])
_COLUMNS = "SELECT object_id, location, speed, stamp FROM A"
RIVALS = ("TABLE", "TUPLE", "XML")
QUERIES = {
    "TICK-TAG": "SELECT TAGGED OBJECTS FROM A WHERE TAG EQUIVALENT TO 'sad'"
    " OR TAG EQUIVALENT TO 'angry'",
    "TABLE": "SELECT A.object_id, A.location, A.speed, A.stamp FROM A [20 s], T [20 s]"
    " WHERE A.slot = T.slot AND A.stamp >= T.from AND A.stamp <= T.to"
    f" AND T.content IN ({_LISTED})",
    "TUPLE": f"{_COLUMNS} WHERE content IN ({_LISTED})",
    "XML": f"{_COLUMNS} WHERE mark.content IN ({_LISTED})",
}


def rates(meter: Meter, on: int) -> list[Measured]:
    """Runs of mills that take turns; the first turn does not count."""
    return [_at(meter, share, on) for share in SHARES[1:]]


def _at(meter: Meter, share: float, on: int) -> Measured:
    found = traffic(meter.size.travelling, share, on)
    taken: dict[str, list[float]] = {name: [] for name in QUERIES}
    results: dict[str, int] = {}
    with tempfile.TemporaryDirectory(prefix="millstream-bench-") as folder:
        sources = {name: written(Path(folder), name, found) for name in QUERIES}
        for turn in range(meter.size.runs + 1):
            for name, text in QUERIES.items():
                seconds, results[name] = _run(meter, sources[name], text)
                if turn:
                    taken[name].append(seconds)
    if len(set(results.values())) > 1:
        raise AssertionError(f"not all ways gave the same results: {results}")
    medians = {name: statistics.median(each) for name, each in taken.items()}
    best = min(medians[each] for each in RIVALS)
    return {
        "share": share,
        "tuples on a tag": on,
        "results": results["TICK-TAG"],
        **{f"{name} s": each for name, each in medians.items()},
        "rate ÷ best rival": best / medians["TICK-TAG"],
    }


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
