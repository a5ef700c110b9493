"""Queries over the histories that a space holds: those of its streams, and results of others."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from millstream.cli.console import emit_json, say
from millstream.cli.door import existing_space
from millstream.cli.formats import write_results
from millstream.cli.history_engine import Engine
from millstream.cli.translate import DEFAULT_STRATEGY
from millstream.model.lifespan import format_instant


def answer_from_space(
    space: Path,
    text: str,
    strategy: str | None,
    now: datetime | None,
    format: str,
    as_json: bool,
    engine: Engine = "auto",
) -> None:
    """Answer a query once from a space, and print the result."""
    with existing_space(space) as mill:
        named = "saxonc" if engine == "saxon" else engine
        answer = mill.query(text, now, strategy=strategy or DEFAULT_STRATEGY, engine=named)
    if as_json:
        emit_json(
            {
                "opening": "",
                "items": list(answer.items),
                "closing": "",
                "strategy": answer.strategy,
                "engine": answer.engine,
                "now": format_instant(answer.now),
                "run": {"results": len(answer.items), "seconds": round(answer.seconds, 3)},
            }
        )
    else:
        write_results("", answer.items, "", format)
    how = f"by {answer.strategy} on {answer.engine}"
    say(f"{len(answer.items):,} results {how} in {answer.seconds:.1f} s")
