"""Where words go: data to stdout, everything about it to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType

UNBOUNDED_WIDTH = 10_000
"""The width of a table that no terminal shows, so that nothing of it is cut."""


def err_console() -> Console:
    """The console of progress, notes and errors."""
    return Console(stderr=True, highlight=False)


def say(text: str) -> None:
    """Tell the person who runs the command something that is not data."""
    print(text, file=sys.stderr, flush=True)


def emit(text: str) -> None:
    """Write a line of data."""
    sys.stdout.write(text + "\n")


def emit_json(facts: Mapping[str, Any]) -> None:
    """Write the one JSON object of a command that reports."""
    emit(json.dumps(facts, ensure_ascii=False, default=_plain))


def show(renderable: RenderableType) -> None:
    """Draw a table or a panel as data."""
    width = None if sys.stdout.isatty() else UNBOUNDED_WIDTH
    Console(width=width, highlight=False).print(renderable, crop=False, soft_wrap=False)


def _plain(value: object) -> object:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, Path):
        return str(value)
    return str(value)
