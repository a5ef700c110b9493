"""Which engine answers a query over histories, and how it does."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from millstream.cli.door import open_mill
from millstream.history.evaluation import Evaluator
from millstream.history.filler_store import FillerStore
from millstream.history.filler_tables import placed_tables
from millstream.languages.xquery.translation import Strategy, translate
from millstream.model.tag_structure import TagStructure

Engine = Literal["auto", "spark", "saxon"]
EngineOption = Annotated[
    Engine,
    typer.Option(
        "--engine",
        help="What answers a query over histories: SaxonC in this process, or Spark. "
        "By default SaxonC if there is little to read.",
    ),
]

SMALL_BYTES = 24 * 1024 * 1024
"""Up to here SaxonC has answered most queries before Spark has started."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a query gave, and which way."""

    items: list[str]
    now: datetime
    engine: str
    fallback: str | None = None
    """Why Spark had SaxonC answer the query as a whole, if it did."""


def chosen_engine(engine: Engine, size: int) -> Literal["spark", "saxon"]:
    """The engine for so many bytes of fillers."""
    if engine != "auto":
        return engine
    return "saxon" if size <= SMALL_BYTES else "spark"


def answer_by_saxon(
    text: str, strategy: Strategy, stores: Mapping[str, FillerStore], now: datetime | None
) -> Answered:
    """The answer of SaxonC in this process."""
    translation = translate(text, _structures(stores), strategy)
    evaluator = Evaluator(stores)
    return Answered(evaluator.run(translation.text, now), now or evaluator.now, "saxon")


def answer_by_spark(
    text: str, strategy: Strategy, stores: Mapping[str, FillerStore], now: datetime | None
) -> Answered:
    """The answer of Spark, over tables of the fillers."""
    # Spark takes long to import, and is not always needed.
    from millstream.runtime.history.asking import SparkHistories
    from millstream.runtime.history.placed_stream import place_in_folder

    with open_mill(None) as mill, tempfile.TemporaryDirectory(prefix="millstream-") as folder:
        placed = {
            name: place_in_folder(mill.session, name, store, Path(folder) / str(number))
            for number, (name, store) in enumerate(stores.items())
        }
        histories = SparkHistories(mill.session, placed)
        route = histories.route(text, strategy)
        items = histories.run(route, now)
        return Answered(items, now or histories.now, "spark", route.reason)


def explanation(text: str, strategy: Strategy, stores: Mapping[str, FillerStore]) -> dict[str, Any]:
    """How Spark would answer a query: nothing runs."""
    from millstream.runtime.history.asking import Routes
    from millstream.runtime.history.placed_stream import describe

    placed = {name: describe(name, store, placed_tables(store)) for name, store in stores.items()}
    return Routes(placed).route(text, strategy).explanation(_structures(stores))


def _structures(stores: Mapping[str, FillerStore]) -> dict[str, TagStructure]:
    return {name: store.structure for name, store in stores.items()}
