"""Result templates: the literal text of a result, and slots that Spark computes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from millstream.algebra.expressions import Expression
from millstream.compiler.construction import (
    Part,
    close_elements,
    closed_elements,
    merged,
    parts_of,
)
from millstream.compiler.expressions import environment_of
from millstream.compiler.names import string
from millstream.compiler.scope import Scope


class ResultTemplate(Protocol):
    """How results are put together when they are read, whatever they are."""

    def fill(self, values: Sequence[str | None], /) -> str:
        """The result with these texts in its slots."""

    def sql(self, values: str, /) -> str:
        """The same in SQL, over an array of texts."""


@dataclass(frozen=True, slots=True)
class Template:
    """How results are put together when they are read."""

    parts: tuple[str | int, ...]
    """Literal XML, or the number of a slot."""

    def fill(self, values: Sequence[str | None]) -> str:
        """The result with these texts in its slots."""
        texts = [part if isinstance(part, str) else values[part] or "" for part in self.parts]
        return close_elements("".join(texts))

    def sql(self, values: str) -> str:
        """The same in SQL, over an array of texts."""
        texts = [
            string(each) if isinstance(each, str) else f"{values}[{each}]" for each in self.parts
        ]
        literals = [part for part in self.parts if isinstance(part, str)]
        return closed_elements(f"concat({', '.join([string(''), *texts])})", literals)

    def to_json(self) -> str:
        """This template as JSON text."""
        return json.dumps(self.parts, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Template:
        """The template that to_json has written."""
        return cls(tuple(json.loads(text)))


@dataclass(frozen=True, slots=True)
class TaggedTemplate:
    """A template whose results have tags: the numbers of their sets stand in the last slots."""

    template: Template
    first: int
    """The first of these slots."""

    def fill(self, values: Sequence[str | None]) -> str:
        """The result without its tags."""
        return self.template.fill(values)

    def sql(self, values: str) -> str:
        """The same in SQL."""
        return self.template.sql(values)

    def sets(self, values: Sequence[str | None]) -> tuple[int, ...]:
        """The numbers of the sets of tags on what a result is made of."""
        listed = ",".join(each for each in values[self.first :] if each)
        return tuple(dict.fromkeys(map(int, listed.split(",")))) if listed else ()


@dataclass(frozen=True, slots=True)
class CompiledTemplate:
    """A template and the SQL of each of its slots: strings that are never null."""

    template: Template
    slots: tuple[str, ...]


def template(expression: Expression, scope: Scope) -> CompiledTemplate:
    """What an expression prints; equal dynamic parts are one slot."""
    parts = merged(parts_of(expression, environment_of(scope)))
    slots: dict[str, int] = {}
    numbered = tuple(_numbered(part, slots) for part in parts)
    return CompiledTemplate(Template(numbered), tuple(slots))


def _numbered(part: Part, slots: dict[str, int]) -> str | int:
    return part if isinstance(part, str) else slots.setdefault(part.sql, len(slots))
