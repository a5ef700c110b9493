"""What lowering asks about the streams that there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from millstream.errors import MillstreamError, QueryError, Span
from millstream.model.schema import Schema


class Catalog(Protocol):
    """The streams that a query may read, by name."""

    def schema(self, stream_name: str, /) -> Schema:
        """The schema of a stream; an error that helps if no stream has the name."""

    def names(self) -> Sequence[str]:
        """The names of all streams."""


def named_schema(catalog: Catalog, name: str, span: Span) -> Schema:
    """The schema of a stream; an unknown name is an error at the place where it is written."""
    try:
        return catalog.schema(name)
    except MillstreamError as error:
        error.span = error.span or span
        raise


def only_stream(catalog: Catalog, root: str | None, span: Span) -> str:
    """The one stream that a query means which names none, by its root element if one is given."""
    names = catalog.names()
    fitting = [name for name in names if root in (None, catalog.schema(name).root)]
    if len(fitting) == 1:
        return fitting[0]
    what = "no name" if root is None else f"only the root element '{root}'"
    raise QueryError(
        f"{len(fitting)} streams are known by {what}, so the one to read must be named",
        span=span,
        help=f'write stream("name"); known: {", ".join(names)}' if names else "no stream is known",
    )
