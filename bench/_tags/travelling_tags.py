"""Tuples and tags on the way: drawn at random, and written in the ways in which tags travel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tag_data
from tag_data import WORDS

FIELDS = (*tag_data.FIELDS[:-1], "tag_time")
"""What a tag says, as attributes of a tuple."""
SLOT = 1000
"""Tuples in a slot, by which a table of tags looks its links up."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag and the tuples that it is on, from the first to the last."""

    first: int
    last: int
    tagger: str
    content: str
    sign: str

    def fields(self) -> dict[str, str]:
        applicability = "*,*,{}" if self.first == self.last else "*,o.*,{}"
        said = (self.tagger, applicability, self.content, "subjective", self.sign, "I", "C")
        return dict(zip(FIELDS, (*said, _seconds(self.first)), strict=True))


@dataclass(frozen=True, slots=True)
class Traffic:
    """Tuples, and for each the number of its tag, or -1."""

    places: np.ndarray
    speeds: np.ndarray
    owners: np.ndarray
    tags: list[Tag]

    def __len__(self) -> int:
        return len(self.owners)

    def attributes(self, number: int) -> dict[str, str]:
        x, y = self.places[number]
        return {
            "object_id": f"o{number % 997}",
            "location": f"{x:.5f} {y:.5f}",
            "speed": f"{self.speeds[number]:.3f}",
            "stamp": _seconds(number),
        }

    def id(self, number: int) -> str:
        return f"{'u' if self.owners[number] < 0 else 'o'}{number}"


def traffic(count: int, share: float, on: int) -> Traffic:
    """Random tuples, ten milliseconds apart; of each so many, the first ones share a tag."""
    draw = np.random.default_rng(6)
    owners = tag_data.owners(count, share, on)
    _, starts = np.unique(owners[owners >= 0], return_index=True)
    starts = np.flatnonzero(owners >= 0)[starts]
    words, signs = draw.choice(WORDS, len(starts)), draw.choice(("+", "-"), len(starts))
    taggers = draw.integers(0, 500, len(starts))
    tags = [
        Tag(start, start + on - 1, f"user{tagger}", str(word), str(sign))
        for start, tagger, word, sign in zip(starts.tolist(), taggers, words, signs, strict=True)
    ]
    return Traffic(draw.random((count, 2)), draw.random(count) * 5, owners, tags)


def written(folder: Path, name: str, found: Traffic) -> dict[str, Path]:
    """The files of the streams for one way in which tags travel."""
    streams: dict[str, Callable[[Traffic], Iterator[str]]] = {"A": _LINES[name]}
    if name == "TABLE":
        streams["T"] = _links
    places = {}
    for stream, lines in streams.items():
        places[stream] = folder / f"{name}-{stream}.xml"
        with places[stream].open("w") as file:
            file.write("<stream>\n")
            file.writelines(f"{line}\n" for line in lines(found))
            file.write("</stream>\n")
    return places


def _tick_tags(found: Traffic) -> Iterator[str]:
    before = -1
    for number, owner in enumerate(found.owners.tolist()):
        if owner > before:
            before = owner
            yield _tag(found.tags[owner].fields())
        yield _tuple(found.id(number), number, _children(found.attributes(number)))


def _slotted(found: Traffic) -> Iterator[str]:
    for number in range(len(found)):
        inside = _children(found.attributes(number)) + _children({"slot": str(number // SLOT)})
        yield _tuple(found.id(number), number, inside)


def _links(found: Traffic) -> Iterator[str]:
    for number, tag in enumerate(found.tags):
        for slot in range(tag.first // SLOT, tag.last // SLOT + 1):
            link = {"from": _seconds(tag.first), "to": _seconds(tag.last), "slot": str(slot)}
            yield _tuple(f"t{number}-{slot}", tag.first, _children({**tag.fields(), **link}))


def _wide(found: Traffic) -> Iterator[str]:
    for number, owner in enumerate(found.owners.tolist()):
        inside = _children(found.attributes(number))
        if owner >= 0:
            inside += _children(found.tags[owner].fields())
        yield _tuple(found.id(number), number, inside)


def _elements(found: Traffic) -> Iterator[str]:
    for number, owner in enumerate(found.owners.tolist()):
        inside = _children(found.attributes(number))
        if owner >= 0:
            inside += f"<mark>{_children(found.tags[owner].fields())}</mark>"
        yield _tuple(found.id(number), number, inside)


_LINES = {"TICK-TAG": _tick_tags, "TABLE": _slotted, "TUPLE": _wide, "XML": _elements}


def _tuple(id: str, number: int, inside: str) -> str:
    return f'<tuple id="{id}" time="{_seconds(number)}">{inside}</tuple>'


def _tag(fields: dict[str, str]) -> str:
    content, time = fields.pop("content"), fields.pop("tag_time")
    told = "".join(f' {name}="{text}"' for name, text in fields.items())
    return f'<tag{told} time="{time}">{content}</tag>'


def _children(fields: dict[str, str]) -> str:
    return "".join(f"<{name}>{text}</{name}>" for name, text in fields.items())


def _seconds(number: int) -> str:
    return f"{number / 100:.2f}"
