"""The sources of a statement as relations, and what its names and conditions mean there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from millstream.languages.tagql import Scope, syntax
from millstream.languages.tagql.scope import Resolved
from millstream.model.tags import Mark, Placed, StreamShape, TagFunction, Thesaurus
from millstream.testing.tags.aggregation import window_at
from millstream.testing.tags.expressions import holds
from millstream.testing.tags.likeness import TaggedObjects
from millstream.testing.tags.liveness import in_window, with_living_tags
from millstream.testing.tags.operators import Side
from millstream.testing.tags.relation import Relation, Row, relation_of
from millstream.testing.tags.situation import Situation, tagged_sources

NOTHING = TaggedObjects(())


@dataclass(frozen=True, slots=True)
class TaggedStream:
    """The elements of a stream, and what they look like."""

    shape: StreamShape
    elements: tuple[Placed, ...]


Streams = Mapping[str, TaggedStream]


class Sources:
    """What the FROM clause of a statement names."""

    def __init__(
        self,
        listed: tuple[syntax.Source, ...],
        streams: Streams,
        thesaurus: Thesaurus,
        functions: Mapping[str, TagFunction] = MappingProxyType({}),
        *,
        once: bool = False,
    ) -> None:
        """Asked once, sources hold what is live when the latest of them has come."""
        self.listed = listed
        self.once = once
        self.functions = functions
        self.thesaurus = thesaurus
        self.scope = Scope.of(listed, {name: each.shape for name, each in streams.items()})
        self.relations = {
            source.name: relation_of(streams[source.stream].elements, streams[source.stream].shape)
            for source in listed
        }
        if once:
            self._ask_once(streams)

    def _ask_once(self, streams: Streams) -> None:
        """Leave out what is not live; what is left of one stream stands still, without a window."""
        now = max((row.time for each in self.relations.values() for row in each), default=0)
        for source in self.listed:
            rows, elements = self.relations[source.name], streams[source.stream].elements
            self.relations[source.name] = (
                with_living_tags(rows, elements, now)
                if source.window is None
                else in_window(rows, source.window, now)
            )
        if not self.joined:
            self.listed = (replace(self.listed[0], window=None),)

    @property
    def joined(self) -> bool:
        return len(self.listed) > 1

    @property
    def only(self) -> Relation:
        """The relation of a statement that has one source."""
        return self.relations[self.listed[0].name]

    def sides(self) -> tuple[Side, Side]:
        """The two sources of a join."""
        left, right = (
            Side(each.name, self.relations[each.name], each.window or 0) for each in self.listed
        )
        return left, right

    def situation(
        self,
        rows: Mapping[str, Row],
        marks: Mapping[str, Mark] | None = None,
        objects: TaggedObjects = NOTHING,
    ) -> Situation:
        return Situation(
            self.scope, self.relations, rows, marks or {}, objects, self.thesaurus, self.functions
        )

    def exists(
        self,
        condition: syntax.Condition | None,
        rows: Mapping[str, Row],
        objects: TaggedObjects = NOTHING,
    ) -> bool:
        """True when there are tags on the rows for which a condition holds."""
        if condition is None:
            return True
        asked = tagged_sources(condition, self.scope)
        situations = self.situation(rows, None, objects).with_any_marks(asked)
        return any(holds(condition, each) for each in situations)

    def so_far(self, row: Row) -> TaggedObjects:
        """The tagged objects of the only stream up to a row, in its window if it has one."""
        return TaggedObjects(window_at(self.only, row, self.listed[0].window))

    def originals(self, row: Row) -> dict[str, Row]:
        """The rows of the sources that a row was made of."""
        return {
            source.name: next(
                each for each in self.relations[source.name] if each.position == position
            )
            for source, (_, position) in zip(self.listed, row.origin, strict=True)
        }

    def merged(self, condition: syntax.Condition | None) -> dict[str, str]:
        """The attributes of the right source that equal ones of the left, by the join itself."""
        conjuncts = condition.operands if isinstance(condition, syntax.And) else (condition,)
        found: dict[str, str] = {}
        for each in conjuncts:
            match each:
                case syntax.Compare("=", syntax.Name() as one, syntax.Name() as other):
                    places = map(self.scope.attribute, (one, other))
                    ends = {place.source: place.attribute for place in places}
                    if len(ends) == 2:
                        left, right = (ends[source.name] for source in self.listed)
                        found.setdefault(right, left)
        return found

    def joined_name(self, place: Resolved, condition: syntax.Condition | None) -> str:
        """What an attribute is called after the join, if there is one."""
        if not self.joined:
            return place.attribute
        left, right = (source.name for source in self.listed)
        merged = self.merged(condition)
        if place.source == right and place.attribute in merged:
            return f"{left}.{merged[place.attribute]}"
        return f"{place.source}.{place.attribute}"
