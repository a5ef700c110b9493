"""Which objects a tag applies to: patterns for streams and tuples, and named attributes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from millstream.model.names import is_name
from millstream.model.tags.granularity import Granularity
from millstream.model.tags.name_pattern import NamePattern

_VALUE_ENDING = ".value"
_QUOTED = re.compile(r'\s*"((?:[^"]|"")*)"\s*(,|$)')
_BARE = re.compile(r'([^",]+)(,|$)')
_OBJECTS = re.compile(r"\s*\{([^{}]*)\}\s*")


@dataclass(frozen=True, slots=True)
class ObjectName:
    """An attribute of a tuple, or the value that it has there."""

    attribute: str
    """The path of the attribute; steps are separated by slashes."""
    of_value: bool = False

    def __post_init__(self) -> None:
        *parents, last = self.attribute.split("/")
        if not all(map(is_name, (*parents, last.removeprefix("@")))):
            raise ValueError(f"not the name of an attribute: {self.attribute[:40]!r}")

    @property
    def granularity(self) -> Granularity:
        return Granularity.VALUE if self.of_value else Granularity.ATTRIBUTE

    def __str__(self) -> str:
        return self.attribute + (_VALUE_ENDING if self.of_value else "")


@dataclass(frozen=True, slots=True)
class Applicability:
    """The tuples of streams whose names and ids match, or objects in those tuples."""

    streams: NamePattern = field(default_factory=NamePattern)
    tuples: NamePattern = field(default_factory=NamePattern)
    objects: tuple[ObjectName, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.objects)) < len(self.objects):
            raise ValueError("an object is named twice")

    @property
    def names_everything(self) -> bool:
        """True when all tuples of all streams are meant."""
        return self.streams.matches_all and self.tuples.matches_all

    def matches(self, stream: str, tuple_id: str) -> bool:
        """True when a tuple is among those whose objects are meant."""
        return self.streams.matches(stream) and self.tuples.matches(tuple_id)

    def __str__(self) -> str:
        objects = ",".join(map(str, self.objects))
        return f"{_pattern_text(self.streams)},{_pattern_text(self.tuples)},{{{objects}}}"


EVERYTHING = Applicability()


def on_attributes(*names: str) -> Applicability:
    """The named attributes of all tuples; a name that ends in '.value' means its value."""
    return Applicability(objects=tuple(map(parse_object, names)))


def parse_applicability(text: str) -> Applicability:
    """What a text like '*,*,{loc.value}' says, or ValueError with a short reason."""
    streams, rest = _first_pattern(text)
    if rest is None:
        raise ValueError(
            "an applicability has a pattern for streams, one for tuples, and {objects}"
        )
    tuples, rest = _first_pattern(rest)
    return Applicability(streams, tuples, () if rest is None else _objects(rest))


def parse_object(text: str) -> ObjectName:
    """The object that 'measure' or 'loc.value' names, or ValueError with a short reason."""
    name = text.strip()
    if name.endswith(_VALUE_ENDING):
        return ObjectName(name.removesuffix(_VALUE_ENDING), of_value=True)
    return ObjectName(name)


def _first_pattern(text: str) -> tuple[NamePattern, str | None]:
    """The pattern that a text begins with, and what follows its comma, if there is one."""
    if quoted := _QUOTED.match(text):
        pattern, match = quoted[1].replace('""', '"'), quoted
    elif bare := _BARE.match(text):
        pattern, match = bare[1].strip(), bare
    else:
        raise ValueError(f"expected a pattern at {text[:40]!r}")
    return NamePattern(pattern), text[match.end() :] if match[2] else None


def _objects(text: str) -> tuple[ObjectName, ...]:
    match = _OBJECTS.fullmatch(text)
    if match is None:
        raise ValueError(f"expected objects in braces, like {{loc.value}}, at {text[:40]!r}")
    if not match[1].strip():
        return ()
    return tuple(map(parse_object, match[1].split(",")))


def _pattern_text(pattern: NamePattern) -> str:
    text = pattern.text
    if text == text.strip() and not set(text) & set('",{'):
        return text
    return '"' + text.replace('"', '""') + '"'
