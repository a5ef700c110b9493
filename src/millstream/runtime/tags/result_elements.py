"""Results of TAG-QL as they flow: a stix where one is needed, tags, then the tuples they are on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby

from millstream.algebra.expressions import TupleColumn
from millstream.compiler.tags.templates import TagTemplate, TupleTemplate
from millstream.model.tags import (
    Element,
    Mark,
    MarkedTuple,
    Mode,
    PlacedTag,
    StreamShape,
    build_stix,
    tick_tag,
)
from millstream.model.tags.interleaving import indexed_group
from millstream.model.tags.marks import in_arrival_order, marked_attributes
from millstream.model.tags.wire import WireOptions, write_json_lines, write_xml
from millstream.runtime.results import ResultRow
from millstream.runtime.tags.set_reading import SetReading, portions

Template = TagTemplate | TupleTemplate
Sets = Mapping[str, tuple[int, ...]]
"""The numbers of sets, or of the tags of a pair, by source."""
Told = tuple[ResultRow, Sets]
Flow = Iterator[tuple[int, Element, StreamShape]]
"""Elements with the steps that gave them, and the shapes of tuples."""


class ResultElements:
    """Reads the results of one subscription."""

    def __init__(self, template: Template, tagger: str, sets: SetReading) -> None:
        self._template = template
        self._tagger = tagger
        self._sets = sets
        forms = () if isinstance(template, TagTemplate) else template.forms
        self._shapes = tuple(form.shape for form in forms)

    def flow(self, rows: Iterable[ResultRow]) -> Flow:
        """Tags, stix and tuples of all rows, in order."""
        template = self._template
        if isinstance(template, TagTemplate):
            shape = template.shape
            return ((row.step, template.read(row.values), shape) for row in rows)
        known = self._learned(rows, template)
        if template.pair:
            return self._pairs(known, template)
        return self._tuples(known, template)

    def _tuples(self, rows: Iterable[Told], template: TupleTemplate) -> Flow:
        (form,), (shape,) = template.forms, self._shapes
        sent: set[PlacedTag] = set()
        for row, sets in rows:
            if not template.with_tags:
                yield row.step, form.read(row.values), shape
                continue
            marked = self._marked(row, sets, template)
            if template.joined:
                found = self._joined(marked, sets)
            elif template.whole:
                found = self._answer(marked, template)
            else:
                found = self._with_new_tags(marked, sent)
            yield from ((row.step, element, shape) for element in found)

    def _learned(self, rows: Iterable[ResultRow], template: TupleTemplate) -> Iterator[Told]:
        """The rows with their sets, which are looked up many at a time."""
        for some in portions(rows):
            found = self._found(some, template)
            numbers = {number for sets in found for each in sets.values() for number in each}
            if template.pair:
                self._sets.learn((), numbers)
            else:
                self._sets.learn(numbers)
            yield from zip(some, found, strict=True)

    def _found(self, rows: Sequence[ResultRow], template: TupleTemplate) -> list[Sets]:
        """The sets of rows: those in their slots, or those of the tuples that they are made of."""
        told = [template.sets(row.values) for row in rows]
        if not template.origins:
            return told
        places = list(enumerate(template.origins, 1))
        known = {
            place: self._sets.sets_at(stream, {row.ordering[place] for row in rows})
            for place, stream in places
        }
        looked_up = ([known[place].get(row.ordering[place]) for place, _ in places] for row in rows)
        return [
            {
                variable: numbers or (() if number is None else (number,))
                for (variable, numbers), number in zip(sets.items(), found, strict=True)
            }
            for sets, found in zip(told, looked_up, strict=True)
        ]

    def _marked(self, row: ResultRow, sets: Sets, template: TupleTemplate) -> MarkedTuple:
        """A tuple with the marks that its columns have from what they are made of."""
        (form,) = template.forms
        marks = {
            Mark(column.name, member.granularity, member.tag)
            for variable, numbers in sets.items()
            for number in numbers
            for member in self._sets.members(number)
            for column in form.columns
            if template.whole or _is_on(column, variable, member.attribute)
        }
        return MarkedTuple(row.ordering[0], form.read(row.values), frozenset(marks))

    def _with_new_tags(self, marked: MarkedTuple, sent: set[PlacedTag]) -> Iterator[Element]:
        """A tuple after those of its tags that no tuple before it has had."""
        new = [tag for tag in marked.tags if tag not in sent]
        sent.update(new)
        yield from (tag.tag for tag in new)
        yield marked.element

    def _joined(self, marked: MarkedTuple, sets: Sets) -> Iterator[Element]:
        """A tuple that a join made, after a stix and its tags: those of the left side first."""
        shape, attributes = self._shapes[0], marked_attributes(marked)
        sides = [
            in_arrival_order(each.tag for one in numbers for each in self._sets.members(one))
            for numbers in sets.values()
        ]
        tags = [tag for tag in dict.fromkeys(chain(*sides)) if tag in attributes]
        if tags:
            on = {
                tag: () if len(names) == len(shape.names) else [shape.number(n) for n in names]
                for tag, names in attributes.items()
            }
            yield build_stix(tags, [on])
        yield from (tag.tag for tag in tags)
        yield marked.element

    def _answer(self, marked: MarkedTuple, template: TupleTemplate) -> Iterator[Element]:
        """The new answer of a group, after a stix and all of its tags."""
        if not marked.marks and template.grouped_by_tags:
            # So that no earlier tag is taken to be on the tuples without tags.
            time = marked.element.time
            yield tick_tag("", tagger=self._tagger, timestamp=time, mode=Mode.OVERWRITE)
        yield from indexed_group([marked], self._shapes[0])

    def _pairs(self, rows: Iterable[Told], template: TupleTemplate) -> Flow:
        """Pairs with equal tags and one tuple in common are sent together."""

        def group(told: Told) -> tuple[object, ...]:
            row, sets = told
            return (row.step, row.ordering[0], row.ordering[2], *sets.values())

        for _, run in groupby(rows, key=group):
            together = list(run)
            yield from self._group([row for row, _ in together], together[0][1], template)

    def _group(self, rows: Sequence[ResultRow], sets: Sets, template: TupleTemplate) -> Flow:
        one, other = (in_arrival_order(self._sets.tags(each)) for each in sets.values())
        left, right = template.forms
        whole: Sequence[int] = ()
        tags: tuple[PlacedTag, ...] = tuple(dict.fromkeys((*one, *other)))
        placed = [*(dict.fromkeys(one, whole) for _ in rows), dict.fromkeys(other, whole)]
        step, (mine, theirs) = rows[0].step, self._shapes
        yield step, build_stix(tags, placed), mine
        yield from ((step, tag.tag, mine) for tag in tags)
        yield from ((step, left.read(row.values), mine) for row in rows)
        yield step, right.read(rows[0].values), theirs


def _is_on(column: TupleColumn, variable: str, attribute: str | None) -> bool:
    return any(source == variable and attribute in (None, name) for source, name in column.sources)


def written(element: Element, shape: StreamShape, format: str) -> str:
    """An element as it travels: a line of JSON, or an element of XML."""
    write = write_json_lines if format == "json" else write_xml
    (line,) = write([element], WireOptions(shape))
    return line
