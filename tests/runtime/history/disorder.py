"""Fillers as they come in practice: late, repeated, replaced, and cut into batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from millstream.model.filler import Filler
from tests.runtime.history.without_spark import Batch


def disordered(fillers: Sequence[Filler], seed: int, *, replaced: bool = True) -> list[Filler]:
    """The fillers with some moved behind others, some sent twice, and some corrected."""
    random = Random(seed)
    found = list(fillers)
    for _ in range(len(found) // 8):
        place = random.randrange(len(found))
        found.insert(min(len(found), place + random.randrange(30)), found.pop(place))
    for _ in range(len(found) // 12):
        place = random.randrange(len(found))
        found.insert(random.randrange(place, len(found)) + 1, found[place])
    for _ in range(len(found) // 15 if replaced else 0):
        place = random.randrange(len(found))
        found.insert(random.randrange(place, len(found)) + 1, corrected(found[place]))
    return found


def corrected(filler: Filler) -> Filler:
    """A filler that says something else of the same instant."""
    content = filler.content.replace(">charged<", ">denied<").replace("<amount>", "<amount>1")
    return replace(filler, content=content)


def batches(stream: str, fillers: Sequence[Filler], size: int) -> Iterator[Batch]:
    for start in range(0, len(fillers), size):
        yield stream, list(fillers[start : start + size])


def mixed(streams: dict[str, list[Filler]], size: int, seed: int) -> list[Batch]:
    """The batches of several streams, in some order that keeps that of each stream."""
    random = Random(seed)
    waiting = {name: list(batches(name, each, size)) for name, each in streams.items()}
    found: list[Batch] = []
    while any(waiting.values()):
        name = random.choice([name for name, each in waiting.items() if each])
        found.append(waiting[name].pop(0))
    return found
