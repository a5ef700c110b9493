"""Emotions that people attach to what they send, some of them far more often than others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from random import Random

from millstream.errors import MillstreamError
from millstream.model.tags import Element, Sign, StreamTuple, TickTag, emotions, tick_tag

_BY_FREQUENCY = """
happy sad jealous self-loathing angry elated content lonely depressed frustrated aggravated
exhausted grateful sleepy anxious sorry excited loved peaceful joyful tipsy affectionate cool
alright stressed lost confused outraged despaired hopeful sympathetic relaxed unimpressed
"""
RANKED_EMOTIONS = tuple(_BY_FREQUENCY.split())
"""Emotions by how often they are named, most often first."""

_SIGNS = {"happy": Sign.POSITIVE, "neutral": Sign.NEUTRAL}


@dataclass(frozen=True, slots=True)
class Moods:
    """How often people say what they feel: equal moods give equal tags."""

    seed: int = 0
    share: float = 0.2
    """Of tuples that are tagged."""
    exponent: float = 1.0
    """Of the Zipf distribution: the n-th emotion is as likely as 1 by n to this power."""
    taggers: int = 100

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1 or self.taggers < 1:
            raise MillstreamError("the share of tagged tuples is from 0 to 1, by some tagger")


def tag_with_emotions(elements: Iterable[Element], moods: Moods | None = None) -> Iterator[Element]:
    """The same elements, with an emotion before a share of the tuples, which it is on."""
    chosen = moods or Moods()
    random = Random(f"moods {chosen.seed}")
    weights = tuple(
        accumulate(1 / rank**chosen.exponent for rank in range(1, len(RANKED_EMOTIONS) + 1))
    )
    for element in elements:
        if isinstance(element, StreamTuple) and random.random() < chosen.share:
            (emotion,) = random.choices(RANKED_EMOTIONS, cum_weights=weights)
            yield _tag(emotion, f"user{random.randrange(chosen.taggers)}", element)
        yield element


def _tag(emotion: str, tagger: str, element: StreamTuple) -> TickTag:
    group = emotions().group(emotion) or ""
    sign = _SIGNS.get(group, Sign.NEGATIVE)
    return tick_tag(emotion, tagger=tagger, timestamp=element.time, sign=sign)
