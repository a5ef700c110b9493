"""Made-up streams that go on for as long as somebody listens: a file every now and then."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from millstream.generators.complete_file import complete_file
from millstream.generators.credit import Bank, fillers
from millstream.generators.photons import generate
from millstream.generators.tagged.emotions import Moods, tag_with_emotions
from millstream.generators.tagged.moving_objects import MOVING_OBJECTS, Traffic, moving_objects
from millstream.model.filler import WRAPPER, filler_text
from millstream.model.tags.wire import WireOptions, write_json_lines

WITHOUT_END = 10**12
FILES_KEPT = 150
"""Of each feed: older ones have long been read."""


@dataclass
class Feed:
    """Files of one stream that appear in a folder, one after the other."""

    folder: Path
    ending: str
    contents: Iterator[bytes]
    written: int = 0
    kept: deque[Path] = field(default_factory=deque)

    def flow(self) -> Path:
        """Let the next file appear, and the oldest go."""
        self.folder.mkdir(parents=True, exist_ok=True)
        place = self.folder / f"{self.written:08}.{self.ending}"
        with complete_file(place) as file:
            file.write(next(self.contents))
        self.written += 1
        self.kept.append(place)
        if len(self.kept) > FILES_KEPT:
            self.kept.popleft().unlink(missing_ok=True)
        return place


def photon_feed(folder: Path, first: int = 2_000, then: int = 80, rate: float = 8.0) -> Feed:
    """Photons of a survey: some to begin with, and then so many in each file."""
    return Feed(folder, "xml", _photons(first, then, rate))


def vehicle_feed(folder: Path, first: int = 400, then: int = 20) -> Feed:
    """Reports of cars, cyclists and pedestrians, some of whom say how they feel."""
    return Feed(folder, "jsonl", _vehicles(first, then))


def credit_feed(folder: Path, first: int = 120, then: int = 6, accounts: int = 12) -> Feed:
    """Fillers of credit accounts: those that open them, and then what happens to them."""
    return Feed(folder, "xml", _credit(first, then, accounts))


def _photons(first: int, then: int, rate: float) -> Iterator[bytes]:
    photons = generate(WITHOUT_END, rate=rate)
    for lines in _batches(photons, first, then):
        yield _wrapped("photons", lines)


def _vehicles(first: int, then: int) -> Iterator[bytes]:
    traffic = moving_objects(WITHOUT_END, Traffic(population=60, interval=0.5))
    tagged = tag_with_emotions(traffic, Moods(share=0.3, taggers=12))
    for lines in _batches(write_json_lines(tagged, WireOptions(MOVING_OBJECTS)), first, then):
        yield "".join(f"{line}\n" for line in lines).encode()


def _credit(first: int, then: int, accounts: int) -> Iterator[bytes]:
    happening = map(filler_text, fillers(Bank(accounts, WITHOUT_END)))
    for lines in _batches(happening, first, then):
        yield _wrapped(WRAPPER, lines)


def _batches(lines: Iterator[str], first: int, then: int) -> Iterator[list[str]]:
    yield list(islice(lines, first))
    while batch := list(islice(lines, then)):
        yield batch


def _wrapped(root: str, lines: list[str]) -> bytes:
    return "\n".join((f"<{root}>", *lines, f"</{root}>\n")).encode()


class Feeding:
    """Lets some feeds flow in a thread of its own, every so many seconds, until it is left."""

    def __init__(self, feeds: Sequence[Feed], every: float) -> None:
        self._feeds = feeds
        self._every = every
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._flow, name="feeds", daemon=True)

    def _flow(self) -> None:
        while not self._stop.wait(self._every):
            for feed in self._feeds:
                feed.flow()

    def __enter__(self) -> Feeding:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
