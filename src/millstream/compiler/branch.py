"""One branch of a subscription, compiled: statements that all of its signature share, and data."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from millstream.algebra.operators import Construct, Operator, Select, Unnest, Window, scans
from millstream.compiler.constants import Constant, Constants
from millstream.compiler.expressions import condition
from millstream.compiler.fold import Fold
from millstream.compiler.joins import JoinedRows
from millstream.compiler.matching import Matching, nested_loop
from millstream.compiler.node_arrays import node_array
from millstream.compiler.partials import partials, rebased
from millstream.compiler.rows import CHANNELS, MATCHED, Rows
from millstream.compiler.scope import NodeColumn, Scope, ValueColumn
from millstream.compiler.statement import (
    JoinStatement,
    PlainStatement,
    Statement,
    WindowStatement,
)
from millstream.compiler.template import Template, template
from millstream.compiler.window_source import CountSource, TimeSource, WindowSource
from millstream.errors import InternalError, UnsupportedError
from millstream.model.schema import Path, ValueType
from millstream.model.window import EndRule, WindowKind, WindowSpec


@dataclass(frozen=True)
class Branch:
    """A branch as the shared batch sees it: statements, constants for them, and a template."""

    statements: Mapping[str, Statement]
    """By the stream whose steps they belong to."""
    constants: tuple[Constant, ...]
    template: Template
    window: WindowSpec | None = None
    end: EndRule = EndRule.RUN
    tile: int | None = None

    @cached_property
    def signature(self) -> str:
        """The same for two branches that differ in data only, on all of their streams."""
        parts = [
            f"{stream}: {statement.sql(disordered=False, full=False)} {statement.channel_columns!r}"
            for stream, statement in self.statements.items()
        ]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    @property
    def reference(self) -> Path | None:
        """The path whose values place items in windows, for time-based windows."""
        window = self.window
        return window.reference if window and window.kind is WindowKind.DIFF else None


def compile_branch(branch: Construct, *, end: EndRule | None = None, empty: bool = False) -> Branch:
    """A branch of a query, ready for the shared batch."""
    if len(scans(branch.input)) > 1:
        return _compile_join(branch)
    window, above = _split(branch.input)
    if window is None:
        return _compile_plain(branch)
    return _compile_window(branch, window, above, end, empty)


def batch_sql(
    statements: Mapping[str, Statement],
    *,
    disordered: frozenset[str],
    full: bool,
    matchings: Mapping[str, Matching] = {},
) -> str:
    """One statement for all signatures: every output row of a step.

    Signatures without a matching try every item with every channel.
    """
    return "\nUNION ALL\n".join(
        statement.sql(disordered=signature in disordered, full=full)
        .replace(MATCHED, matchings.get(signature, nested_loop(0)).sql)
        .replace(CHANNELS, channels_view(signature))
        for signature, statement in sorted(statements.items())
    )


def channels_view(signature: str) -> str:
    """The name of the view that holds the channels of a signature."""
    return f"channels_{signature}"


def _split(operator: Operator) -> tuple[Window | None, tuple[Select | Unnest, ...]]:
    """The window of an operator tree, and what stands above it, lowest first."""
    above: list[Select | Unnest] = []
    while isinstance(operator, Select | Unnest):
        above.insert(0, operator)
        operator = operator.input
    return (operator, tuple(above)) if isinstance(operator, Window) else (None, ())


def _compile_plain(branch: Construct) -> Branch:
    rows = Rows(Constants("c"))
    rows.add(branch.input)
    compiled = template(branch.template, rows.scope())
    statement = PlainStatement(rows, compiled.slots)
    stream = scans(branch.input)[0].stream
    return Branch({stream: statement}, tuple(rows.constants.values), compiled.template)


def _compile_join(branch: Construct) -> Branch:
    streams = dict.fromkeys(scan.stream for scan in scans(branch.input))
    statements: dict[str, Statement] = {}
    for stream in streams:
        # Every stream's statement takes the same constants, in the same order.
        constants = Constants("c")
        joined = JoinedRows(stream, constants)
        relation = joined.relation(branch.input)
        scope: Scope = {name: each.at("n") for name, each in relation.columns.items()}
        compiled = template(branch.template, scope)
        statements[stream] = JoinStatement(
            relation, tuple(joined.buffers), constants.columns(), compiled.slots, tuple(streams)
        )
    return Branch(statements, tuple(constants.values), compiled.template)


def _compile_window(
    branch: Construct,
    window: Window,
    operators: tuple[Select | Unnest, ...],
    end: EndRule | None,
    empty: bool,
) -> Branch:
    rows = Rows(Constants("c"))
    rows.add(window.input)
    element = window.input.bindings[-1].variable
    aggregations = tuple(rebased(each, element) for each in window.aggregations)
    fold = Fold(rows, _source(window), partials(aggregations), element, window.keeps_contents)
    above = _Above(fold, window)
    for operator in operators:
        above.add(operator)
    compiled = template(branch.template, above.scope())
    statement = WindowStatement(
        fold,
        compiled.slots,
        tuple(above.where),
        tuple(above.lateral),
        tuple(above.ordering),
        empty or window.empty,
        above.names_constants,
    )
    return Branch(
        {scans(window)[0].stream: statement},
        tuple(rows.constants.values),
        compiled.template,
        window.spec,
        end or window.end or window.spec.default_end,
        window.tile,
    )


def _source(window: Window) -> WindowSource:
    tiled = window.tile is not None
    if window.spec.kind is WindowKind.COUNT:
        if tiled:
            raise InternalError("tiles have a place in time, and are not counted")
        return CountSource()
    leaf = scans(window)[0].schema.leaf(window.spec.reference)
    inner = window.input
    while isinstance(inner, Select):
        inner = inner.input
    if leaf is None or isinstance(inner, Unnest):
        raise UnsupportedError(
            "a time-based window over elements inside items cannot run",
            help="put the window on the items of the stream, or use a count window",
        )
    return TimeSource(leaf.path, leaf.type, tiled)


class _Above:
    """What stands above a window: conditions on it and loops over its contents."""

    def __init__(self, fold: Fold, window: Window) -> None:
        self._constants = fold.rows.constants
        self._below = len(self._constants.values)
        self._variables: dict[str, NodeColumn | ValueColumn] = dict(fold.partials.final_scope("w"))
        self.where: list[str] = []
        self.lateral: list[str] = []
        self.ordering = ["w.k * w.step + w.size", "w.k * w.step"]
        if window.start is not None:
            self._variables[window.start] = ValueColumn("w.k * w.step", ValueType.INTEGER)
        if window.keeps_contents:
            node = fold.rows.variables[fold.variable]
            if not isinstance(node, NodeColumn):
                raise InternalError("a window holds nodes")
            self._variables[window.variable] = NodeColumn("w.contents", node.element, many=True)

    def scope(self) -> Scope:
        return {**self._variables, **self._constants.scope()}

    @property
    def names_constants(self) -> bool:
        return len(self._constants.values) > self._below

    def add(self, operator: Select | Unnest) -> None:
        if isinstance(operator, Select):
            predicate = self._constants.take_from(operator.predicate)
            self.where.append(condition(predicate, self.scope()))
            return
        name = f"u{len(self.lateral)}"
        nodes = node_array(operator.source, self.scope(), operator.element)
        # OUTER, because state rows must pass; windows without such nodes are dropped after.
        self.lateral.append(
            f"LATERAL VIEW OUTER posexplode({nodes}) {name} AS {name}_number, {name}_node"
        )
        self.where.append(f"{name}.{name}_node IS NOT NULL")
        self._variables[operator.variable] = NodeColumn(f"{name}.{name}_node", operator.element)
        self.ordering.append(f"CAST({name}.{name}_number AS BIGINT)")
