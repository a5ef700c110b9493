"""Answers of hand-made steps in the form in which answers of the reference are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from millstream.compiler.branch import Branch
from millstream.compiler.tags.templates import TAG_SLOTS, TagTemplate, TupleTemplate
from millstream.model.schema import ValueType
from tests.compiler.tags.hand_made import Row, Sets

Tag = tuple[str, int]


def answer_of(branch: Branch, rows: Sequence[Row], sets: Sets) -> Any:
    """What a statement gave, all steps together."""
    template = branch.template
    if isinstance(template, TagTemplate):
        return _tags(rows)
    assert isinstance(template, TupleTemplate)
    return _pairs(template, rows, sets) if template.pair else _tuples(template, rows, sets)


def _tags(rows: Sequence[Row]) -> Any:
    slot = TAG_SLOTS.index
    found = [
        (row.ordering, (row.values[slot("stream")], int(row.values[slot("position")] or 0)))
        for row in rows
    ]
    return tuple(tag for _, tag in sorted(found)) or {}


def _pairs(template: TupleTemplate, rows: Sequence[Row], sets: Sets) -> Any:
    found: dict[Any, Any] = {}
    for row in rows:
        tags = tuple(
            frozenset(_key(sets, number) for number in numbers)
            for numbers in template.sets(row.values).values()
        )
        assert row.ordering[1:] not in found, "a pair was given twice"
        found[row.ordering[1:]] = tags
    return found


def _tuples(template: TupleTemplate, rows: Sequence[Row], sets: Sets) -> Any:
    (form,) = template.forms
    values, tags = {}, set()
    for row in rows:
        origin = row.ordering[1:] if template.joined else row.ordering
        assert origin not in values, "a tuple was given twice"
        texts = form.read(row.values).texts
        values[origin] = tuple(
            _plain(text, column.type) for text, column in zip(texts, form.columns, strict=True)
        )
        for variable, numbers in _numbers(template, row, sets).items():
            for number in numbers:
                for tag, attribute, _ in sets.members(number):
                    for place, column in enumerate(form.columns):
                        on = template.whole or any(
                            source == variable and attribute in (None, name)
                            for source, name in column.sources
                        )
                        if on:
                            tags.add((origin, place, _key(sets, tag)))
    return values, frozenset(tags)


def _numbers(template: TupleTemplate, row: Row, sets: Sets) -> Mapping[str, tuple[int, ...]]:
    """The sets that a row has in its slots, or those of the tuples that it is made of."""
    told = template.sets(row.values)
    if not template.origins:
        return told
    assert not any(told.values()), "sets are looked up"
    places = zip(template.origins, row.ordering[1:], strict=True)
    found = (sets.at.get(place) for place in places)
    return {
        variable: () if number is None else (number,)
        for variable, number in zip(told, found, strict=True)
    }


def _key(sets: Sets, number: int) -> Tag:
    placed = sets.tags[number]
    return placed.stream, placed.position


def _plain(text: str | None, type: ValueType) -> Any:
    if text is None or type is ValueType.TEXT:
        return text
    return round(float(text), 9)
