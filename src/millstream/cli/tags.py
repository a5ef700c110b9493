"""millstream tags"""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Annotated, Any

import typer
from rich.table import Table

from millstream.cli.arguments import JsonOption, SpaceArgument
from millstream.cli.console import emit_json, say, show
from millstream.cli.door import existing_space

tags = typer.Typer(help="Attach tags to the streams of a space, and read them.")

StreamArgument = Annotated[str, typer.Argument(metavar="STREAM", help="The stream's name.")]


@tags.callback()
def kinds() -> None:
    """Attach tags to the streams of a space, and read them."""


@tags.command()
def attach(
    space: SpaceArgument,
    stream: StreamArgument,
    content: Annotated[str, typer.Argument(help="What the tag says; empty to retract.")],
    tagger: Annotated[str, typer.Option("--tagger", help="Who attaches it.")],
    applicability: Annotated[
        str | None,
        typer.Option("--on", metavar="STREAMS,TUPLES,{OBJECTS}", help="The next tuple if not set."),
    ] = None,
    sign: Annotated[str | None, typer.Option("--sign", help="+ or -; else neutral.")] = None,
    lifespan: Annotated[
        str | None, typer.Option("--lifespan", help="Such as '30 min'; else Instant.")
    ] = None,
    mode: Annotated[str | None, typer.Option("--mode", help="Overwrite; else Combine.")] = None,
    kind: Annotated[
        str | None, typer.Option("--type", help="One of the five types; else told by the content.")
    ] = None,
    time: Annotated[
        str | None, typer.Option("--time", help="When; else what the stream has reached.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Attach a tag; it enters the stream with its next step."""
    given = {
        "applicability": applicability,
        "sign": sign,
        "lifespan": lifespan,
        "mode": mode,
        "type": kind,
        "time": time,
    }
    with existing_space(space) as mill:
        chosen: Any = {name: text for name, text in given.items() if text is not None}
        tag = mill.attach(stream, content, tagger=tagger, **chosen)
    if as_json:
        emit_json({"stream": stream, "tagger": tag.tagger, "on": tag.applicability})
    say(f"'{content}' waits for the next step of stream '{stream}'")


@tags.command()
def live(space: SpaceArgument, stream: StreamArgument, as_json: JsonOption = False) -> None:
    """List the tags that can be on the next tuple, and those that wait for the next step."""
    with existing_space(space) as mill:
        found = mill.tags(stream).live()
    _told("tags", found, as_json)


@tags.command()
def opinion(
    space: SpaceArgument,
    stream: StreamArgument,
    tuple_id: Annotated[
        str | None, typer.Option("--tuple", metavar="ID", help="Of one tuple only.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Count the signs of the tags on each object."""
    with existing_space(space) as mill:
        found = mill.tags(stream).opinion(tuple_id)
    _told("opinion", found, as_json)


@tags.command()
def cloud(
    space: SpaceArgument,
    stream: StreamArgument,
    most: Annotated[int | None, typer.Option("--most", min=1, help="So many contents.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show the contents of all tags, the most frequent first."""
    with existing_space(space) as mill:
        found = mill.tags(stream).cloud(most)
    _told("cloud", found, as_json)


@tags.command()
def distribution(
    space: SpaceArgument,
    stream: StreamArgument,
    every: Annotated[str, typer.Option("--every", help="The length of a stretch.")] = "1 min",
    as_json: JsonOption = False,
) -> None:
    """Count the tags of each content in each stretch of time."""
    with existing_space(space) as mill:
        found = mill.tags(stream).distribution(every)
    _told("distribution", found, as_json)


@tags.command()
def taggers(space: SpaceArgument, stream: StreamArgument, as_json: JsonOption = False) -> None:
    """Tell who has tagged what."""
    with existing_space(space) as mill:
        found = mill.tags(stream).taggers()
    _told("taggers", found, as_json)


def _told(name: str, found: list[Any], as_json: bool) -> None:
    rows = [asdict(each) for each in found]
    if as_json:
        emit_json({name: rows})
        return
    table = Table()
    for column in [each.name for each in fields(found[0])] if found else [name]:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*("" if value is None else str(value) for value in row.values()))
    show(table)
