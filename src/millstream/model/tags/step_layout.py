"""Tags as the statement of a step sees them: the names of views and of their columns.

A step of a stream with tags in play has, beside the views of every step:

  batch      one more column `tagset`: the number of the set of what is tagged in the tuple, or
             null where no tag is on it
  tag_marks  a row for each tag and object of each set that the batch names, with the fields of
             the tag, and maybe others; sets of earlier steps that recur are among them
  tags       a row for each tag that these sets name, and maybe others

Numbers of tags and of sets are unique in a space and stay when a step runs again. Numbers of
tags grow along a stream: of two tags the one that arrived later has the higher number.

With no tags alive and none in the batch there is no such column and no such view.
"""

from __future__ import annotations

from typing import Final

TAGSET: Final = "tagset"
"""The column of the batch, and of the view of sets, that holds the number of a set."""

TAG_MARKS: Final = "tag_marks"
"""The view of what sets mean, for statements: one row for each tag and object, with its fields."""
TAG_SETS: Final = "tag_sets"
"""The view of the sets alone, of which the other is made: one row for each tag and object."""
TAGS: Final = "tags"
"""The view of the tags that the sets name."""

TAG: Final = "tag"
"""The number of a tag, in both views."""
ATTRIBUTE: Final = "attribute"
"""The path of the tagged attribute, steps separated by slashes; null for the whole tuple."""
GRANULARITY: Final = "granularity"
"""What the tag was attached to, as `Granularity` spells it."""

TAG_SET_COLUMNS: Final = (
    (TAGSET, "BIGINT"),
    (TAG, "BIGINT"),
    (ATTRIBUTE, "STRING"),
    (GRANULARITY, "STRING"),
)
"""The view of the sets: columns with their SQL types."""

TAG_COLUMNS: Final = (
    (TAG, "BIGINT"),
    ("stream", "STRING"),
    ("position", "BIGINT"),
    ("tagger", "STRING"),
    ("applicability", "STRING"),
    ("content", "STRING"),
    ("type", "STRING"),
    ("sign", "STRING"),
    ("lifespan", "BIGINT"),
    ("mode", "STRING"),
    ("time", "BIGINT"),
)
"""The view of the tags: columns with their SQL types.

Type and sign are spelt as `TagType` and `Sign` spell them, a mode by its name (OVERWRITE). Times
and lifespans are in microseconds; the lifespan of an Instant tag is null.
"""

ON_POSITION: Final = "on_position"
"""One more column of tags and marks where no tag is on more than one tuple: the position of that
tuple, or null for tags that are on none."""

STEP_NUMBERS: Final = 1 << 28
"""Numbers of tags, and of sets, that one step can give: number = step * STEP_NUMBERS + index.

A set of one tag on whole tuples has the number of the tag, if the same step brings both. Indexes of
other sets begin in the middle.
"""
