"""Each object of each tag by itself: what can be on tuples, and what ends others there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from millstream.model.tags.granularity import Granularity
from millstream.runtime.tags.columns import INDEXED, TagColumns
from millstream.runtime.tags.forms import Part
from millstream.runtime.tags.numbers import Flags, Hashes, Integers, integers, mixed, ranges


@dataclass(frozen=True, slots=True, eq=False)
class Attachments:
    """Tags with one object each; tags that a stix speaks of are not among them."""

    tags: Integers
    """The rows of their tags."""
    numbers: Integers
    """Which object of the tag it is."""
    kinds: Integers
    """Which of the parts it is."""
    parts: tuple[Part, ...]
    groups: Integers
    """Equal where tags can end one another: one tagger, layer and attribute."""

    def __len__(self) -> int:
        return len(self.tags)

    def where(self, wanted: Flags) -> Flags:
        """The attachments whose parts are wanted."""
        return wanted[self.kinds] if len(self.parts) else np.zeros(len(self), np.bool_)

    @property
    def of_value(self) -> Flags:
        return self.where(np.array([each.of_value for each in self.parts], np.bool_))


def attachments_of(tags: TagColumns) -> Attachments:
    """The objects of tags, tag by tag."""
    parts: dict[Part, int] = {}
    listed = [[parts.setdefault(each, len(parts)) for each in form.parts] for form in tags.forms]
    flat = integers([kind for kinds in listed for kind in kinds])
    lengths = integers([len(kinds) for kinds in listed])
    starts = np.cumsum(lengths) - lengths
    rows = np.flatnonzero(tags.statuses != INDEXED)
    forms = tags.form_codes[rows]
    places, owners = ranges(starts[forms], starts[forms] + lengths[forms])
    kinds = flat[places]
    layers: dict[tuple[Granularity, str | None], int] = {}
    layer_of = [layers.setdefault((each.layer, each.attribute), len(layers)) for each in parts]
    groups = tags.taggers[rows[owners]] * max(len(layers), 1) + integers(layer_of)[kinds]
    return Attachments(rows[owners], places - starts[forms][owners], kinds, tuple(parts), groups)


def hashes(tags: Integers, numbers: Integers) -> tuple[Hashes, Hashes]:
    """Two numbers for each object of a tag, of which sums stand for sets of objects."""
    one = mixed(mixed(tags.astype(np.uint64)) + numbers.astype(np.uint64))
    return one, mixed(one ^ np.uint64(0x5851F42D4C957F2D))
