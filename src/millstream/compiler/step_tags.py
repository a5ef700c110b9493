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
    few: bool = False
    """True when so few tags are on the batch that it is best to bring them to the tuples."""
    indexed: bool = False
    """True when a stix may put tags of the batch on later tuples: any of them may be met again."""
    fleeting: bool = False
    """True when each tag is a set of its own, on one tuple of the batch and on none after it."""

    @property
    def any(self) -> bool:
        return self.now or self.before

    def brought(self, alias: str) -> str:
        """The hint, after SELECT, that a relation of tags is brought to where tuples are."""
        return f"/*+ BROADCAST({alias}) */ " if self.few else ""


NO_TAGS = StepTags()
ALL_TAGS = StepTags(now=True, before=True)
FEW_TAGS = StepTags(now=True, before=True, few=True)
"""As it is in most steps."""
