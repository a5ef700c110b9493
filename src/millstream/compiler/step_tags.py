"""Whether tags are in play in a step."""

from __future__ import annotations

from dataclasses import dataclass

CONTENTS = "tag_contents"
"""The column of the batch that holds the contents of the tags on an item, where it is asked for."""
SEPARATOR = "\x1f"
"""What stands between contents that are one text; no content has it."""


@dataclass(frozen=True, slots=True)
class StepTags:
    """Where tags may be: on the tuples of the batch, and on those that state has kept."""

    now: bool = False
    """True when the batch has sets of tags, and there are views that tell what they are."""
    before: bool = False
    """True when an earlier step of a stream that is read had tags."""

    @property
    def any(self) -> bool:
        return self.now or self.before


NO_TAGS = StepTags()
ALL_TAGS = StepTags(now=True, before=True)
