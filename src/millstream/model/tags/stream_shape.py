"""What the tuples of a tagged stream look like: attributes in order, and how time is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from millstream.errors import ItemError, SchemaError, did_you_mean
from millstream.model.schema import Path, Schema, ValueType
from millstream.model.tags.applicability import ObjectName
from millstream.model.tags.event_time import TimeForm
from millstream.model.tags.tick_tag import TickTag
from millstream.model.values import XML_SPACE, Value, parse_value

WIRE_ID: Final[Path] = ("@id",)
"""Where an item holds the id that its tuple has on the wire."""
WIRE_TIME: Final[Path] = ("@time",)
"""Where an item holds the time that its tuple has on the wire."""


@dataclass(frozen=True, slots=True)
class TuplePaths:
    """Where an item holds its time and its id as a tuple; None where it has none."""

    time: Path | None = None
    id: Path | None = None


@dataclass(frozen=True, slots=True)
class StreamAttribute:
    """An attribute that tuples may have; steps of its path are separated by slashes."""

    name: str
    type: ValueType = ValueType.TEXT

    def value(self, text: str | None) -> Value | None:
        """What its text stands for; text is compared without the space around it."""
        if text is None:
            return None
        return parse_value(text.strip(XML_SPACE), self.type)


@dataclass(frozen=True, slots=True)
class StreamShape:
    """A stream's name, the attributes of its tuples in order, and the form of its time."""

    name: str
    attributes: tuple[StreamAttribute, ...]
    time: TimeForm = TimeForm.SECONDS

    def __post_init__(self) -> None:
        if not self.attributes:
            raise SchemaError(f"stream '{self.name}' has no attributes")
        if len(set(self.names)) < len(self.attributes):
            raise SchemaError(f"stream '{self.name}' has an attribute twice")
        try:
            for attribute in self.attributes:
                ObjectName(attribute.name)
        except ValueError as error:
            raise SchemaError(str(error)) from None

    @classmethod
    def of_schema(cls, name: str, schema: Schema, order: Path | None = None) -> StreamShape:
        """The shape of a stream of items: its leaves that occur at most once are attributes."""
        leaves = [leaf for leaf in schema.leaves() if leaf.path and not leaf.repeated]
        attributes = tuple(StreamAttribute(str(leaf), leaf.type) for leaf in leaves)
        ordered_by = schema.leaf(order) if order else None
        form = TimeForm.of_type(ordered_by.type) if ordered_by else TimeForm.SECONDS
        return cls(name, attributes, form)

    @classmethod
    def of_wire(cls, name: str, schema: Schema) -> StreamShape:
        """The shape of a stream whose tuples come with their id and time beside the attributes."""
        whole = cls.of_schema(name, schema, WIRE_TIME)
        own = {"/".join(WIRE_ID), "/".join(WIRE_TIME)}
        kept = tuple(each for each in whole.attributes if each.name not in own)
        return cls(name, kept, whole.time)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(attribute.name for attribute in self.attributes)

    def number(self, name: str) -> int:
        """The place of an attribute, from 1, as a stix counts them."""
        for number, known in enumerate(self.names, 1):
            if known == name:
                return number
        raise SchemaError(
            f"stream '{self.name}' has no attribute '{name}'", help=did_you_mean(name, self.names)
        )


def check_tag(tag: TickTag, shape: StreamShape) -> None:
    """Raise ItemError for a tag that can apply to nothing in its stream."""
    applicability = tag.applicability
    if not applicability.streams.matches(shape.name):
        raise ItemError(
            f"the tag is for streams '{applicability.streams}', but stands in '{shape.name}'",
            code="unknown-stream",
            help="write * for the stream that the tag stands in",
        )
    for each in applicability.objects:
        if each.attribute not in shape.names:
            raise ItemError(
                f"the tag is on attribute '{each.attribute}', which '{shape.name}' does not have",
                code="unknown-attribute",
                help=did_you_mean(each.attribute, shape.names),
            )
