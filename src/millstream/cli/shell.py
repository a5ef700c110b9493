"""millstream shell"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from millstream.cli.arguments import (
    ItemOption,
    KeyOption,
    OrderOption,
    SchemaOption,
    SetOption,
)
from millstream.cli.door import create_streams, open_mill
from millstream.cli.stream_request import StreamRequest, check_sources, stream_requests

if TYPE_CHECKING:
    from millstream.shell.backend import Backend

PlaceArgument = Annotated[
    str | None,
    typer.Argument(metavar="[SPACE|URL]", help="A space, or the address of a service."),
]
StreamsOption = Annotated[
    list[str] | None,
    typer.Option("--stream", metavar="NAME=PATH", help="A stream to make, if it is not there."),
]
CommandOption = Annotated[
    list[str] | None,
    typer.Option("--command", "-c", metavar="TEXT", help="Run this and leave; may be repeated."),
]
HistoryOption = Annotated[
    Path | None, typer.Option("--history", metavar="FILE", help="Where to keep what was typed.")
]
TokenOption = Annotated[
    str | None,
    typer.Option("--token", envvar="MILLSTREAM_TOKEN", help="For a service that asks for one."),
]


def shell(
    place: PlaceArgument = None,
    stream: StreamsOption = None,
    schema: SchemaOption = None,
    order: OrderOption = None,
    item: ItemOption = None,
    key: KeyOption = None,
    set_: SetOption = None,
    command: CommandOption = None,
    history: HistoryOption = None,
    token: TokenOption = None,
) -> int:
    """Ask a space or a service by hand, in all languages; or run what is piped in.

    Without a place, everything is forgotten at the end.
    """
    from millstream.shell.loop import default_history, run_prompt, run_script
    from millstream.shell.session import Session

    requests = stream_requests(
        stream or [], set_, schema=schema, order_by=order, item=item, key=key
    )
    check_sources(requests)
    served = place is not None and place.startswith(("http://", "https://"))
    if served and requests:
        raise typer.BadParameter("a service has its own streams; \\stream makes one there")
    backend = _service(str(place), token) if served else _opened(place, requests)
    try:
        session = Session(backend)
        if command:
            return run_script(session, (f"{each}\n\n" for each in command))
        if not sys.stdin.isatty():
            return run_script(session, sys.stdin)
        return run_prompt(session, history or default_history())
    finally:
        backend.close()


def _service(address: str, token: str | None) -> Backend:
    from millstream.shell.remote import RemoteMill
    from millstream.shell.wire import Wire

    return RemoteMill(Wire(address, token))


def _opened(place: str | None, requests: tuple[StreamRequest, ...]) -> Backend:
    from millstream.shell.local import LocalMill

    mill = open_mill(None if place is None else Path(place))
    create_streams(mill, (each for each in requests if each.name not in mill.streams))
    return LocalMill(mill, "a space that is not kept" if place is None else str(place))
