"""Opening a mill for a command: late, so that help is instant, and with what was inferred told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from millstream.cli.console import say
from millstream.cli.stream_request import StreamRequest
from millstream.errors import StateError, did_you_mean

if TYPE_CHECKING:
    from millstream.mill import Mill, Stream

Noun = TypeVar("Noun")


def open_mill(space: Path | None, **options: Any) -> Mill:
    """A mill in a space, or in a temporary one."""
    import millstream

    return millstream.open(space, **options)


@contextmanager
def existing_space(space: Path, **options: Any) -> Iterator[Mill]:
    """A mill in a space that must be there already."""
    if not space.is_dir():
        raise StateError(
            f"there is no space at '{space}'",
            help="a space is made by millstream run FILE, or by millstream.open in Python",
        )
    with open_mill(space, **options) as mill:
        yield mill


def create_streams(mill: Mill, requests: Iterable[StreamRequest]) -> tuple[Stream, ...]:
    """The streams of some requests, with what was inferred about each told."""
    created = []
    for request in requests:
        stream = request.create(mill)
        for note in stream.notes:
            say(f"{request.name}: {note}")
        created.append(stream)
    return tuple(created)


def named(nouns: Mapping[str, Noun], name: str, kind: str) -> Noun:
    """The stream or subscription of a name."""
    if name not in nouns:
        raise StateError(f"no {kind} is named '{name}'", help=did_you_mean(name, nouns))
    return nouns[name]
