"""millstream version"""

from __future__ import annotations

from importlib.metadata import version as installed_version
from typing import Annotated

import typer

from millstream.cli.console import emit, emit_json


def version(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Print the versions of Millstream and of the engine below it."""
    facts = {name: installed_version(name) for name in ("millstream", "pyspark", "pyarrow")}
    if as_json:
        emit_json(facts)
    else:
        emit(" ".join(f"{name} {number}" for name, number in facts.items()))
