"""What a DTD's content model says about the children of an element."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from millstream.model.child_order import ChildOrder, occurs
from millstream.model.schema import Occurs

_MANY = 2
"""Stands for every number of times above one: more is never asked."""


class Particle(Protocol):
    """A node of a content model as lxml gives it: a name, or a binary 'seq' or 'or'."""

    name: str | None
    type: str
    occur: str
    left: Particle | None
    right: Particle | None


@dataclass(slots=True)
class ContentModel:
    """How often each child may stand, and in which order."""

    counts: dict[str, tuple[int, int]] = field(default_factory=dict)
    order: ChildOrder = field(default_factory=ChildOrder)

    def children(self) -> tuple[tuple[str, Occurs], ...] | None:
        """The children in model order, or None if no order fits every content."""
        ordered = self.order.ordered()
        if ordered is None:
            return None
        return tuple((name, occurs(*self.counts[name])) for name in ordered)


def read_content(particle: Particle) -> ContentModel:
    """What a content model says about its children."""
    model = _named(particle.name or "") if particle.type == "element" else _joined(particle)
    return _repeated(model, particle.occur)


def _named(name: str) -> ContentModel:
    model = ContentModel({name: (1, 1)})
    model.order.add((name,))
    return model


def _joined(particle: Particle) -> ContentModel:
    parts = _parts(particle)
    joined = read_content(parts[0])
    for part in parts[1:]:
        joined = _pair(joined, read_content(part), sequence=particle.type == "seq")
    return joined


def _parts(particle: Particle) -> list[Particle]:
    # A group of n parts comes as a chain to the right; a loop, as groups of thousands exist.
    parts: list[Particle] = []
    rest: Particle | None = particle
    while rest is not None and rest.type == particle.type and (not parts or rest.occur == "once"):
        if rest.left is None:
            break
        parts.append(rest.left)
        rest = rest.right
    return parts if rest is None else [*parts, rest]


def _pair(one: ContentModel, other: ContentModel, *, sequence: bool) -> ContentModel:
    names = dict.fromkeys((*one.counts, *other.counts))
    combine = _in_turn if sequence else _either
    counts = {
        name: combine(one.counts.get(name, (0, 0)), other.counts.get(name, (0, 0)))
        for name in names
    }
    one.order.merge(other.order)
    if sequence:
        one.order.add_between(one.counts, other.counts)
    return ContentModel(counts, one.order)


def _in_turn(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return min(one[0] + other[0], _MANY), min(one[1] + other[1], _MANY)


def _either(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return min(one[0], other[0]), max(one[1], other[1])


def _repeated(model: ContentModel, occur: str) -> ContentModel:
    least = 0 if occur in ("opt", "mult") else 1
    most = _MANY if occur in ("plus", "mult") else 1
    if most == _MANY:
        model.order.add_between(model.counts, model.counts)
    counts = {
        name: (each[0] * least, min(each[1] * most, _MANY)) for name, each in model.counts.items()
    }
    return ContentModel(counts, model.order)
