"""The columns of a SELECT as those of result tuples, with the attributes they are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from millstream.algebra.expressions import NewTuple, TupleColumn
from millstream.languages.tagql import syntax
from millstream.languages.tagql.lowering.naming import Naming, attribute_path
from millstream.languages.tagql.lowering.values import lower_value, sources_of
from millstream.languages.tagql.unparsed_expressions import unparse_value
from millstream.model.names import is_name
from millstream.model.schema import ValueType

_TUPLE_FIELDS = ("@id", "@time")
_OTHER = re.compile(r"[^\w./@-]+")


@dataclass(frozen=True, slots=True)
class Columns:
    """The attributes of the sources, where some of the right one are those of the left."""

    naming: Naming
    merged: Mapping[str, str]
    """Attributes of the right source by name, and the left ones that they equal."""

    @property
    def _sources(self) -> tuple[str, ...]:
        return tuple(self.naming.scope.shapes)

    def all(self, source: str | None = None) -> Iterator[TupleColumn]:
        """Every attribute, each once, or those that go by the name of one source."""
        joined = len(self._sources) > 1
        for name, shape in self.naming.scope.shapes.items():
            if source is not None and joined and name != source:
                continue
            for attribute in shape.attributes:
                if joined and name == self._sources[1] and attribute.name in self.merged:
                    continue
                yield TupleColumn(
                    f"{name}.{attribute.name}" if joined else attribute.name,
                    attribute_path(name, attribute.name),
                    attribute.type,
                    self._equal((name, attribute.name)),
                )

    def computed(self, column: syntax.Column) -> TupleColumn:
        """A column that is a value."""
        value = lower_value(column.value, self.naming)
        sources = dict.fromkeys(
            each for source in sources_of(column.value, self.naming) for each in self._equal(source)
        )
        name = column.alias or unparse_value(column.value)
        return TupleColumn(name, value.expression, value.type or ValueType.TEXT, tuple(sources))

    def _equal(self, place: tuple[str, str]) -> tuple[tuple[str, str], ...]:
        """An attribute, and all that the join has made one with it."""
        if len(self._sources) < 2:
            return (place,)
        left, right = self._sources
        source, attribute = place
        kept = self.merged.get(attribute) if source == right else attribute
        if kept is None:
            return (place,)
        return (left, kept), *((right, one) for one, other in self.merged.items() if other == kept)


def merged_attributes(condition: syntax.Condition | None, naming: Naming) -> dict[str, str]:
    """The attributes of the right source that equal ones of the left, by the join itself."""
    conjuncts = condition.operands if isinstance(condition, syntax.And) else (condition,)
    found: dict[str, str] = {}
    for each in conjuncts:
        match each:
            case syntax.Compare("=", syntax.Name() as one, syntax.Name() as other):
                places = [naming.scope.attribute(name) for name in (one, other)]
                ends = {place.source: place.attribute for place in places}
                if len(ends) == 2:
                    left, right = (ends[source] for source in naming.scope.shapes)
                    found.setdefault(right, left)
    return found


def named(new: NewTuple) -> NewTuple:
    """A result tuple whose columns have different names that travel on the wire."""
    taken: dict[str, int] = {}
    columns = []
    for column in new.columns:
        name = _wire_name(column.name)
        taken[name] = taken.get(name, 0) + 1
        if taken[name] > 1:
            name = f"{name}_{taken[name]}"
        columns.append(replace(column, name=name))
    return replace(new, columns=tuple(columns))


def _wire_name(text: str) -> str:
    """The name itself, or one that is as much like it as names can be."""
    if text in _TUPLE_FIELDS:
        # On the wire these are of the tuple itself.
        return text.removeprefix("@")
    parts = text.split("/")
    if all(is_name(part.removeprefix("@")) for part in parts):
        return text
    plain = _OTHER.sub("_", text).strip("_").replace("/", "_").replace("@", "_")
    return plain if is_name(plain) else f"column_{plain}".rstrip("_")
