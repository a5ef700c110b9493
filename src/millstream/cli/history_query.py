"""Queries over histories: the streams of a command that have tag structures, and their answers."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from glob import glob
from pathlib import Path
from typing import Any

import typer

from millstream.cli.console import emit_json, say
from millstream.cli.formats import write_results
from millstream.cli.history_arguments import listed, shown_count, tell_quarantine
from millstream.cli.stream_request import StreamRequest
from millstream.cli.translate import DEFAULT_STRATEGY
from millstream.errors import UnsupportedError
from millstream.history.evaluation import Evaluator
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
        self, text: str, strategy: str | None, now: datetime | None, format: str, as_json: bool
    ) -> None:
        """Answer a query once, and print the result."""
        started = time.monotonic()
        chosen = Strategy(strategy or DEFAULT_STRATEGY)
        translation = translate(text, self.structures, chosen)
        histories = self._read(translation)
        evaluator = Evaluator({name: each.store for name, each in histories.items()})
        items = evaluator.run(translation.text, now)
        seconds = time.monotonic() - started
        if as_json:
            emit_json(_facts(items, translation, histories, now or evaluator.now, seconds))
        else:
            write_results("", items, "", format)
        for name, history in histories.items():
            if history.quarantine:
                say(f"{name}:")
                tell_quarantine(history.quarantine)
        say(f"{len(items):,} results by {translation.strategy.value} in {seconds:.1f} s")

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
    items: list[str],
    translation: Translation,
    histories: Mapping[str, History],
    now: datetime,
    seconds: float,
) -> dict[str, Any]:
    return {
        "opening": "",
        "items": items,
        "closing": "",
        "strategy": translation.strategy.value,
        "now": format_instant(now),
        "streams": {name: _stream_facts(history) for name, history in histories.items()},
        "run": {"results": len(items), "seconds": round(seconds, 3)},
    }


def _stream_facts(history: History) -> dict[str, Any]:
    return {**history.facts(), "quarantine": listed(history.quarantine)}
