"""A whole query as one statement, and what its rows mean."""

from __future__ import annotations

from dataclasses import dataclass, replace

from millstream.algebra.xcql import expressions as core
from millstream.compiler.history.catalog import Catalog
from millstream.compiler.history.conditions import Conditions
from millstream.compiler.history.environment import Environment
from millstream.compiler.history.expressions import ExpressionCompiler
from millstream.compiler.history.frames import Frame, SortKey
from millstream.compiler.history.inputs import inputs_of
from millstream.compiler.history.joins import conjuncts, order_keys
from millstream.compiler.history.ranges import starts_at_stream
from millstream.compiler.history.sequences import Nodes, Sequence
from millstream.compiler.history.untranslatable import Untranslatable


@dataclass(frozen=True, slots=True)
class Plan:
    """SQL for a query, with `:now` to be given."""

    sql: str
    order: tuple[SortKey, ...]
    """How the columns k0, k1, … put results in order."""
    bindings: int
    """How many variables tell results apart: the columns b0, b1, …"""
    reads: tuple[tuple[str, tuple[str, ...]], ...]
    """The views that are read, with the columns of each."""
    inputs: tuple[tuple[str, core.Places], ...] = ()
    """If not empty, there are no items but the variables that their computation needs.

    They are the columns v0, v1, … as XML; an engine for all of XQuery makes items of them.
    """
    reason: str | None = None
    """Why there are no items."""


def compile_query(expression: core.Expression, catalog: Catalog, *, from_root: bool) -> Plan:
    """The plan of a query; Untranslatable if it has none."""
    compiler = ExpressionCompiler(catalog, from_root=from_root)
    frame = Frame(compiler.statement)
    loop = _as_loop(expression)
    environment = Environment(frame, {})
    conditions = Conditions(frame)
    environment = compiler.clauses(loop.clauses, environment, conditions)
    for conjunct in conjuncts(loop.where):
        conditions.add(compiler.truth(conjunct, environment), conjunct)
    order = [*order_keys(compiler, loop, environment), *frame.order]
    columns = [f"{key.sql} AS k{number}" for number, key in enumerate(order)]
    columns += [
        f"struct({table} AS `table`, {id} AS id, {version} AS version) AS b{number}"
        for number, (table, id, version) in enumerate(frame.bindings)
    ]
    inputs: dict[str, Nodes] = {}
    reason = None
    try:
        items = _items(compiler, compiler.compiled(loop.result, environment))
        columns.append(f"{items} AS items")
    except Untranslatable as problem:
        inputs, reason = inputs_of(loop.result, environment, problem), problem.reason
        texts = (compiler.reader.xml(nodes.spot) for nodes in inputs.values())
        columns += [f"{xml} AS v{number}" for number, xml in enumerate(texts)]
    main = f"SELECT {', '.join(columns)} FROM {frame.rows}"
    named = tuple(replace(key, sql=f"k{number}") for number, key in enumerate(order))
    sql = compiler.statement.sql(main)
    reads = tuple((view, tuple(sorted(each))) for view, each in compiler.statement.reads.items())
    given = tuple((name, nodes.spot.places) for name, nodes in inputs.items())
    return Plan(sql, named, len(frame.bindings), reads, given, reason)


def _as_loop(expression: core.Expression) -> core.Loop:
    """A query as a loop: a path is one over what it leads to, anything else one without rows."""
    if isinstance(expression, core.Loop):
        result = expression.result
        if not expression.order and expression.where is None and isinstance(result, core.Loop):
            inner = _as_loop(result)
            return replace(inner, clauses=(*expression.clauses, *inner.clauses))
        return expression
    if starts_at_stream(expression):
        return core.Loop((core.For("item", expression),), core.Variable("item"))
    return core.Loop((), expression)


def _items(compiler: ExpressionCompiler, result: Sequence) -> str:
    arrays = []
    for leaf in compiler.printed(result):
        texts = compiler.texts(leaf)
        arrays.append(f"filter(array({texts.sql}), x -> x IS NOT NULL)" if texts.one else texts.sql)
    if not arrays:
        return "CAST(array() AS ARRAY<STRING>)"
    return arrays[0] if len(arrays) == 1 else f"concat({', '.join(arrays)})"
