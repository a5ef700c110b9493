"""millstream generate packets, radars and roads"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from millstream.cli.arguments import JsonOption
from millstream.cli.console import emit_json, say
from millstream.errors import StateError

if TYPE_CHECKING:
    from millstream.generators.event_stream import Event, EventStream

OutOption = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="A folder, which gets one for each stream.")
]
SeedOption = Annotated[int, typer.Option("--seed", help="Equal seeds give equal events.")]


def packets(
    out: OutOption,
    connections: Annotated[int, typer.Option("--connections", min=0, help="How many.")] = 1_000,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Write two streams of TCP packets: SYN, and the ACK that some of them get."""
    from millstream.generators.packets import ACKS, START, SYNS, Backbone, acks, syns

    backbone = Backbone(connections, seed)
    _write(out, START, ((SYNS, syns(backbone)), (ACKS, acks(backbone))), as_json)


def radars(
    out: OutOption,
    vehicles: Annotated[int, typer.Option("--vehicles", min=0, help="How many.")] = 20,
    rounds: Annotated[int, typer.Option("--rounds", min=0, help="How often each is seen.")] = 10,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Write what two radars see of the same vehicles."""
    from millstream.generators.radars import RADARS, START, Airspace, events

    airspace = Airspace(vehicles, rounds, seed)
    streams = [(each, events(airspace, number)) for number, each in enumerate(RADARS)]
    _write(out, START, streams, as_json)


def roads(
    out: OutOption,
    vehicles: Annotated[int, typer.Option("--vehicles", min=0, help="How many.")] = 12,
    lights: Annotated[int, typer.Option("--lights", min=0, help="How many.")] = 5,
    ticks: Annotated[int, typer.Option("--ticks", min=0, help="How often all report.")] = 10,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Write what vehicles, road sensors and traffic lights report."""
    from millstream.generators import roads as made

    road = made.Road(vehicles, lights, ticks, seed)
    streams = (
        (made.VEHICLES, made.vehicle_events(road)),
        (made.SENSORS, made.sensor_events(road)),
        (made.LIGHTS, made.light_events(road)),
    )
    _write(out, made.START, streams, as_json)


def _write(
    out: Path,
    start: datetime,
    streams: Iterable[tuple[EventStream, Iterable[Event]]],
    as_json: bool,
) -> None:
    from millstream.history.filler_files import STRUCTURE_FILE, write_fillers
    from millstream.model.tag_structure_text import tag_structure_text

    files: dict[str, list[str]] = {}
    try:
        for stream, events in streams:
            written = write_fillers(out / stream.name, stream.fillers(events, start))
            structure = tag_structure_text(stream.structure())
            (out / stream.name / STRUCTURE_FILE).write_text(structure, encoding="utf-8")
            files[stream.name] = [str(path) for path in written]
    except OSError as error:
        raise StateError(f"cannot write '{error.filename or out}': {error.strerror}") from None
    say(f"{', '.join(files)} under {out}")
    if as_json:
        emit_json({"streams": files})
