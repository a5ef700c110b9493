"""What the names in a statement mean: which stream, and which attribute of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from millstream.errors import QueryError, did_you_mean
from millstream.languages.tagql import syntax
from millstream.languages.tagql.words import TagField
from millstream.model.tags.stream_shape import StreamShape

Catalog = Mapping[str, StreamShape]
"""The streams that are known, by name."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """An attribute of one of the sources."""

    source: str
    attribute: str


@dataclass(frozen=True, slots=True)
class Scope:
    """The sources of a statement, by the names they go by, in order."""

    shapes: Mapping[str, StreamShape]

    @classmethod
    def of(cls, sources: Iterable[syntax.Source], catalog: Catalog) -> Scope:
        """The scope of some sources; QueryError for a stream that is not known."""
        shapes: dict[str, StreamShape] = {}
        for source in sources:
            if source.name in shapes:
                raise QueryError(
                    f"two streams go by the name '{source.name}'",
                    code="ambiguous",
                    span=source.span,
                    help="give one of them another, like Patients AS A",
                )
            shapes[source.name] = known_shape(source.stream, catalog, source)
        return cls(shapes)

    def attribute(self, name: syntax.Name) -> Resolved:
        """The attribute that a name means, or QueryError."""
        first, rest = name.steps[0], name.steps[1:]
        if rest and first in self.shapes:
            return self._of_source(first, rest, name)
        path = "/".join(name.steps)
        found = [source for source, shape in self.shapes.items() if path in shape.names]
        if len(found) > 1:
            raise QueryError(
                f"'{path}' is an attribute of {' and '.join(found)}",
                code="ambiguous",
                span=name.span,
                help=f"say which: {found[0]}.{path}",
            )
        if found:
            return Resolved(found[0], path)
        known = [each for shape in self.shapes.values() for each in shape.names]
        known += _fields_like(path)
        raise _unknown(f"there is no attribute '{path}'", path, known, name)

    def source_of(self, reference: syntax.TagReference) -> str:
        """The source whose tags a reference means, or QueryError."""
        if reference.source is not None:
            self.check_source(reference.source, reference)
            return reference.source
        if len(self.shapes) > 1:
            field, first = reference.field.value, next(iter(self.shapes))
            raise QueryError(
                f"{field} could be of a tag of {' or '.join(self.shapes)}",
                code="ambiguous",
                span=reference.span,
                help=f"say which: {field}({first})",
            )
        return next(iter(self.shapes))

    def check_source(self, source: str, node: syntax.Node) -> None:
        """Raise QueryError for a name that no source goes by."""
        if source not in self.shapes:
            raise _unknown(f"no stream here goes by the name '{source}'", source, self.shapes, node)

    def check_object(self, reference: syntax.ObjectReference) -> None:
        """Raise QueryError for an object that no source has."""
        self.check_source(reference.stream, reference)
        check_attribute(reference, self.shapes[reference.stream])

    def _of_source(self, source: str, steps: tuple[str, ...], name: syntax.Name) -> Resolved:
        path, shape = "/".join(steps), self.shapes[source]
        if path not in shape.names:
            raise _unknown(f"'{source}' has no attribute '{path}'", path, shape.names, name)
        return Resolved(source, path)


def known_shape(stream: str, catalog: Catalog, node: syntax.Node) -> StreamShape:
    """The shape of a stream, or QueryError."""
    if stream not in catalog:
        raise _unknown(f"there is no stream '{stream}'", stream, catalog, node)
    return catalog[stream]


def check_attribute(reference: syntax.ObjectReference, shape: StreamShape) -> None:
    """Raise QueryError for an attribute that a stream does not have."""
    if reference.steps and reference.attribute not in shape.names:
        message = f"'{reference.stream}' has no attribute '{reference.attribute}'"
        raise _unknown(message, reference.attribute, shape.names, reference)


def _fields_like(name: str) -> list[str]:
    """The field of a tag that is spelt much like a name, if one is."""
    return get_close_matches(name.upper(), [each.value for each in TagField], n=1, cutoff=0.75)


def _unknown(message: str, name: str, known: Iterable[str], node: syntax.Node) -> QueryError:
    help = did_you_mean(name, known)
    return QueryError(message, code="unknown-name", span=node.span, help=help)
