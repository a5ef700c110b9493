"""What predicates speak of: the values of an item, by names that no query chose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from millstream.algebra.expressions import PathTo
from millstream.model.schema import Content, Element, Schema, ValueType

ITEM = "."
"""The name of the item itself."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A value of an item or of a window: 'coord/cel/ra', 'avg(en)'."""

    name: str
    type: ValueType
    single: bool = True
    """True if it occurs at most once; else a comparison asks for some value, each by itself."""


Resolve = Callable[[PathTo], Variable | None]
"""The variable that a path reaches; None if nothing is known of the path."""


def item_resolver(variable: str, schema: Schema) -> Resolve:
    """Resolves the paths that start at a variable which holds one item."""

    def resolve(path: PathTo) -> Variable | None:
        if path.variable != variable or any(step.predicates for step in path.steps):
            return None
        return _reached(schema.item, tuple(step.name for step in path.steps))

    return resolve


def _reached(element: Element, names: tuple[str, ...]) -> Variable | None:
    single = True
    for number, name in enumerate(names):
        if name.startswith("@"):
            attribute = element.attribute(name[1:])
            last = number == len(names) - 1
            return Variable("/".join(names), attribute.type, single) if attribute and last else None
        child = element.child(name)
        if child is None:
            return None
        element, single = child, single and not child.repeated
    # An element with others inside is compared by all the text in it.
    type = element.type if element.content is Content.LEAF else ValueType.TEXT
    return Variable("/".join(names) or ITEM, type, single)
