"""One branch of a subscription, compiled: the SQL that all of its signature share, and its data."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

from millstream.algebra.operators import Construct, Operator, Select, Unnest, Window, scans
from millstream.compiler import gaps, output
from millstream.compiler.constants import Constant, Constants
from millstream.compiler.expressions import condition
from millstream.compiler.fold import Fold
from millstream.compiler.nodes import node_array
from millstream.compiler.partials import partials, rebased
from millstream.compiler.rows import CHANNELS, Rows
from millstream.compiler.scope import NodeColumn, Scope, ValueColumn
from millstream.compiler.template import CompiledTemplate, Template, template
from millstream.compiler.window_source import CountSource, TimeSource, WindowSource
from millstream.compiler.windows import LATE_ROW
from millstream.errors import UnsupportedError
from millstream.model.schema import Path
from millstream.model.window import EndRule, WindowKind, WindowSpec


@dataclass(frozen=True)
class Branch:
    """A branch as the shared batch sees it: a statement, constants for it, and a template."""

    stream: str
    statement: Statement
    constants: tuple[Constant, ...]
    template: Template
    window: WindowSpec | None = None
    end: EndRule = EndRule.RUN

    @cached_property
    def signature(self) -> str:
        """The same for two branches that differ in data only."""
        text = self.statement.sql(disordered=False, full=False)
        columns = repr(self.statement.constant_columns)
        return hashlib.sha256((text + columns).encode()).hexdigest()[:16]

    @property
    def reference(self) -> Path | None:
        """The path whose values place items in windows, for time-based windows."""
        timed = self.window is not None and self.window.kind is WindowKind.DIFF
        return self.window.reference if timed and self.window else None


@dataclass(frozen=True)
class Statement:
    """The SQL of a signature: for every channel, its results and the state it needs next."""

    rows: Rows
    slots: tuple[str, ...]
    fold: Fold | None = None
    after: tuple[str, ...] = ()
    """Conditions on windows."""
    lateral: tuple[str, ...] = ()
    ordering: tuple[str, ...] = ()
    empty: bool = False

    @property
    def constant_columns(self) -> tuple[tuple[str, str], ...]:
        return self.rows.constants.columns()

    @property
    def reference(self) -> str | None:
        """The path whose order decides which items are late, for time-based windows."""
        timed = self.fold is not None and isinstance(self.fold.source, TimeSource)
        return "/".join(self.fold.source.reference) if timed and self.fold else None

    def sql(self, *, disordered: bool, full: bool) -> str:
        """The select that gives output rows, with CHANNELS in place of the channels' view."""
        values = output.array(self.slots)
        if self.fold is None:
            ordering = output.array(self.ordering)
            row = output.row(
                kind=f"'{output.RESULTS}'", channel="c.channel", ordering=ordering, values=values
            )
            return f"SELECT {row} {self.rows.relation()}"
        return self._windows(self.fold, values, disordered, full)

    def _windows(self, fold: Fold, values: str, disordered: bool, full: bool) -> str:
        folded = fold.sql(disordered=disordered, full=full)
        if self.empty:
            folded = gaps.filled(folded, fold.partials, fold.contents)
        role, own, state_values, content = fold.state_row("w")
        result = "w.k >= 0"
        kind = f"CASE WHEN {result} THEN '{output.RESULTS}' WHEN w.k = {LATE_ROW} THEN '{output.LATE}' ELSE '{output.STATE}' END"
        row = output.row(
            kind=kind,
            role=f"CASE WHEN {result} THEN NULL WHEN w.k = {gaps.EMITTED_ROW} THEN '{output.EMITTED}' ELSE {role} END",
            channel="w.channel",
            tick=f"IF({result}, w.k * w.step, w.slice)",
            ordering=f"CASE WHEN {result} THEN {output.array(self.ordering)}"
            f" WHEN w.k = {LATE_ROW} THEN array(w.late) ELSE {own} END",
            values=f"IF({result}, {values}, {state_values})",
            content=f"IF({result}, NULL, {content})",
        )
        kept = " AND ".join(self.after) or "true"
        laterals = "".join(f" {each}" for each in self.lateral)
        relation = f"({folded}) w JOIN {CHANNELS} c ON c.channel = w.channel"
        select = f"SELECT {row} FROM {relation}{laterals} WHERE w.k < 0 OR ({kept})"
        if self.empty and full:
            select += f" UNION ALL {gaps.remembered()}"
        return select


def compile_branch(branch: Construct, *, end: EndRule | None = None, empty: bool = False) -> Branch:
    """A branch of a query, ready for the shared batch."""
    if len(scans(branch.input)) > 1:
        raise UnsupportedError("a subscription that joins streams cannot run yet")
    window, after = _split(branch.input)
    if window is None:
        return _compile_plain(branch)
    return _compile_window(branch, window, after, end, empty)


