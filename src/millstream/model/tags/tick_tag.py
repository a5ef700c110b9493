"""A tick-tag: a label on objects of a stream that come after it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from millstream.errors import ItemError
from millstream.model.tags.applicability import EVERYTHING, Applicability
from millstream.model.tags.duration import LONGEST, format_duration, parse_duration
from millstream.model.tags.granularity import Granularity
from millstream.model.tags.mode import Mode
from millstream.model.tags.sign import Sign
from millstream.model.tags.tag_type import Classifier, TagType, default_classifier
from millstream.model.tags.validity import Validity

INSTANT: Final = None
"""The lifespan of a tag that makes one pass through the system."""

LONGEST_CONTENT = 10_000
"""Characters that the content of a tag may have."""

_UNWRITABLE = re.compile(r"[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]")


@dataclass(frozen=True, slots=True)
class TickTag:
    """A label, who attached it to what, and for how long it holds."""

    tagger: str
    applicability: Applicability
    content: str
    """Empty only to retract."""
    type: TagType
    sign: Sign
    lifespan: int | None
    """In microseconds; None is Instant."""
    mode: Mode
    timestamp: int
    """The event time, in microseconds, at which it was attached."""

    def __post_init__(self) -> None:
        _check_text(self.tagger, "tagger")
        _check_text(self.content, "content")
        if not self.tagger.strip():
            raise ItemError("a tag has a tagger", code="no-tagger")
        if not self.content.strip() and self.mode is not Mode.OVERWRITE:
            raise ItemError(
                "a tag has a content",
                code="empty-content",
                help="an empty content retracts earlier tags, with the mode Overwrite",
            )
        _check_lifespan(self.lifespan)

    @property
    def is_retraction(self) -> bool:
        """True for a tag that only ends others."""
        return not self.content.strip()

    @property
    def validity(self) -> Validity:
        """The times of the tuples it can apply to; an Instant tag is used up by the first."""
        if self.lifespan is INSTANT:
            return Validity(self.timestamp)
        return Validity(self.timestamp, self.timestamp + self.lifespan)

    @property
    def granularities(self) -> tuple[Granularity, ...]:
        """The granularity of each object, in the order of the objects; one for whole tuples."""
        if self.applicability.objects:
            return tuple(each.granularity for each in self.applicability.objects)
        return (whole_granularity(self.applicability, instant=self.lifespan is INSTANT),)

    def __str__(self) -> str:
        """The eight fields as people write them, with bars between."""
        words = (self.tagger, self.applicability, self.content, self.type.value, self.sign.value)
        rest = (format_lifespan(self.lifespan), self.mode.value, self.timestamp)
        return "|".join(map(str, (*words, *rest)))


def tick_tag(
    content: str,
    *,
    tagger: str,
    timestamp: int,
    applicability: Applicability = EVERYTHING,
    sign: Sign = Sign.NEUTRAL,
    lifespan: int | None = INSTANT,
    mode: Mode = Mode.COMBINE,
    classify: Classifier | None = None,
) -> TickTag:
    """A tag whose type a classifier tells."""
    type = (classify or default_classifier())(content)
    return TickTag(tagger, applicability, content, type, sign, lifespan, mode, timestamp)


def whole_granularity(applicability: Applicability, *, instant: bool) -> Granularity:
    """How large a piece of the stream a tag without objects is on."""
    if not instant and applicability.names_everything:
        return Granularity.STREAM
    tuples = applicability.tuples
    one = instant if tuples.matches_all else len(tuples.names() or "..") == 1
    return Granularity.TUPLE if one else Granularity.SUB_STREAM


def is_plain_content(content: str) -> bool:
    """True for a content that a tag of either mode may have."""
    return (
        bool(content.strip())
        and len(content) <= LONGEST_CONTENT
        and _UNWRITABLE.search(content) is None
    )


def parse_lifespan(text: str) -> int | None:
    """The lifespan that '1 min' or 'Instant' stands for, or ValueError with a short reason."""
    if text.strip().upper() in ("I", "INSTANT"):
        return INSTANT
    return parse_duration(text)


def format_lifespan(lifespan: int | None) -> str:
    """A lifespan as people write it."""
    return "I" if lifespan is INSTANT else format_duration(lifespan)


def _check_lifespan(lifespan: int | None) -> None:
    if lifespan is not INSTANT and not 0 < lifespan <= LONGEST:
        raise ItemError(
            f"a tag cannot live for {format_duration(lifespan)}",
            code="bad-lifespan",
            help=f"a lifespan is above 0 and at most {format_duration(LONGEST)}; "
            "without one a tag is Instant",
        )


def _check_text(text: str, what: str) -> None:
    if len(text) > LONGEST_CONTENT:
        raise ItemError(f"the {what} has more than {LONGEST_CONTENT:,} characters", code="too-long")
    if bad := _UNWRITABLE.search(text):
        raise ItemError(
            f"the {what} has the character {bad.group()!r}, which cannot be written",
            code="bad-character",
        )
