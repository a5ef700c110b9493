"""millstream generate patients, moving-objects and offers"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from millstream.cli.arguments import JsonOption
from millstream.cli.console import emit_json, say
from millstream.errors import QueryError, StateError

if TYPE_CHECKING:
    from millstream.model.tags import Element, StreamShape

OutOption = Annotated[
    Path,
    typer.Option(
        "--out", metavar="FILE", help="XML if its name ends in .xml, else JSON lines; also .gz."
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", help="Equal seeds give equal streams.")]
EmotionsOption = Annotated[
    float,
    typer.Option("--emotions", min=0, max=1, help="The share of tuples with an emotion on them."),
]


def patients(
    out: OutOption,
    count: Annotated[int, typer.Option("--count", min=0, help="Measurements and tags.")] = 1_000,
    people: Annotated[int, typer.Option("--patients", min=1, help="How many.")] = 20,
    emotions: EmotionsOption = 0.0,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Write what is measured of patients, and what they say they are doing."""
    from millstream.generators.tagged.patients import PATIENTS, Ward, patient_measurements

    found = patient_measurements(count, Ward(seed, people))
    _write(out, _felt(found, emotions, seed), PATIENTS, as_json)


def moving_objects(
    out: OutOption,
    count: Annotated[int, typer.Option("--count", min=0, help="How many reports.")] = 1_000,
    population: Annotated[
        int, typer.Option("--population", min=1, help="Objects on the roads at a time.")
    ] = 1_000,
    emotions: EmotionsOption = 0.2,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Write where cars, cyclists and pedestrians are, and what they feel."""
    from millstream.generators.tagged.moving_objects import MOVING_OBJECTS, Traffic
    from millstream.generators.tagged.moving_objects import moving_objects as reports

    found = reports(count, Traffic(seed, population))
    _write(out, _felt(found, emotions, seed), MOVING_OBJECTS, as_json)


def offers(
    out: OutOption,
    count: Annotated[int | None, typer.Option("--count", min=0, help="How many offers.")] = None,
    opinions: Annotated[
        float | None,
        typer.Option("--opinions", min=0, max=1, help="The share of opinions that are voiced."),
    ] = None,
    example: Annotated[
        bool, typer.Option("--example", help="One offer with all opinions of it.")
    ] = False,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Write offers of an auction house, with what bidders think of their parts."""
    from millstream.generators.tagged import auctions

    if example and (count is not None or opinions is not None):
        raise QueryError(
            "--example is one offer with all its opinions",
            help="leave out --count and --opinions, or --example",
        )
    house = auctions.AuctionHouse(seed, opinions=0.1 if opinions is None else opinions)
    some = auctions.auction_offers(1_000 if count is None else count, house)
    _write(out, auctions.offer_with_opinions() if example else some, auctions.AUCTION, as_json)


def _felt(elements: Iterable[Element], share: float, seed: int) -> Iterable[Element]:
    from millstream.generators.tagged.emotions import Moods, tag_with_emotions

    return tag_with_emotions(elements, Moods(seed, share))


def _write(out: Path, elements: Iterable[Element], shape: StreamShape, as_json: bool) -> None:
    from millstream.generators.tagged.writing import write_tagged

    try:
        count = write_tagged(out, elements, shape, gzip=out.suffix == ".gz")
    except OSError as error:
        raise StateError(f"cannot write '{error.filename or out}': {error.strerror}") from None
    say(f"{count:,} elements of {shape.name} in {out}")
    if as_json:
        emit_json({"stream": shape.name, "elements": count, "files": [str(out)]})