def _split(operator: Operator) -> tuple[Window | None, tuple[Select | Unnest, ...]]:
    """The window of an operator tree, and what stands above it, lowest first."""
    above: list[Select | Unnest] = []
    while isinstance(operator, Select | Unnest):
        above.insert(0, operator)
        operator = operator.input
    if isinstance(operator, Window):
        return operator, tuple(above)
    return None, ()


def _compile_plain(branch: Construct) -> Branch:
    rows = Rows(Constants("c"))
    rows.add(branch.input)
    compiled = template(branch.template, rows.scope())
    statement = Statement(rows, compiled.slots, ordering=tuple(rows.ordering))
    stream = scans(branch.input)[0].stream
    return Branch(stream, statement, tuple(rows.constants.values), compiled.template)


def _compile_window(
    branch: Construct,
    window: Window,
    after: tuple[Select | Unnest, ...],
    end: EndRule | None,
    empty: bool,
) -> Branch:
    rows = Rows(Constants("c"))
    rows.add(window.input)
    element = window.input.bindings[-1].variable
    aggregations = tuple(rebased(each, element) for each in window.aggregations)
    fold = Fold(rows, _source(window), partials(aggregations), element, window.keeps_contents)
    above = _Above(fold, window)
    for operator in after:
        above.add(operator)
    compiled = above.template(branch)
    statement = Statement(
        rows,
        compiled.slots,
        fold,
        after=tuple(above.where),
        lateral=tuple(above.lateral),
        ordering=tuple(above.ordering),
        empty=empty or window.empty,
    )
    stream = scans(window)[0].stream
    rule = end or window.end or window.spec.default_end
    return Branch(
        stream, statement, tuple(rows.constants.values), compiled.template, window.spec, rule
    )


def _source(window: Window) -> WindowSource:
    if window.spec.kind is WindowKind.COUNT:
        return CountSource()
    scan = scans(window)[0]
    leaf = scan.schema.leaf(window.spec.reference)
    inner = window.input
    while isinstance(inner, Select):
        inner = inner.input
    if leaf is None or isinstance(inner, Unnest):
        raise UnsupportedError(
            "a time-based window over elements inside items cannot run",
            help="put the window on the items of the stream, or use a count window",
        )
    return TimeSource(leaf.path, leaf.type)


class _Above:
    """What stands above a window: conditions on it and loops over its contents."""

    def __init__(self, fold: Fold, window: Window) -> None:
        self.constants = fold.rows.constants
        self.lateral: list[str] = []
        self.where: list[str] = []
        self.ordering = ["w.k * w.step + w.size", "w.k * w.step"]
        self.variables: dict[str, NodeColumn | ValueColumn] = dict(fold.partials.final_scope("w"))
        if window.keeps_contents:
            node = fold.rows.variables[fold.variable]
            assert isinstance(node, NodeColumn)
            self.variables[window.variable] = NodeColumn("w.contents", node.element, many=True)

    def scope(self) -> Scope:
        return {**self.variables, **self.constants.scope()}

    def add(self, operator: Select | Unnest) -> None:
        if isinstance(operator, Select):
            predicate = self.constants.take_from(operator.predicate)
            self.where.append(condition(predicate, self.scope()))
            return
        name = f"u{len(self.lateral)}"
        nodes = node_array(operator.source, self.scope())
        self.lateral.append(
            f"LATERAL VIEW OUTER posexplode({nodes}) {name} AS {name}_number, {name}_node"
        )
        self.where.append(f"{name}.{name}_node IS NOT NULL")
        self.variables[operator.variable] = NodeColumn(f"{name}.{name}_node", operator.element)
        self.ordering.append(f"CAST({name}.{name}_number AS BIGINT)")

    def template(self, branch: Construct) -> CompiledTemplate:
        return template(branch.template, self.scope())


def channel_columns(statement: Statement) -> tuple[tuple[str, str], ...]:
    """Name and SQL type of the columns of a signature's channels."""
    window = (
        ("size", "BIGINT"),
        ("step", "BIGINT"),
        ("first_window", "BIGINT"),
        ("ending", "STRING"),
    )
    own = window if statement.fold is not None else ()
    return (("channel", "INT"), *own, *statement.constant_columns)


def batch_sql(statements: dict[str, Statement], *, disordered: frozenset[str], full: bool) -> str:
    """One statement for all signatures: every output row of a step."""
    parts = [
        statement.sql(disordered=signature in disordered, full=full).replace(
            CHANNELS, channels_view(signature)
        )
        for signature, statement in sorted(statements.items())
    ]
    return "\nUNION ALL\n".join(parts)


def channels_view(signature: str) -> str:
    """The name of the view that holds the channels of a signature."""
    return f"channels_{signature}"
