"""What a random expression may speak of: variables, and the paths that lead on from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from millstream.algebra.expressions import Expression, PathTo, Step
from millstream.model.schema import Element, Leaf, Path, ValueType
from millstream.testing.strategies.schemas import Place, leaves, places


@dataclass(frozen=True, slots=True)
class Scope:
    """Variables that hold one node or one atomic value each."""

    nodes: tuple[tuple[str, Element], ...] = ()
    values: tuple[tuple[str, ValueType], ...] = ()
    untyped: bool = False
    """True: only what means the same to XQuery without types."""

    def with_node(self, variable: str, element: Element) -> Scope:
        """This scope with one more node variable."""
        return replace(self, nodes=(*self.nodes, (variable, element)))

    def leaf_paths(self, accepts: Callable[[Leaf], bool]) -> tuple[PathTo, ...]:
        """The paths to acceptable leaves and attributes."""
        return tuple(
            plain_path(variable, leaf.path)
            for variable, element in self.nodes
            for leaf in leaves(element)
            if accepts(leaf)
        )

    def single_paths(self, *types: ValueType) -> tuple[PathTo, ...]:
        """The paths to at most one value of these types."""
        return self.leaf_paths(lambda leaf: leaf.type in types and not leaf.repeated)

    def paths(self, *types: ValueType) -> tuple[PathTo, ...]:
        """The paths to any number of values of these types."""
        return self.leaf_paths(lambda leaf: leaf.type in types)

    def element_paths(self) -> Iterator[tuple[PathTo, Place]]:
        """The paths to elements below the variables."""
        for variable, element in self.nodes:
            for place in places(element):
                yield plain_path(variable, place.path), place

    def value_paths(self, *types: ValueType) -> tuple[Expression, ...]:
        """The variables that hold an atomic value of these types."""
        return tuple(PathTo(variable) for variable, type in self.values if type in types)


def plain_path(variable: str, path: Path) -> PathTo:
    """The path without predicates."""
    return PathTo(variable, tuple(Step(name) for name in path))
