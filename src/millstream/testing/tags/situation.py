"""What a condition is asked about: a row of each source, and one of the tags on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product

from millstream.languages.tagql import Scope, syntax
from millstream.languages.tagql.words import TagField
from millstream.model.tags import Granularity, Mark, TagFunction, Thesaurus, TimeForm
from millstream.model.tags.duration import SECOND
from millstream.model.tags.event_time import format_time
from millstream.model.values import parse_instant
from millstream.testing.tags.likeness import TaggedObjects
from millstream.testing.tags.relation import Datum, Relation, Row


@dataclass(frozen=True, slots=True)
class Situation:
    """Rows and marks by the names of their sources, and all that likeness is judged by."""

    scope: Scope
    relations: Mapping[str, Relation]
    rows: Mapping[str, Row]
    marks: Mapping[str, Mark]
    objects: TaggedObjects
    thesaurus: Thesaurus
    functions: Mapping[str, TagFunction]

    def value(self, name: syntax.Name) -> Datum:
        found = self.scope.attribute(name)
        return self.relations[found.source].value(self.rows[found.source], found.attribute)

    def tag_value(self, reference: syntax.TagReference) -> Datum:
        """The field of a tag; nothing for the lifespan of an Instant one."""
        source = self.scope.source_of(reference)
        tag = self.marks[source].tag.tag
        match reference.field:
            case TagField.CONTENT:
                return tag.content
            case TagField.SIGN:
                return tag.sign.value
            case TagField.TYPE:
                return tag.type.value
            case TagField.TAGGER:
                return tag.tagger
            case TagField.MODE:
                return tag.mode.name
            case TagField.LIFESPAN:
                return None if tag.lifespan is None else Decimal(tag.lifespan) / SECOND
            case TagField.TIME:
                return time_value(tag.timestamp, self.scope.shapes[source].time)

    def is_on(self, reference: syntax.ObjectReference) -> bool:
        """True when the tag of a source is attached to an object, and not to more or less."""
        mark = self.marks[reference.stream]
        if not reference.steps:
            return mark.granularity.whole
        wanted = Granularity.VALUE if reference.of_value else Granularity.ATTRIBUTE
        return mark.granularity is wanted and mark.attribute == reference.attribute

    def with_any_marks(self, sources: frozenset[str]) -> Iterator[Situation]:
        """This situation with each choice of one mark for each of some sources."""
        names = sorted(sources)
        for marks in product(*(self.rows[name].marks for name in names)):
            yield replace(self, marks=dict(zip(names, marks, strict=True)))


def time_value(microseconds: int, form: TimeForm) -> Datum:
    """A time as an attribute would hold it."""
    if form is TimeForm.INSTANT:
        return parse_instant(format_time(microseconds, form))
    return Decimal(microseconds) / SECOND


def tagged_sources(condition: syntax.Condition | None, scope: Scope) -> frozenset[str]:
    """The sources whose tags a condition asks about."""
    if condition is None:
        return frozenset()
    nodes = list(syntax.walk(condition))
    fields = {scope.source_of(each) for each in nodes if isinstance(each, syntax.TagReference)}
    objects = {each.stream for each in nodes if isinstance(each, syntax.ObjectReference)}
    return frozenset(fields | objects)
