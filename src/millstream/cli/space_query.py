"""Queries that are answered once from a space: of its histories, and of what is live in it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from millstream.cli.console import emit, emit_json, say
from millstream.cli.door import existing_space
from millstream.cli.formats import write_results
from millstream.cli.history_engine import Engine
from millstream.cli.translate import DEFAULT_STRATEGY
from millstream.model.lifespan import format_instant
from millstream.model.tags.vocabulary import tag_vocabulary

if TYPE_CHECKING:
    from millstream.mill import Answer, LiveAnswer


def answer_from_histories(
    space: Path,
    text: str,
    strategy: str | None,
    now: datetime | None,
    format: str,
    as_json: bool,
    engine: Engine = "auto",
) -> None:
    """Answer a query once from the histories of a space, and print the result."""
    with existing_space(space) as mill:
        named = "saxonc" if engine == "saxon" else engine
        answer = mill.query(text, now, strategy=strategy or DEFAULT_STRATEGY, engine=named)
    if as_json:
        _emit_facts(answer)
    else:
        write_results("", answer.items, "", format)
    how = f"by {answer.strategy} on {answer.engine}"
    say(f"{len(answer.items):,} results {how} in {answer.seconds:.1f} s")


def answer_from_live(
    space: Path,
    text: str,
    strategy: str | None,
    now: datetime | None,
    thesaurus: Path | None,
    format: str,
    as_json: bool,
) -> None:
    """Answer a SELECT once from what is live in the streams of a space, and print the result."""
    if now is not None or strategy is not None:
        raise typer.BadParameter("what is live now has no --now and no --strategy")
    with existing_space(space, vocabulary=tag_vocabulary(thesaurus)) as mill:
        answer = mill.select(text)
    if as_json:
        _emit_facts(answer)
    elif format == "json":
        for line in answer.wire("json"):
            emit(line)
    else:
        write_results("", answer.items, "", format)
    say(f"{len(answer.items):,} results at {answer.now} in {answer.seconds:.1f} s")


def _emit_facts(answer: Answer | LiveAnswer) -> None:
    now = answer.now
    emit_json(
        {
            "opening": "",
            "items": list(answer.items),
            "closing": "",
            "strategy": answer.strategy,
            "engine": answer.engine,
            "now": format_instant(now) if isinstance(now, datetime) else now,
            "run": {"results": len(answer.items), "seconds": round(answer.seconds, 3)},
        }
    )
