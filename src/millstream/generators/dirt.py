"""Ways in which items of real streams are broken, to see what becomes of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from millstream.generators.sky import BLOCK, DIRT, Survey


class Dirt(Enum):
    """What is wrong with an item."""

    MISSING_ELEMENT = "missing element"
    TEXT_FOR_NUMBER = "text for a number"
    UNCLOSED_TAG = "unclosed tag"
    UNKNOWN_ELEMENT = "unknown element"
    DUPLICATE_ELEMENT = "duplicate element"
    BAD_ENTITY = "bad entity"
    CONTROL_CHARACTER = "control character"


KINDS = tuple(Dirt)


@dataclass(frozen=True, slots=True)
class DirtyItem:
    """A broken item: its number in the stream, from 0, and what is wrong with it."""

    number: int
    kind: Dirt


def dirty_items(survey: Survey, count: int) -> Iterator[DirtyItem]:
    """The broken ones among the first `count` items of a survey, in order."""
    for block in range(-(-count // BLOCK)):
        for place, kind in dirt_of_block(survey, block).items():
            number = block * BLOCK + place
            if number < count:
                yield DirtyItem(number, kind)


def dirt_of_block(survey: Survey, block: int) -> dict[int, Dirt]:
    """What is wrong with which items of a block, by their place in it."""
    if not survey.dirt:
        return {}
    random = survey.random(block, DIRT)
    dirty = random.random(BLOCK) < survey.dirt
    kinds = random.integers(0, len(KINDS), BLOCK)
    return {int(place): KINDS[kinds[place]] for place in dirty.nonzero()[0]}


def spoil(photon: str, kind: Dirt) -> str:
    """A photon's text, broken in one way; it stays on one line."""
    start, end = photon.index("<en>"), photon.index("</en>") + len("</en>")
    before, energy, after = photon[:start], photon[start:end], photon[end:]
    number = energy[len("<en>") : -len("</en>")]
    match kind:
        case Dirt.MISSING_ELEMENT:
            energy = ""
        case Dirt.TEXT_FOR_NUMBER:
            energy = "<en>n/a</en>"
        case Dirt.UNCLOSED_TAG:
            energy = f"<en>{number}"
        case Dirt.UNKNOWN_ELEMENT:
            energy += "<flux>1</flux>"
        case Dirt.DUPLICATE_ELEMENT:
            energy += energy
        case Dirt.BAD_ENTITY:
            energy = f"<en>{number}&keV;</en>"
        case Dirt.CONTROL_CHARACTER:
            energy = f"<en>{number}\x07</en>"
    return before + energy + after
