"""What lowering asks about the streams that there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from millstream.errors import QueryError
from millstream.model.schema import Schema
from millstream.model.tags.stream_shape import StreamShape, TuplePaths


class TupleCatalog(Protocol):
    """The streams that a statement may read, by name."""

    def schema(self, stream_name: str, /) -> Schema:
        """The schema of a stream; an error that helps if no stream has the name."""

    def names(self) -> Sequence[str]:
        """The names of all streams."""

    def shape(self, stream_name: str, /) -> StreamShape:
        """A stream as its tags see it."""

    def tuple_paths(self, stream_name: str, /) -> TuplePaths:
        """Where the items of a stream hold their time and id."""


class Shapes(Mapping[str, StreamShape]):
    """The shapes of a catalog's streams, made when they are asked for."""

    def __init__(self, catalog: TupleCatalog) -> None:
        self._catalog = catalog

    def __getitem__(self, name: str) -> StreamShape:
        try:
            return self._catalog.shape(name)
        except QueryError as error:
            raise KeyError(name) from error

    def __iter__(self) -> Iterator[str]:
        return iter(self._catalog.names())

    def __len__(self) -> int:
        return len(self._catalog.names())
