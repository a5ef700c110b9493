"""What the names of a statement are in the algebra, and of what type."""

from __future__ import annotations

from dataclasses import dataclass

from millstream.algebra.expressions import PathTo, Step
from millstream.algebra.tag_operators import (
    CONTENT,
    LIFESPAN,
    MODE,
    SIGN,
    TAGGER,
    TIME,
    TYPE,
    TagVariable,
)
from millstream.languages.tagql import syntax
from millstream.languages.tagql.scope import Scope
from millstream.languages.tagql.words import TagField
from millstream.model.schema import ValueType
from millstream.model.tags.event_time import TimeForm

_FIELDS = {
    TagField.CONTENT: CONTENT,
    TagField.SIGN: SIGN,
    TagField.TYPE: TYPE,
    TagField.TAGGER: TAGGER,
    TagField.LIFESPAN: LIFESPAN,
    TagField.MODE: MODE,
    TagField.TIME: TIME,
}


def tag_variable(source: str) -> TagVariable:
    """The variable that holds a tag on the tuples of a source."""
    return TagVariable(f"tag of {source}", source)


def attribute_path(source: str, attribute: str) -> PathTo:
    """An attribute of the tuples of a source."""
    return PathTo(source, tuple(Step(each) for each in attribute.split("/")))


@dataclass(frozen=True, slots=True)
class Naming:
    """The names of a statement's sources, attributes and tags."""

    scope: Scope
    dictionary: str
    """The thesaurus by which contents mean the same."""

    def attribute(self, name: syntax.Name) -> tuple[PathTo, ValueType]:
        """The path of an attribute, and its type."""
        found = self.scope.attribute(name)
        shape = self.scope.shapes[found.source]
        type = next(each.type for each in shape.attributes if each.name == found.attribute)
        return attribute_path(found.source, found.attribute), type

    def field(self, reference: syntax.TagReference) -> tuple[PathTo, ValueType]:
        """The path of a tag's field, and its type."""
        source = self.scope.source_of(reference)
        path = PathTo(tag_variable(source).variable, (Step(_FIELDS[reference.field]),))
        match reference.field:
            case TagField.LIFESPAN:
                return path, ValueType.DECIMAL
            case TagField.TIME:
                return path, self.time_type(source)
        return path, ValueType.TEXT

    def time_type(self, source: str) -> ValueType:
        """The type of the time of a source's tuples and tags."""
        form = self.scope.shapes[source].time
        return ValueType.TIME if form is TimeForm.INSTANT else ValueType.DECIMAL

    def tags_in(self, node: syntax.Node | None) -> tuple[TagVariable, ...]:
        """The tags that a condition asks about, in the order of their sources."""
        if node is None:
            return ()
        nodes = list(syntax.walk(node))
        fields = {self.scope.source_of(e) for e in nodes if isinstance(e, syntax.TagReference)}
        objects = {each.stream for each in nodes if isinstance(each, syntax.ObjectReference)}
        return tuple(tag_variable(each) for each in self.scope.shapes if each in fields | objects)
