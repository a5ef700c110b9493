"""Nodes of two paths from a stream together: those of either, of both, or of the first alone."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from millstream.algebra.xcql import expressions as core
from millstream.algebra.xcql.walk import variables
from millstream.compiler.history.conditions import Conditions
from millstream.compiler.history.environment import Environment
from millstream.compiler.history.frames import Frame
from millstream.compiler.history.paths import PathCompiler
from millstream.compiler.history.sequences import Nodes, Sequence
from millstream.compiler.history.sources import Asked
from millstream.compiler.history.spots import Spot
from millstream.compiler.history.untranslatable import Untranslatable

_KEYS = ("table", "id", "version", "from")
_TESTS = {
    "union": "({0} IS NOT NULL OR {1} IS NOT NULL)",
    "intersect": "({0} IS NOT NULL AND {1} IS NOT NULL)",
    "except": "({0} IS NOT NULL AND {1} IS NULL)",
}


class SetCompiler(PathCompiler):
    """Compiles unions, intersections and differences: all nodes, and which side has each."""

    def combined(self, combined: core.Combined, environment: Environment, found: Nodes) -> Nodes:
        """Of all nodes of the places, a row each, those that the operator leaves."""
        spot = found.spot
        own = self._told(spot)
        marks = []
        for side in (combined.left, combined.right):
            part, names, mark = self._side(side, environment)
            condition = " AND ".join(
                f"{part}.{name} = {key}" for name, key in zip(names, own, strict=True)
            )
            environment.frame.attach(part, condition)
            marks.append(mark)
        environment.frame.filter(_TESTS[combined.operator].format(*marks))
        return found

    def _side(self, side: core.Expression, around: Environment) -> tuple[str, list[str], str]:
        """A part with what tells the nodes of one side, once each, and a mark."""
        if variables(side):
            raise Untranslatable("nodes that depend on variables, taken together", side.span)
        frame = Frame(self.statement)
        conditions = Conditions(frame)
        item = self.rows(side, replace(around, frame=frame), conditions)
        if not isinstance(item, Nodes) or item.array is not None or item.present is not None:
            raise Untranslatable("what is not stored, taken together", side.span)
        if item.spot.window is not None:
            raise Untranslatable("what is seen through windows, taken together", side.span)
        conditions.apply()
        names = [self.statement.fresh("k") for _ in _KEYS]
        mark = self.statement.fresh("m")
        told = self._told(item.spot)
        selected = ", ".join(f"{sql} AS {name}" for sql, name in zip(told, names, strict=True))
        rows = frame.rows
        part = self.statement.add(
            "made", lambda: f"SELECT DISTINCT {selected}, true AS {mark} FROM {rows}"
        )
        return part, names, mark

    def _told(self, spot: Spot) -> list[str]:
        return [
            *(spot.column(Asked(kind)) for kind in _KEYS[:-1]),
            spot.value("from"),
        ]

    @abstractmethod
    def rows(
        self, source: core.Expression, environment: Environment, conditions: Conditions
    ) -> Sequence:
        """The one node of a path in each row."""
