"""Items that a query constructs, with the tags of what they are made of before them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from millstream.compiler.template import TaggedTemplate
from millstream.model.tags import PlacedTag, StreamAttribute, StreamShape
from millstream.model.tags.marks import in_arrival_order
from millstream.runtime.results import Result, ResultRow, ResultSource
from millstream.runtime.tags.result_elements import written
from millstream.runtime.tags.set_reading import SetReading

_SHAPE = StreamShape("results", (StreamAttribute("item"),))


def tagged_items(
    rows: Iterable[tuple[ResultSource, ResultRow]], sets: SetReading
) -> Iterator[Result]:
    """Each item after those of its tags that no item before it has had."""
    sent: set[PlacedTag] = set()
    for source, row in rows:
        value = source.template.fill(row.values)
        if not value:
            continue
        assert isinstance(source.template, TaggedTemplate), "all branches have tags, or none"
        members = (each for one in source.template.sets(row.values) for each in sets.members(one))
        for tag in in_arrival_order(each.tag for each in members):
            if tag not in sent:
                sent.add(tag)
                yield Result(row.step, row.ordering, written(tag.tag, _SHAPE, "xml"))
        yield Result(row.step, row.ordering, value)
