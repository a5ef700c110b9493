"""millstream translate"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from millstream.cli.arguments import JsonOption, StrategyOption, TextArgument, query_text
from millstream.cli.console import emit, emit_json
from millstream.cli.functions import FunctionsOption, register_files
from millstream.cli.history_arguments import structure_of
from millstream.cli.stream_request import pairs

DEFAULT_STRATEGY = "qac+"

StructuresOption = Annotated[
    list[str],
    typer.Option("--schema", metavar="NAME=STRUCTURE", help="The tag structure of a stream."),
]


def translate(
    text: TextArgument,
    schema: StructuresOption,
    strategy: StrategyOption = None,
    functions: FunctionsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print a query over histories as plain XQuery over fillers."""
    register_files(functions)
    from millstream.languages.xquery.translation import Strategy
    from millstream.languages.xquery.translation import translate as translated

    files = pairs("--schema", schema)
    structures = {name: structure_of(Path(file)) for name, file in files.items()}
    found = translated(query_text(text), structures, Strategy(strategy or DEFAULT_STRATEGY))
    if as_json:
        emit_json(
            {
                "strategy": found.strategy.value,
                "streams": list(found.streams),
                "prolog": found.prolog,
                "query": found.query,
                "xquery": found.text,
            }
        )
    else:
        emit(found.text.rstrip("\n"))
