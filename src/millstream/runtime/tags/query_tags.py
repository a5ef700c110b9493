"""Tags that queries attach, as elements that stand before the tuples they are on.

Tuples that follow one another and get the same tag share it: one tag names the run. So the number
of tags is that of runs, not of tuples.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from millstream.algebra.tag_operators import Attach
from millstream.model.names import is_name
from millstream.model.tags import (
    Applicability,
    Mode,
    NamePattern,
    ObjectName,
    default_classifier,
)
from millstream.runtime.tags.intake.tag_rows import ELEMENT_FIELDS

LONGEST_RUN = 64
"""Tuples that may share a tag: its pattern names them all."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A tuple that gets a tag."""

    position: int
    time: int
    id: str | None
    choice: int


def query_tags(
    attach: Attach,
    chosen: Sequence[Chosen],
    places: dict[int, int],
    cuts: Iterable[int],
    *,
    named: bool,
) -> pa.Table:
    """The elements of a tagger for the tuples that it has chosen, in order.

    `places` numbers the tuples of the batch by their positions, `cuts` are positions of other
    tags, behind which a new run begins. Tags are shared where tuples are named by ids.
    """
    shared = named and attach.lifespan is None and attach.mode is Mode.COMBINE
    cutting = sorted(cuts)
    runs = _runs(chosen, places, cutting) if shared else ([each] for each in chosen)
    return pa.Table.from_pylist([_row(attach, run) for run in runs], schema=ELEMENT_FIELDS)


def _runs(
    chosen: Sequence[Chosen], places: dict[int, int], cuts: Sequence[int]
) -> Iterator[list[Chosen]]:
    """Tuples that follow one another and get the same content."""
    run: list[Chosen] = []
    upcoming = iter([*cuts, None])
    cut = next(upcoming)
    for each in chosen:
        passed = False
        while cut is not None and cut < each.position:
            passed, cut = True, next(upcoming)
        if run and (passed or not _continues(run, each, places)):
            yield run
            run = []
        run.append(each)
    if run:
        yield run


def _continues(run: Sequence[Chosen], each: Chosen, places: dict[int, int]) -> bool:
    last = run[-1]
    return (
        len(run) < LONGEST_RUN
        and places[each.position] == places[last.position] + 1
        and each.choice == last.choice
        and each.time >= run[0].time
        and all(one.id is not None and _is_plain(one.id) for one in (last, each))
    )


def _is_plain(id: str) -> bool:
    """True for an id that is a pattern of itself alone."""
    return is_name(f"x{id}") and "." not in id


def _row(attach: Attach, run: Sequence[Chosen]) -> dict[str, Any]:
    first = run[0]
    content = attach.contents[first.choice]
    objects = (ObjectName(attach.attribute, attach.of_value),) if attach.attribute else ()
    names = "*" if len(run) == 1 else "|".join(dict.fromkeys(str(each.id) for each in run))
    applicability = Applicability(tuples=NamePattern(names), objects=objects)
    return {
        "position": first.position - 1,
        "tagger": attach.tagger,
        "applicability": str(applicability),
        "content": content,
        "type": default_classifier()(content).value,
        "sign": attach.sign.value,
        "lifespan": attach.lifespan,
        "mode": attach.mode.name,
        "time": first.time,
    }
