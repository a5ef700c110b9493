"""One branch of a subscription, compiled: statements that all of its signature share, and data."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from millstream.algebra.operators import Construct, Operator, Select, Unnest, Window, scans
from millstream.algebra.walk import expressions, operators
from millstream.compiler.constants import Constant, Constants
from millstream.compiler.fold import Fold
from millstream.compiler.fold_slices import TOGETHER, FoldSlices
from millstream.compiler.fold_statement import FoldStatement
from millstream.compiler.forms import FormBuilder
from millstream.compiler.joins import JoinedRows
from millstream.compiler.matching import Matching, nested_loop
from millstream.compiler.order import IN_ORDER, Order
from millstream.compiler.partials import partials
from millstream.compiler.relations import with_relations
from millstream.compiler.rows import CHANNELS, MATCHED, Rows
from millstream.compiler.scope import NodeColumn, Scope
from millstream.compiler.statement import JoinStatement, PlainStatement, Statement
from millstream.compiler.step_tags import ALL_TAGS, NO_TAGS, StepTags
from millstream.compiler.tags.compilation import asks_tags, compile_tags
from millstream.compiler.tags.functions import asks_contents
from millstream.compiler.template import (
    CompiledTemplate,
    ResultTemplate,
    TaggedTemplate,
    template,
)
from millstream.compiler.window_source import CountSource, TimeSource, WindowSource
from millstream.compiler.windows import MEMBERS, READERS
from millstream.errors import InternalError, UnsupportedError
from millstream.model.schema import Path
from millstream.model.tags.step_layout import TAGSET
from millstream.model.window import EndRule, WindowKind, WindowSpec


@dataclass(frozen=True)
class Branch:
    """A branch as the shared batch sees it: statements, constants for them, and a template."""

    statements: Mapping[str, Statement]
    """By the stream whose steps they belong to."""
    constants: tuple[Constant, ...]
    template: ResultTemplate
    window: WindowSpec | None = None
    end: EndRule = EndRule.RUN
    tile: int | None = None

    @cached_property
    def signature(self) -> str:
        """The same for two branches that differ in data only, on all of their streams."""
        parts = [
            f"{stream}: {statement.sql(order=IN_ORDER, full=False, tags=ALL_TAGS)}"
            f" {statement.channel_columns!r}"
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
    if asks_tags(branch):
        compiled = compile_tags(branch)
        return Branch(compiled.statements, compiled.constants, compiled.template)
    if len(scans(branch.input)) > 1:
        return _compile_join(branch)
    window, above = _split(branch.input)
    if window is None:
        return _compile_plain(branch)
    return _compile_window(branch, window, above, end, empty)


def batch_sql(
    statements: Mapping[str, Statement],
    *,
    full: bool,
    orders: Mapping[str, Order] = {},
    matchings: Mapping[str, Matching] = {},
    tags: StepTags = NO_TAGS,
) -> str:
    """One statement for all signatures: every output row of a step.

    Signatures without a matching try every item with every channel; for those without an order,
    items are in order.
    """
    groups = grouped(statements)
    selects = (
        (signature, each.sql(order=orders.get(signature, IN_ORDER), full=full, tags=tags))
        for signature, each in sorted(groups.items())
    )

    def complete(sql: str, signature: str) -> str:
        return with_views(sql, signature, matchings.get(signature, nested_loop(0)))

    return with_relations(selects, complete)


def single_sql(sql: str, signature: str, matching: Matching) -> str:
    """One select of a signature by itself."""

    def complete(text: str, name: str) -> str:
        return with_views(text, name, matching)

    return with_relations(iter([(signature, sql)]), complete)


def with_views(sql: str, signature: str, matching: Matching) -> str:
    """The SQL of a signature with the views that hold its channels."""
    return (
        sql.replace(MATCHED, matching.sql)
        .replace(CHANNELS, channels_view(signature))
        .replace(MEMBERS, members_view(signature))
        .replace(READERS, readers_view(signature))
        .replace(TOGETHER, together_view(signature))
    )


def grouped(statements: Mapping[str, Statement]) -> dict[str, Statement]:
    """The statements by signature; those whose folds can be shared made one."""
    groups: dict[str, Statement] = {}
    for signature, statement in sorted(statements.items()):
        if not isinstance(statement, FoldStatement):
            groups[signature] = statement
            continue
        known = groups.get(statement.fold_signature)
        forms = known.forms if isinstance(known, FoldStatement) else ()
        named = tuple((name or signature, form) for name, form in statement.forms)
        groups[statement.fold_signature] = replace(statement, forms=(*forms, *named))
    return groups


def channels_view(signature: str) -> str:
    """The name of the view that holds the channels of a signature."""
    return f"channels_{signature}"


def members_view(signature: str) -> str:
    """The name of the view that holds the windows made from the folds of a signature."""
    return f"members_{signature}"


def readers_view(signature: str) -> str:
    """The name of the view that holds the channels which are given these windows."""
    return f"readers_{signature}"


def together_view(signature: str) -> str:
    """The name of the view that tells which items the folds of a signature do not tell apart."""
    return f"together_{signature}"


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
    sets = (f"CAST(b.{TAGSET} AS STRING)",) if branch.carries_tags else ()
    statement = PlainStatement(rows, (*compiled.slots, *sets))
    stream = scans(branch.input)[0].stream
    constants = tuple(rows.constants.values)
    return Branch({stream: statement}, constants, _carrying(branch, compiled))


def _carrying(branch: Construct, compiled: CompiledTemplate) -> ResultTemplate:
    """The template of a branch; where results have tags, it knows in which slots they stand."""
    if not branch.carries_tags:
        return compiled.template
    return TaggedTemplate(compiled.template, len(compiled.slots))


def _compile_join(branch: Construct) -> Branch:
    streams = dict.fromkeys(scan.stream for scan in scans(branch.input))
    statements: dict[str, Statement] = {}
    for stream in streams:
        # Every stream's statement takes the same constants, in the same order.
        constants = Constants("c")
        tags, contents = branch.carries_tags, _asks_contents(branch)
        joined = JoinedRows(stream, constants, tags=tags, contents=contents)
        relation = joined.relation(branch.input)
        scope: Scope = {name: each.at("n") for name, each in relation.columns.items()}
        compiled = template(branch.template, scope)
        slots = (*compiled.slots, *relation.sets("n"))
        statements[stream] = JoinStatement(
            relation, tuple(joined.buffers), constants.columns(), slots, tuple(streams)
        )
    return Branch(statements, tuple(constants.values), _carrying(branch, compiled))


def _asks_contents(branch: Construct) -> bool:
    """True when something in a branch asks for the contents of tags."""
    asked = (branch, *operators(branch.input))
    return any(asks_contents(each) for one in asked for each in expressions(one))


def _compile_window(
    branch: Construct,
    window: Window,
    stacked: tuple[Select | Unnest, ...],
    end: EndRule | None,
    empty: bool,
) -> Branch:
    rows = Rows(Constants("c"))
    rows.add(window.input)
    node = rows.variables[window.input.bindings[-1].variable]
    if not isinstance(node, NodeColumn):
        raise InternalError("a window holds nodes")
    above = FormBuilder(window, partials(window.aggregations, node), node)
    for operator in stacked:
        above.add(operator)
    form, result = above.build(
        branch.template, empty=empty or window.empty, tags=branch.carries_tags
    )
    fold = Fold(FoldSlices(rows, _source(window), node, window.keeps_contents))
    return Branch(
        {scans(window)[0].stream: FoldStatement(fold, (("", form),))},
        (*rows.constants.values, *above.constants),
        result,
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
