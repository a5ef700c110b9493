"""Queries over histories: the streams of a command that have tag structures, and their answers."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from glob import glob
from pathlib import Path
from typing import Any

import typer

from millstream.cli.console import emit, emit_json, say
from millstream.cli.formats import write_results
from millstream.cli.history_arguments import listed, shown_count, tell_quarantine
from millstream.cli.history_engine import (
    Answered,
    Engine,
    answer_by_saxon,
    answer_by_spark,
    chosen_engine,
    explanation,
)
from millstream.cli.stream_request import StreamRequest
from millstream.cli.translate import DEFAULT_STRATEGY
from millstream.errors import UnsupportedError
from millstream.history.filler_files import STRUCTURE_FILE, filler_files
from millstream.history.history import History, gather
from millstream.languages.xquery.translation import Strategy, Translation, translate
from millstream.model.lifespan import format_instant
from millstream.model.reading import is_tag_structure, read_structure
from millstream.model.tag_structure import TagStructure

_OF_A_HISTORY = ("name", "source", "schema", "finite")


@dataclass(frozen=True, slots=True)
class Histories:
    """Streams whose schemas are tag structures."""

    sources: Mapping[str, str]
    structures: Mapping[str, TagStructure]

    def answer(
        self,
        text: str,
        strategy: str | None,
        now: datetime | None,
        format: str,
        as_json: bool,
        engine: Engine = "auto",
    ) -> None:
        """Answer a query once, and print the result."""
        started = time.monotonic()
        chosen = Strategy(strategy or DEFAULT_STRATEGY)
        translation = translate(text, self.structures, chosen)
        histories = self._read(translation)
        stores = {name: each.store for name, each in histories.items()}
        by_spark = chosen_engine(engine, self._size(histories)) == "spark"
        answered = (answer_by_spark if by_spark else answer_by_saxon)(text, chosen, stores, now)
        seconds = time.monotonic() - started
        if as_json:
            emit_json(_facts(answered, translation, histories, seconds))
        else:
            write_results("", answered.items, "", format)
        for name, history in histories.items():
            if history.quarantine:
                say(f"{name}:")
                tell_quarantine(history.quarantine)
        if answered.fallback:
            say(f"answered by SaxonC as a whole, on Spark: {answered.fallback}")
        how = f"by {translation.strategy.value} on {answered.engine}"
        say(f"{len(answered.items):,} results {how} in {seconds:.1f} s")

    def explain(self, text: str, strategy: str | None, engine: Engine, as_json: bool) -> None:
        """Show how a query would be answered; nothing is answered."""
        chosen = Strategy(strategy or DEFAULT_STRATEGY)
        translation = translate(text, self.structures, chosen)
        histories = self._read(translation)
        stores = {name: each.store for name, each in histories.items()}
        runs = chosen_engine(engine, self._size(histories))
        facts = explanation(text, chosen, stores)
        facts["runs"] = runs
        facts["translation"] = translation.query
        if as_json:
            emit_json(facts)
            return
        emit("\n\n".join(_explained(facts)))

    def _size(self, names: Iterable[str]) -> int:
        return sum(file.stat().st_size for name in names for file in _files(self.sources[name]))

    def _read(self, translation: Translation) -> dict[str, History]:
        names = translation.streams or tuple(self.sources)
        with shown_count("query") as progress:
            return {
                name: gather(_files(self.sources[name]), self.structures[name], progress=progress)
                for name in names
            }


def histories_of(requests: Sequence[StreamRequest]) -> Histories | None:
    """The histories that a query reads; None if all its streams are of items."""
    found = {each.name: structure for each in requests if (structure := _structure(each))}
    if not found:
        return None
    if len(found) < len(requests):
        others = ", ".join(each.name for each in requests if each.name not in found)
        raise UnsupportedError(
            f"a query over histories ({', '.join(found)}) and streams of items ({others}) "
            "is not supported",
            code="mixed-streams",
            help="ask them one after the other",
        )
    for request in requests:
        _refuse_item_options(request)
    return Histories({each.name: each.source for each in requests}, found)


def _structure(request: StreamRequest) -> TagStructure | None:
    """The tag structure of a stream: its schema, or what stands beside its fillers."""
    folder = Path(request.source)
    file = Path(request.schema) if request.schema else folder / STRUCTURE_FILE
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        # Whoever reads streams of items says what is wrong with their schemas.
        return None
    return read_structure(text) if is_tag_structure(text) else None


def _refuse_item_options(request: StreamRequest) -> None:
    for each in fields(request):
        if each.name not in _OF_A_HISTORY and getattr(request, each.name) not in (None, {}):
            raise typer.BadParameter(
                f"'{request.name}' is a history, which has no {each.name.replace('_', ' ')}"
            )


def _files(source: str) -> tuple[Path, ...]:
    path = Path(source)
    return filler_files(path) if path.exists() else tuple(map(Path, sorted(glob(source))))


def _facts(
    answered: Answered,
    translation: Translation,
    histories: Mapping[str, History],
    seconds: float,
) -> dict[str, Any]:
    return {
        "opening": "",
        "items": answered.items,
        "closing": "",
        "strategy": translation.strategy.value,
        "engine": answered.engine,
        "fallback": answered.fallback,
        "now": format_instant(answered.now),
        "streams": {name: _stream_facts(history) for name, history in histories.items()},
        "run": {"results": len(answered.items), "seconds": round(seconds, 3)},
    }


def _explained(facts: Mapping[str, Any]) -> Iterator[str]:
    """The parts of an explanation as people read them."""
    if facts["runs"] == "saxon":
        yield (
            "engine\nSaxonC in this process, as there is little to read: it runs the translation."
            f"\n\ntranslation\n{facts['translation'].strip()}\n\n"
            "With --engine spark, this would run:"
        )
    yield f"algebra\n{facts['algebra']}"
    yield "reads\n" + "\n".join(
        f"{view}: {', '.join(columns)}" for view, columns in facts["reads"].items()
    )
    if facts["view"]:
        views = (f"{name}:\n{sql}" for name, sql in facts["view"].items())
        yield "view\n" + "\n".join((f"{facts['engine']}.", *views))
    if facts["reason"]:
        yield f"fallback\n{facts['engine']}: {facts['reason']}"
    yield f"sql\n{facts['sql']}"


def _stream_facts(history: History) -> dict[str, Any]:
    return {**history.facts(), "quarantine": listed(history.quarantine)}
