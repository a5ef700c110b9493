"""millstream serve"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from millstream.cli.console import emit_json, say
from millstream.cli.door import open_mill
from millstream.cli.run import installed

if TYPE_CHECKING:
    from millstream.mill import Mill
    from millstream.service.access import Access
    from millstream.service.server import Place

HostOption = Annotated[str, typer.Option("--host", help="Where to listen.")]
PortOption = Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes any free one.")]
TokensOption = Annotated[
    Path | None,
    typer.Option("--tokens", metavar="FILE", help="Who may use it; needed to listen elsewhere."),
]
SourceOption = Annotated[
    list[str] | None,
    typer.Option(
        "--source",
        metavar="FOLDER|URL",
        help="Below which streams may be made over HTTP; the current folder unless told otherwise.",
    ),
]
CertificateOption = Annotated[
    Path | None, typer.Option("--certificate", metavar="FILE", help="For HTTPS, with --key.")
]
KeyOption = Annotated[Path | None, typer.Option("--key", metavar="FILE")]
JsonOption = Annotated[bool, typer.Option("--json", help="Tell the address as a JSON object.")]


def serve(
    place: Annotated[
        Path, typer.Argument(metavar="SPACE|FILE", help="A space, new or not, or a run file.")
    ],
    host: HostOption = "127.0.0.1",
    port: PortOption = 8090,
    tokens: TokensOption = None,
    source: SourceOption = None,
    certificate: CertificateOption = None,
    key: KeyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Serve a space over HTTP: streams, subscriptions, results as they come."""
    from millstream.service.server import Place

    if (certificate is None) != (key is None):
        raise typer.BadParameter("--certificate and --key go together")
    access = _access(tokens)
    there = Place(host, port, certificate, key)
    with _opened(place) as mill:
        serve_mill(mill, there, str(place), access, source, as_json=as_json)
    say("stopped; the next run goes on from the last committed step")


def serve_mill(
    mill: Mill,
    there: Place,
    title: str,
    access: Access | None = None,
    source: list[str] | None = None,
    *,
    as_json: bool = False,
    opened: Callable[[str], None] | None = None,
) -> None:
    """Serve a mill until a signal ends it; its address is told, and given to `opened`."""
    from millstream.service.access import Access
    from millstream.service.context import Service
    from millstream.service.running import RunningMill
    from millstream.service.server import check_place, listening, serve
    from millstream.service.sources import Sources

    sources = Sources(source or [str(Path.cwd())])
    service = Service(RunningMill(mill), access or Access(), sources)
    check_place(service, there)
    listener = listening(there)
    address = f"{there.scheme}://{there.host}:{listener.getsockname()[1]}"
    say(f"serving {title} at {address}")
    if as_json:
        emit_json({"address": address})
        typer.get_text_stream("stdout").flush()
    if opened is not None:
        opened(address)
    serve(service, there, listener)


def token(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whose it is.")],
    right: Annotated[
        list[str] | None, typer.Option("--right", metavar="create|operate", help="What they may.")
    ] = None,
) -> None:
    """Make a token: its entry for a tokens file on stdout, the token itself on stderr."""
    from millstream.service.access import Right, digest, new_token
    from millstream.service.tokens import entry, valid_name

    known = [each.value for each in Right]
    for each in right or ():
        if each not in known:
            raise typer.BadParameter(f"'{each}' is no right; known: {', '.join(known)}")
    made = new_token()
    typer.echo(entry(valid_name(name), digest(made), tuple(right or ())), nl=False)
    say(f"the token of {name}, told this once: {made}")


def _access(tokens: Path | None) -> Access:
    from millstream.service.access import Access
    from millstream.service.tokens import read_tokens

    return Access() if tokens is None else read_tokens(tokens)


@contextmanager
def _opened(place: Path) -> Iterator[Mill]:
    """The mill of a space, or one with all that a file asks for."""
    if place.is_file():
        with installed(place, None) as mill:
            yield mill
        return
    with open_mill(place) as mill:
        yield mill
