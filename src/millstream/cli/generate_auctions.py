"""millstream generate auctions"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from millstream.cli.arguments import JsonOption
from millstream.cli.console import emit_json, say
from millstream.cli.history_arguments import shown_count
from millstream.errors import StateError
from millstream.model.lifespan import format_instant

if TYPE_CHECKING:
    from millstream.generators.auction_market import Market

DOCUMENT = "document.xml"
DTD = "auctions.dtd"


def auctions(
    factor: Annotated[
        float, typer.Option("--factor", min=0, max=100, help="The size: 1 is 116 MB.")
    ],
    out: Annotated[Path, typer.Option("--out", help="A file, or with --instants a folder.")],
    seed: Annotated[int, typer.Option("--seed", help="Equal seeds give equal sites.")] = 0,
    instants: Annotated[
        int | None,
        typer.Option("--instants", min=0, help="Write a history: fillers, and a snapshot of each."),
    ] = None,
    gzip: Annotated[bool, typer.Option("--gzip", help="Compress the document.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Write an auction site in the shape of XMark, or the history of one."""
    from millstream.generators.auction_market import Market

    market = Market(factor, seed)
    started = time.monotonic()
    try:
        if instants is None:
            facts = _write_document(market, out, gzip)
        else:
            facts = _write_history(market, out, instants)
    except OSError as error:
        raise StateError(f"cannot write '{error.filename or out}': {error.strerror}") from None
    facts["seconds"] = round(time.monotonic() - started, 3)
    say(", ".join(f"{name} {value}" for name, value in facts.items() if name != "files"))
    if as_json:
        emit_json(facts)


def _write_document(market: Market, out: Path, gzip: bool) -> dict[str, Any]:
    from millstream.generators.auctions import write

    with shown_count("auctions", "pieces") as progress:
        size = write(out, market.factor, seed=market.seed, gzip=gzip, progress=progress)
    return {"bytes": size, "items": market.items, "people": market.people, "files": [str(out)]}


def _write_history(market: Market, out: Path, instants: int) -> dict[str, Any]:
    from millstream.generators.auction_history import moments
    from millstream.generators.auction_structure import AUCTIONS_DTD, auction_structure
    from millstream.history.filler_files import FILE_PREFIX, STRUCTURE_FILE, make_folder, write_file
    from millstream.model.tag_structure_text import tag_structure_text

    make_folder(out)
    files, fillers = [], 0
    for number, moment in enumerate(moments(market, instants)):
        path = out / f"{FILE_PREFIX}-{number:05}.xml"
        write_file(path, moment.fillers)
        name = format_instant(moment.at).replace(":", "")
        (out / f"snapshot-{name}.xml").write_text(moment.document, encoding="utf-8")
        if number == 0:
            (out / DOCUMENT).write_text(moment.document, encoding="utf-8")
        files.append(str(path))
        fillers += len(moment.fillers)
    structure = tag_structure_text(auction_structure())
    (out / STRUCTURE_FILE).write_text(structure, encoding="utf-8")
    (out / DTD).write_text(AUCTIONS_DTD, encoding="utf-8")
    return {"fillers": fillers, "instants": instants, "files": files}
