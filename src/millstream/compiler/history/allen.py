"""Allen's words: how two lifespans lie to each other."""

from __future__ import annotations

from collections.abc import Callable

from millstream.algebra.xcql import expressions as core
from millstream.compiler.history.environment import Environment
from millstream.compiler.history.lifespans import OPEN_SQL, Lifespan
from millstream.compiler.history.paths import PathCompiler
from millstream.compiler.history.sequences import Atoms, Chain, Nodes, Type
from millstream.compiler.history.untranslatable import Untranslatable

_Test = Callable[[Lifespan], str]


class AllenCompiler(PathCompiler):
    """Compiles comparisons of lifespans."""

    def related(self, related: core.Related, environment: Environment) -> Atoms:
        """True if some lifespan of the one side lies so to some of the other."""
        test = self._some_lifespan(
            related.left,
            environment,
            lambda one: self._some_lifespan(
                related.right, environment, lambda other: _relation(related.word, one, other)
            ),
        )
        return Atoms(test, Type.TRUTH)

    def _some_lifespan(self, side: core.Expression, environment: Environment, test: _Test) -> str:
        if isinstance(side, core.Interval):
            return self._written_interval(side, environment, test)
        found = self.compiled(side, environment)
        match found:
            case Nodes(array=None, present=present):
                holds = test(self.covers.lifespan(found.spot))
                return holds if present is None else f"({present} AND {holds})"
            case Nodes(array=str(array)):
                name = self.statement.fresh("n")
                return f"exists({array}, {name} -> {test(self.covers.lifespan(found.make(name)))})"
            case Chain(()):
                return "false"
        raise Untranslatable("the lifespans of what is not stored, or in no order", side.span)

    def _written_interval(
        self, interval: core.Interval, environment: Environment, test: _Test
    ) -> str:
        """An interval that is written out; one that ends now has an open end, as lifespans have."""
        if interval.begin == interval.end == core.Now():
            raise Untranslatable("an interval of the present", interval.span)
        begin, end = self.bounds(interval, environment)
        if interval.end == core.Now():
            end = OPEN_SQL
        closed = "false" if end == OPEN_SQL else f"({end} <> {OPEN_SQL})"
        return f"({begin} <= {end} AND {test(Lifespan(begin, end, closed))})"


def _relation(word: str, one: Lifespan, other: Lifespan) -> str:
    ends = _order_of_ends(one, other)

    def lies(begin: str, end: str) -> str:
        return f"({one.begin} {begin} {other.begin} AND {ends} {end} 0)"

    gaps = {"before": "<", "meets": "=", "overlaps": ">"}
    if word in gaps:
        return f"({lies('<', '<')} AND {one.end} {gaps[word]} {other.begin})"
    gaps = {"after": "<", "met-by": "=", "overlapped-by": ">"}
    if word in gaps:
        return f"({lies('>', '>')} AND {other.end} {gaps[word]} {one.begin})"
    signs = {
        "starts": ("=", "<"),
        "equals": ("=", "="),
        "started-by": ("=", ">"),
        "finished-by": ("<", "="),
        "contains": ("<", ">"),
        "finishes": (">", "="),
        "during": (">", "<"),
    }
    return lies(*signs[word])


def _order_of_ends(one: Lifespan, other: Lifespan) -> str:
    """-1, 0 or 1; an end that is not included comes before an instant at the same time."""
    return (
        f"CASE WHEN {one.end} < {other.end} THEN -1 WHEN {one.end} > {other.end} THEN 1 "
        f"WHEN {one.closed} = {other.closed} THEN 0 "
        f"WHEN {one.begin} <> {one.end} AND {other.begin} <> {other.end} THEN 0 "
        f"WHEN {one.closed} THEN 1 ELSE -1 END"
    )
