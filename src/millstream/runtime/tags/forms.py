"""What tags that are written alike have in common: whom they name, and what they are on there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from millstream.model.tags.applicability import Applicability, parse_applicability
from millstream.model.tags.granularity import Granularity
from millstream.model.tags.name_pattern import NamePattern
from millstream.model.tags.tick_tag import whole_granularity

_FORMS = 65_536


@dataclass(frozen=True, slots=True)
class Part:
    """One object of a tag, and the layer in which it overwrites and is overwritten."""

    attribute: str | None
    """None for whole tuples."""
    granularity: Granularity
    layer: Granularity

    @property
    def of_value(self) -> bool:
        return self.granularity is Granularity.VALUE


@dataclass(frozen=True, slots=True)
class Form:
    """Tags with equal applicability that are all Instant or not, and all retract or not."""

    tuples: NamePattern
    instant: bool
    parts: tuple[Part, ...]
    attributes: tuple[str, ...]
    """Those of which a tuple must have one; none for whole tuples."""

    @property
    def everywhere(self) -> bool:
        """True when all tuples are named."""
        return self.tuples.matches_all

    @property
    def one_tuple(self) -> bool:
        """True when the next tuple that fits uses the tag up."""
        return self.instant and self.everywhere

    @property
    def of_run(self) -> bool:
        """True when the tag is on what it names in the run of tuples that follows."""
        return self.instant and not self.everywhere


@lru_cache(maxsize=_FORMS)
def form_of(applicability: str, instant: bool, retraction: bool) -> Form:
    """The form of a tag."""
    read = parse_applicability(applicability)
    names = tuple(dict.fromkeys(each.attribute for each in read.objects))
    return Form(read.tuples, instant, _parts(read, instant, retraction), names)


def _parts(applicability: Applicability, instant: bool, retraction: bool) -> tuple[Part, ...]:
    if applicability.objects:
        return tuple(
            Part(each.attribute, each.granularity, each.granularity)
            for each in applicability.objects
        )
    granularity = whole_granularity(applicability, instant=instant)
    layers: tuple[Granularity, ...] = (granularity.layer,)
    if retraction and instant and applicability.names_everything:
        # Without a lifespan, the stream cannot be told from the next tuple.
        layers = (Granularity.STREAM, Granularity.TUPLE)
    return tuple(Part(None, granularity, layer) for layer in layers)
