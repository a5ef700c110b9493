"""Streams whose items are windows: one generic item a window, with aggregates of its contents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from millstream.algebra.operators import AggregateFunction
from millstream.errors import InternalError
from millstream.model.schema import Content, Element, Path, Schema, ValueType
from millstream.sharing.partial_aggregates import travelling
from millstream.sharing.properties import AggregateOf, WindowProperties

ROOT = "windows"
ITEM = "window"
START = "start"
"""The element that holds where a window starts, in whole ticks of its stream's clock."""


@dataclass(frozen=True, slots=True)
class WindowItems:
    """What the items of such a stream say: how long each window is, and aggregates of it."""

    size: int
    carried: tuple[AggregateOf, ...]

    @staticmethod
    def of(window: WindowProperties, schema: Schema) -> WindowItems:
        """What travels for the windows of a subscription on a stream of a schema."""
        return WindowItems(window.spec.size, travelling(window.aggregates, schema))

    @property
    def schema(self) -> Schema:
        """The schema of the items: a start, and an element for each aggregate."""
        start = Element(START, type=ValueType.INTEGER)
        values = (Element(self.name(each), type=each.type) for each in self.carried)
        return Schema(ROOT, Element(ITEM, content=Content.NESTED, children=(start, *values)))

    def name(self, aggregate: AggregateOf) -> str:
        """The element that holds an aggregate."""
        return f"a{self.carried.index(aggregate)}"

    def holding(self, function: AggregateFunction, path: Path) -> str:
        """The element that holds an aggregate of a path."""
        for each in self.carried:
            if (each.function, each.path) == (function, path):
                return self.name(each)
        raise InternalError(f"no {function.value} of {'/'.join(path) or '.'} is carried")

    def to_json(self) -> dict[str, Any]:
        """This as JSON values."""
        carried = [
            {"function": each.function.value, "path": list(each.path), "type": each.type.value}
            for each in self.carried
        ]
        return {"size": self.size, "carried": carried}

    @staticmethod
    def from_json(content: Mapping[str, Any]) -> WindowItems:
        """What `to_json` wrote."""
        carried = tuple(
            AggregateOf(
                AggregateFunction(each["function"]), tuple(each["path"]), ValueType(each["type"])
            )
            for each in content["carried"]
        )
        return WindowItems(content["size"], carried)
