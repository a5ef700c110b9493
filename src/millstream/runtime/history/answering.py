"""Queries over histories that are answered once, at any instant."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from millstream.history.evaluation import Evaluator
from millstream.history.filler_store import FillerStore
from millstream.languages.xquery.translation import Strategy, translate
from millstream.model.tag_structure import TagStructure
from millstream.runtime.history.histories import Histories


@dataclass(frozen=True, slots=True)
class Answer:
    """What a query gave."""

    items: tuple[str, ...]
    now: datetime
    strategy: str
    streams: tuple[str, ...]
    seconds: float


def answer(
    histories: Histories, text: str, *, now: datetime | None = None, strategy: str = "qac+"
) -> Answer:
    """The items that a query gives over the histories as they are."""
    started = time.monotonic()
    results = histories.result_stores(text)
    structures: Mapping[str, TagStructure] = {
        **histories.structures(),
        **{name: store.structure for name, store in results.items()},
    }
    translation = translate(text, structures, Strategy(strategy))
    names = translation.streams or tuple(structures)[:1]
    stores: dict[str, FillerStore] = {
        name: results[name] if name in results else histories.store(name) for name in names
    }
    evaluator = Evaluator(stores)
    items = evaluator.run(translation.text, now)
    seconds = time.monotonic() - started
    return Answer(tuple(items), now or evaluator.now, strategy, tuple(names), seconds)
