"""In which order the children of an element stand, when one order fits all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from millstream.model.schema import Occurs


@dataclass(slots=True)
class ChildOrder:
    """Which names were found before which others; it grows as models or items are read."""

    names: dict[str, None] = field(default_factory=dict)
    before: set[tuple[str, str]] = field(default_factory=set)

    def add(self, names: Iterable[str]) -> None:
        """Know these names, without any order between them."""
        self.names.update(dict.fromkeys(names))

    def add_between(self, earlier: Iterable[str], later: Iterable[str]) -> None:
        """Each of the earlier names may stand before each of the later ones."""
        following = tuple(later)
        self.before.update(
            (name, other) for name in earlier for other in following if name != other
        )

    def add_run(self, names: Iterable[str]) -> None:
        """These names stood in this order; a name that comes back stands before and after."""
        seen: dict[str, None] = {}
        for name in names:
            self.add_between(seen, (name,))
            seen[name] = None
        self.add(seen)

    def merge(self, other: ChildOrder) -> None:
        self.add(other.names)
        self.before |= other.before

    def clash(self) -> tuple[str, str] | None:
        """Two names that stand in either order, if there are such."""
        return min(
            (pair for pair in self.before if (pair[1], pair[0]) in self.before), default=None
        )

    def ordered(self) -> tuple[str, ...] | None:
        """The names in an order that fits all that was found, or None if there is none."""
        remaining = list(self.names)
        ordered: list[str] = []
        while remaining:
            first = next((name for name in remaining if self._leads(name, remaining)), None)
            if first is None:
                return None
            ordered.append(first)
            remaining.remove(first)
        return tuple(ordered)

    def _leads(self, name: str, remaining: list[str]) -> bool:
        return not any((other, name) in self.before for other in remaining)


def occurs(least: int, most: int) -> Occurs:
    """How often a child stands in its parent, from the least and the greatest number of times."""
    if most > 1:
        return Occurs.SOME if least else Occurs.MANY
    return Occurs.ONE if least else Occurs.OPTIONAL
