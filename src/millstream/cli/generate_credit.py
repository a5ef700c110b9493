"""millstream generate credit"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from millstream.cli.arguments import JsonOption
from millstream.cli.console import emit_json, say
from millstream.errors import StateError

DOCUMENT = "document.xml"


def credit(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder for the fillers.")],
    accounts: Annotated[int, typer.Option("--accounts", min=1, help="How many accounts.")] = 100,
    transactions: Annotated[
        int, typer.Option("--transactions", min=0, help="How many charges.")
    ] = 1_000,
    seed: Annotated[int, typer.Option("--seed", help="Equal seeds give equal accounts.")] = 0,
    example: Annotated[
        bool, typer.Option("--example", help="The account of John Smith, and nothing else.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Write the history of credit accounts: a document, and the fillers of what happens."""
    from millstream.generators.credit import (
        CREDIT_STRUCTURE,
        Bank,
        document,
        example_fillers,
        fillers,
    )
    from millstream.history.filler_files import STRUCTURE_FILE, write_fillers

    bank = Bank(accounts, transactions, seed)
    started = time.monotonic()
    try:
        files = write_fillers(out, example_fillers() if example else fillers(bank))
        (out / STRUCTURE_FILE).write_text(CREDIT_STRUCTURE, encoding="utf-8")
        if not example:
            (out / DOCUMENT).write_text(document(bank), encoding="utf-8")
    except OSError as error:
        raise StateError(f"cannot write '{error.filename or out}': {error.strerror}") from None
    seconds = time.monotonic() - started
    say(f"fillers in {len(files)} files under {out}, {seconds:.1f} s")
    if as_json:
        paths = [str(path) for path in files]
        emit_json({"files": paths, "accounts": accounts, "seconds": round(seconds, 3)})
