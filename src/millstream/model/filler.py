"""Fillers and holes: a document in pieces, each piece as it was from one instant on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from millstream.model.lifespan import format_instant

ROOT_ID = 0
"""The id of the filler that holds the root element."""

WRAPPER = "fragments"
"""The element around the fillers of a file."""


class FillerKey(NamedTuple):
    """What a hole and its fillers have in common: an id, and the tag of the element."""

    id: int
    tsid: int

    def __str__(self) -> str:
        return f"{self.id} (tsid {self.tsid})"


@dataclass(frozen=True, slots=True)
class Filler:
    """One version of an element, or one event, with holes where other fillers stand."""

    id: int
    tsid: int
    valid_time: datetime
    content: str
    """The element as XML text."""
    tags: str = ""
    """The tags on it, if it is an item of a stream that has some, as XML."""

    @property
    def key(self) -> FillerKey:
        return FillerKey(self.id, self.tsid)


def hole_text(key: FillerKey) -> str:
    """A hole as it stands in the content of a filler."""
    return f'<hole id="{key.id}" tsid="{key.tsid}"/>'


def filler_text(filler: Filler) -> str:
    """A filler as it travels."""
    time = format_instant(filler.valid_time)
    head = f'<filler id="{filler.id}" tsid="{filler.tsid}" validTime="{time}">'
    return f"{head}{filler.content}</filler>"
