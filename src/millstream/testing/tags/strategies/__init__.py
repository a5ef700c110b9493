"""Random tagged streams, and random statements about them."""

from millstream.testing.tags.strategies.statements import (
    aggregations,
    joins,
    likenesses,
    selections,
    tag_aggregations,
    tag_joins,
    tag_selections,
    with_sibling,
)
from millstream.testing.tags.strategies.streams import (
    contested_streams,
    steady_streams,
    streams,
    two_streams,
)

__all__ = [
    "aggregations",
    "contested_streams",
    "joins",
    "likenesses",
    "selections",
    "steady_streams",
    "streams",
    "tag_aggregations",
    "tag_joins",
    "tag_selections",
    "two_streams",
    "with_sibling",
]
