"""How large a piece of the stream a tag is attached to."""

from __future__ import annotations

from enum import Enum


class Granularity(Enum):
    """The kinds of object that can be tagged, largest first."""

    STREAM = "stream"
    SUB_STREAM = "sub-stream"
    TUPLE = "tuple"
    ATTRIBUTE = "attribute"
    VALUE = "value"

    @property
    def whole(self) -> bool:
        """True when a tag of this granularity is on whole tuples."""
        return self not in (Granularity.ATTRIBUTE, Granularity.VALUE)

    @property
    def layer(self) -> Granularity:
        """The granularity within which tags overwrite each other.

        Overwriting goes tuple by tuple, so it does not matter how many tuples a tag names.
        """
        return Granularity.TUPLE if self is Granularity.SUB_STREAM else self
