"""Items that a query constructs, with the tags of what they are made of before them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from millstream.compiler.template import TaggedTemplate
from millstream.model.tags import PlacedTag, StreamAttribute, StreamShape
from millstream.model.tags.marks import in_arrival_order
from millstream.runtime.results import Result, ResultRow, ResultSource
from millstream.runtime.tags.result_elements import written
from millstream.runtime.tags.set_reading import SetReading, portions

_SHAPE = StreamShape("results", (StreamAttribute("item"),))


def tagged_items(
    rows: Iterable[tuple[ResultSource, ResultRow]], sets: SetReading
) -> Iterator[Result]:
    """Each item after those of its tags that no item before it has had."""
    sent: set[PlacedTag] = set()
    for source, row, numbers in _learned(rows, sets):
        value = source.template.fill(row.values)
        if not value:
            continue
        members = (each for one in numbers for each in sets.members(one))
        for tag in in_arrival_order(each.tag for each in members):
            if tag not in sent:
                sent.add(tag)
                yield Result(row.step, row.ordering, written(tag.tag, _SHAPE, "xml"))
        yield Result(row.step, row.ordering, value)


def _learned(
    rows: Iterable[tuple[ResultSource, ResultRow]], sets: SetReading
) -> Iterator[tuple[ResultSource, ResultRow, tuple[int, ...]]]:
    """The rows with their sets, which are looked up many at a time."""
    for some in portions(rows):
        found = [_sets(source, row) for source, row in some]
        sets.learn({number for each in found for number in each})
        yield from ((*each, numbers) for each, numbers in zip(some, found, strict=True))


def _sets(source: ResultSource, row: ResultRow) -> tuple[int, ...]:
    assert isinstance(source.template, TaggedTemplate), "all branches have tags, or none"
    return source.template.sets(row.values)
