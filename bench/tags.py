"""What tags cost: the figures 11 to 15 of the paper that introduced them, as ratios in one run.

Statements are those that a mill runs in a step, over batches and state in Parquet; what takes turns
shares one Spark session, and the sink keeps nothing. At each share of tagged tuples:

- the tagger beside a selection by the same condition, and beside passing everything on; and runs
  of a mill, with what it takes to write results as they travel;
- selecting tags, by a mill that reads tick-tags (TICK-TAG), a table of tags with links to tuples
  (TABLE), tags as attributes of each tuple (TUPLE), and tags as XML inside each tuple (XML), where
  each tag is on 50 tuples and where it is on one; selecting tagged tuples by the statements alone,
  over tuples that have been read; and the bytes that tags add to the windows and shuffles of a
  join and of an aggregate;
- the join by tags, where only a fifth of the tuples can meet, and the paper's nested loop;
- the join by distance that carries tags, beside the same join without them; and runs of a mill, as
  for the tagger.

The tables are printed, with what is to be held; pictures go to docs/pictures.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console, Group
from rich.table import Table

from millstream.runtime.session import own_session, prepared

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_tags"))

from carried_bytes import KINDS  # noqa: E402 beside this file
from join_figures import aware_join, nested, tag_join  # noqa: E402
from rival_figures import alternatives  # noqa: E402
from rival_tables import RIVALS  # noqa: E402
from tag_meter import FULL, QUICK, Measured, Meter  # noqa: E402
from tag_plots import lines  # noqa: E402
from tagger_figure import tagger  # noqa: E402
from wire_figures import join_wire, tagger_wire  # noqa: E402
from wire_rates import rates  # noqa: E402

PICTURES = HERE.parent / "docs" / "pictures"
TAGGER, TAGGER_WIRE = "figure 11", "figure 11, on the wire"
RATES, SINGLE_RATES = "figure 12, 50 tuples a tag", "figure 12, none shared"
SHARED, SINGLE = "figure 13, 50 tuples a tag", "figure 13, none shared"
TAG_JOIN, NESTED = "figure 14", "nested loop"
AWARE, AWARE_WIRE = "figure 15", "figure 15, on the wire"
RATE = "rate ÷ best rival"
_WIDEST = 8
"""Columns of a table that has a row for each share."""
FIGURES = {
    TAGGER: tagger,
    TAGGER_WIRE: tagger_wire,
    RATES: lambda meter: rates(meter, 50),
    SINGLE_RATES: lambda meter: rates(meter, 1),
    SHARED: lambda meter: alternatives(meter, 50),
    SINGLE: lambda meter: alternatives(meter, 1),
    TAG_JOIN: tag_join,
    NESTED: nested,
    AWARE: aware_join,
    AWARE_WIRE: join_wire,
}


def measure(quick: bool, figures: tuple[str, ...] = tuple(FIGURES)) -> dict[str, Any]:
    """All figures, or some."""
    size = QUICK if quick else FULL
    session = prepared(own_session("2g", 2))
    with tempfile.TemporaryDirectory(prefix="millstream-bench-") as folder:
        try:
            facts = measured(Meter(session, Path(folder), size), figures)
        finally:
            session.stop()
    if not quick:
        _draw(facts)
    return facts


def measured(meter: Meter, figures: tuple[str, ...]) -> dict[str, Any]:
    """Some figures, and what is held of what they are to hold."""
    found = {name: _figure(name, meter) for name in figures}
    sizes = {"tuples": meter.size.tuples, "joined": meter.size.joined}
    return {**sizes, **found, "targets": _targets(found)}


def _figure(name: str, meter: Meter) -> list[Measured]:
    """A figure, which is shown at once, as all of them take long."""
    rows = FIGURES[name](meter)
    Console(stderr=True).print(_table(name, rows))
    return rows


def _targets(found: dict[str, list[Measured]]) -> list[dict[str, Any]]:
    """What is to be held, and what was measured."""
    return [
        {"target": name, "measured": value, "bound": bound, "held": held}
        for name, value, bound, held in _bounds(found)
    ]


def _bounds(found: dict[str, list[Measured]]) -> Iterator[tuple[str, float, float, bool]]:
    def at(figure: str, name: str, low: float = 0.0, high: float = 1.0) -> list[float]:
        rows = found.get(figure, [])
        return [row[name] for row in rows if low <= row["share"] <= high]

    def most(name: str, values: list[float], bound: float) -> Iterator[Any]:
        if values:
            yield name, max(values), bound, max(values) <= bound

    def least(name: str, values: list[float], bound: float) -> Iterator[Any]:
        if values:
            yield name, min(values), bound, min(values) >= bound

    yield from most("tagger ÷ selection at 100 %", at(TAGGER, "tagger ÷ selection", 1.0), 1.15)
    yield from least("rate ÷ best rival, 50 tuples a tag", at(RATES, RATE), 1.5)
    yield from least("rate ÷ best rival, none shared", at(SINGLE_RATES, RATE), 0.95)
    for kind in KINDS:
        for said in ("", " with all that tags say"):
            name = f"{kind}{said} ÷ best rival"
            yield from most(f"{name}, shared", at(SHARED, name), 0.2)
            yield from most(f"{name}, none shared", at(SINGLE, name), 0.2)
    yield from most("tag join at 100 % ÷ at 20 %", at(TAG_JOIN, "÷ at 20 %", 1.0), 1.25)
    yield from least("nested loop ÷ tag join by keys", at(NESTED, "nested loop ÷ by keys"), 20)
    same = [float(row["same plan"]) for row in found.get(AWARE, []) if not row["share"]]
    yield from least("tag-aware join at 0 %: the same plan", same, 1)
    ratio = "with tags ÷ without"
    yield from most("tag-aware join ÷ join at 20–80 %", at(AWARE, ratio, 0.1, 0.9), 1.10)
    yield from most("tag-aware join ÷ join at 100 %", at(AWARE, ratio, 1.0), 1.15)


def table(facts: dict[str, Any]) -> Group:
    """One table a figure, and one of what is to be held, if anything is."""
    named = [name for name in (*FIGURES, "targets") if facts.get(name)]
    return Group(*(_table(name, facts[name]) for name in named))


def _table(name: str, rows: list[Measured]) -> Table:
    """A row for each share; where much was measured, a column for each, which fits a terminal."""
    shown = Table(title=name)
    lines = [list(rows[0]), *([_shown(*each) for each in row.items()] for row in rows)]
    if len(rows[0]) > _WIDEST:
        lines = [list(each) for each in zip(*lines, strict=True)]
    for column in lines[0]:
        shown.add_column(column)
    for line in lines[1:]:
        shown.add_row(*line)
    return shown


def _shown(column: str, value: Any) -> str:
    if column == "share":
        return f"{value:.0%}"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _draw(found: dict[str, Any]) -> None:
    """Write the figures as pictures."""
    PICTURES.mkdir(exist_ok=True)
    for file, title, unit, figure, columns in _pictures():
        if figure in found:
            series = {
                name: [(row["share"], row[column]) for row in found[figure]]
                for name, column in columns.items()
            }
            (PICTURES / f"tags-{file}.svg").write_text(lines(title, unit, series))


def _pictures() -> Iterator[tuple[str, str, str, str, dict[str, str]]]:
    names = ("TICK-TAG", *RIVALS)
    yield (
        *("figure-11", "Figure 11: the tagger", "seconds", TAGGER),
        {"tagger": "seconds", "selection": "selection s"},
    )
    yield (
        *("figure-12", "Figure 12: selecting tags", "seconds, 50 tuples a tag", RATES),
        {name: f"{name} s" for name in names},
    )
    yield (
        *("figure-13", "Figure 13: what tags take", "bytes, 50 tuples a tag", SHARED),
        {name: f"{name} bytes" for name in names},
    )
    yield ("figure-14", "Figure 14: the tag join", "seconds", TAG_JOIN, {"tag join": "seconds"})
    yield (
        *("figure-15", "Figure 15: the tag-aware join", "÷ the join without tags", AWARE),
        {"with tags ÷ without": "with tags ÷ without"},
    )
