"""What the schema knows of the end of a path: its type, and that it occurs at most once."""

from __future__ import annotations

from collections.abc import Iterable

from millstream.algebra.expressions import PathTo
from millstream.algebra.operators import Binding, NodeBinding, ValueBinding
from millstream.model.schema import Content, Element, ValueType


def single_type(path: PathTo, bindings: Iterable[Binding]) -> ValueType | None:
    """The type of a path that reaches at most one value; None for any other path."""
    binding = next((each for each in bindings if each.variable == path.variable), None)
    match binding:
        case ValueBinding(_, kind) if not path.steps:
            return kind
        case NodeBinding(_, element, many=False):
            return _leaf_type(element, path)
        case _:
            return None


def _leaf_type(element: Element, path: PathTo) -> ValueType | None:
    names = [step.name for step in path.steps if not step.predicates]
    if len(names) != len(path.steps):
        return None
    for number, name in enumerate(names):
        if name.startswith("@"):
            attribute = element.attribute(name[1:])
            return attribute.type if attribute and number == len(names) - 1 else None
        child = element.child(name)
        if child is None or child.repeated:
            return None
        element = child
    return element.type if element.content is Content.LEAF else None
