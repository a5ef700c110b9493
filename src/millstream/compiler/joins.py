"""Joins of streams: what is new is joined with what was there, so every pair appears once.

Each input of a join is buffered as state of its own stream. A step of one stream brings new rows
for its inputs; the rows of the join that they complete are, for left and right,

    new ⋈ (old ∪ new)   and   old ⋈ new

A row of a relation has channel, arrival (the position that completed it, if it is new), ordering
(the step of its arrival first) and one column for each variable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from millstream.algebra.operators import Join, NodeBinding, Operator, Select, Unnest, Window, scans
from millstream.compiler import output
from millstream.compiler.columns import sql_type
from millstream.compiler.constants import Constants
from millstream.compiler.expressions import condition
from millstream.compiler.names import identifier, string
from millstream.compiler.node_arrays import node_array
from millstream.compiler.rows import CHANNELS, Rows
from millstream.compiler.scope import NodeColumn, Scope
from millstream.compiler.step_tags import CONTENTS, SEPARATOR
from millstream.compiler.tags.functions import CONTENTS_OF
from millstream.compiler.windows import CLOCK
from millstream.errors import UnsupportedError
from millstream.model.schema import Element
from millstream.model.tags.step_layout import TAGSET

BUFFER = "buffer"
SETS_OF = "sets of "
"""Before the name of an input's variable: the column of the sets of tags on its items."""
_SET = Element("set")


@dataclass(frozen=True, slots=True)
class Column:
    """The column of a variable."""

    name: str
    element: Element

    def at(self, alias: str) -> NodeColumn:
        return NodeColumn(f"{alias}.{self.name}", self.element)


@dataclass(frozen=True, slots=True)
class Relation:
    """New and old rows in SQL; nothing is new where the step is of another stream."""

    columns: Mapping[str, Column]
    old: str
    new: str | None

    @property
    def all(self) -> str:
        return self.old if self.new is None else f"{self.old} UNION ALL {self.new}"

    def names(self, alias: str) -> tuple[str, ...]:
        return tuple(f"{alias}.{each.name}" for each in self.columns.values())

    def sets(self, alias: str) -> tuple[str, ...]:
        """The columns of the sets of tags on what a row is made of."""
        return tuple(
            f"{alias}.{each.name}"
            for variable, each in self.columns.items()
            if variable.startswith(SETS_OF)
        )


@dataclass(frozen=True, slots=True)
class Buffer:
    """What a step adds to, or keeps of, the buffer of one input."""

    role: str
    relation: Relation

    def sql(self, full: bool) -> str:
        """The state rows of the input."""
        rows = self.relation.all if full else self.relation.new
        fields = ", ".join(self.relation.names("n"))
        row = output.row(
            kind=f"'{output.STATE}'",
            role=f"'{self.role}'",
            channel="n.channel",
            ordering="n.ordering",
            content=f"to_json(struct({fields}))",
        )
        return f"SELECT {row} FROM ({rows}) n JOIN {CHANNELS} c ON c.channel = n.channel"


class JoinedRows:
    """The rows of a join tree, as a step of one stream sees them."""

    def __init__(
        self, stream: str, constants: Constants, *, tags: bool = False, contents: bool = False
    ) -> None:
        """With `tags`, rows have the sets of tags on the items that they are made of.

        With `contents` they have the contents of these tags.
        """
        self._tags = tags
        self._contents = contents
        self._stream = stream
        self._constants = constants
        self._inputs = 0
        self._variables = 0
        self.buffers: list[Buffer] = []

    def relation(self, operator: Operator) -> Relation:
        """The relation of an operator tree."""
        match operator:
            case Join():
                return self._joined(operator)
            case Select(input=inner) if len(scans(inner)) > 1:
                return self._selected(operator, self.relation(inner))
            case Unnest(input=inner) if len(scans(inner)) > 1:
                return self._unnested(operator, self.relation(inner))
            case _:
                return self._input(operator)

    def _input(self, operator: Operator) -> Relation:
        if _has_window(operator):
            raise UnsupportedError(
                "a join whose inputs are windows cannot run",
                help="join the items, or put the windows into a subscription of their own",
            )
        rows = Rows(self._constants)
        rows.add(operator)
        columns = {
            each.variable: self._column(each.element)
            for each in operator.bindings
            if isinstance(each, NodeBinding)
        }
        scan = scans(operator)[0]
        for name, sql in self._of_tags(scan.variable):
            rows.variables[name] = NodeColumn(sql, _SET)
            columns[name] = self._column(_SET)
        stream = scan.stream
        role = f"{BUFFER}{self._inputs}"
        self._inputs += 1
        new = self._new(rows, columns) if stream == self._stream else None
        relation = Relation(columns, _old(stream, role, columns), new)
        if new is not None:
            self.buffers.append(Buffer(role, relation))
        return relation

    def _of_tags(self, variable: str) -> Iterator[tuple[str, str]]:
        """What is told of the tags on the items of a variable, as texts."""
        if self._tags:
            yield f"{SETS_OF}{variable}", f"CAST(b.{TAGSET} AS STRING)"
        if self._contents:
            joined = f"array_join(b.{CONTENTS}, {string(SEPARATOR)})"
            yield f"{CONTENTS_OF}{variable}", joined

    def _column(self, element: Element) -> Column:
        self._variables += 1
        return Column(f"v{self._variables - 1}", element)

    def _new(self, rows: Rows, columns: Mapping[str, Column]) -> str:
        ordering = output.array(("q.step", *rows.ordering))
        fields = "".join(
            f", {rows.variables[variable].sql} AS {column.name}"
            for variable, column in columns.items()
        )
        relation = rows.relation(None, f" JOIN {CLOCK} q ON q.reference = ''")
        return (
            f"SELECT c.channel AS channel, b.position AS arrival, {ordering} AS ordering{fields}"
            f" {relation}"
        )

    def _joined(self, join: Join) -> Relation:
        left, right = self.relation(join.left), self.relation(join.right)
        columns = {**left.columns, **right.columns}
        predicate = self._constants.take_from(join.predicate)
        scope: Scope = {
            **{name: each.at("l") for name, each in left.columns.items()},
            **{name: each.at("r") for name, each in right.columns.items()},
            **self._constants.scope(),
        }
        pair = _Pair(left, right, condition(predicate, scope))
        fresh = []
        if left.new is not None:
            fresh.append(pair.sql(left.new, right.all))
        if right.new is not None:
            fresh.append(pair.sql(left.old, right.new))
        return Relation(columns, pair.sql(left.old, right.old), " UNION ALL ".join(fresh) or None)

    def _selected(self, select: Select, inner: Relation) -> Relation:
        predicate = self._constants.take_from(select.predicate)
        scope = {name: each.at("x") for name, each in inner.columns.items()}
        kept = condition(predicate, {**scope, **self._constants.scope()})

        def restricted(sql: str) -> str:
            channels = f"JOIN {CHANNELS} c ON c.channel = x.channel"
            return f"SELECT x.* FROM ({sql}) x {channels} WHERE {kept}"

        new = None if inner.new is None else restricted(inner.new)
        return Relation(inner.columns, restricted(inner.old), new)

    def _unnested(self, unnest: Unnest, inner: Relation) -> Relation:
        scope: Scope = {name: each.at("x") for name, each in inner.columns.items()}
        nodes = node_array(unnest.source, scope, unnest.element)
        column = self._column(unnest.element)
        columns = {**inner.columns, unnest.variable: column}
        fields = ", ".join(inner.names("x"))

        def exploded(sql: str) -> str:
            return (
                f"SELECT x.channel, x.arrival,"
                f" concat(x.ordering, array(CAST(u.number AS BIGINT))) AS ordering, {fields},"
                f" u.node AS {column.name} FROM ({sql}) x"
                f" LATERAL VIEW posexplode({nodes}) u AS number, node"
            )

        new = None if inner.new is None else exploded(inner.new)
        return Relation(columns, exploded(inner.old), new)


@dataclass(frozen=True, slots=True)
class _Pair:
    """Left and right rows that belong together."""

    left: Relation
    right: Relation
    predicate: str

    def sql(self, lefts: str, rights: str) -> str:
        # The later of the two completes the pair; when both came at once, the left one does.
        by_left = "coalesce(l.arrival >= coalesce(r.arrival, l.arrival), false)"
        ordering = (
            f"IF({by_left}, concat(slice(l.ordering, 1, 2), array(0L), l.ordering, r.ordering),"
            f" concat(slice(r.ordering, 1, 2), array(1L), r.ordering, l.ordering))"
        )
        fields = ", ".join((*self.left.names("l"), *self.right.names("r")))
        return (
            f"SELECT l.channel AS channel, greatest(l.arrival, r.arrival) AS arrival,"
            f" {ordering} AS ordering, {fields} FROM ({lefts}) l JOIN ({rights}) r"
            f" ON r.channel = l.channel JOIN {CHANNELS} c ON c.channel = l.channel"
            f" WHERE {self.predicate}"
        )


def state_view(stream: str) -> str:
    """The view of another stream's state."""
    return f"state of {stream}"


def _old(stream: str, role: str, columns: Mapping[str, Column]) -> str:
    fields = ", ".join(f"{each.name}: {sql_type(each.element)}" for each in columns.values())
    row = f"from_json(s.content, {string(f'STRUCT<{fields}>')})"
    read = "".join(f", {row}.{each.name} AS {each.name}" for each in columns.values())
    return (
        f"SELECT s.channel, CAST(NULL AS BIGINT) AS arrival, s.ordering{read}"
        f" FROM {identifier(state_view(stream))} s WHERE s.role = '{role}'"
    )


def _has_window(operator: Operator) -> bool:
    while isinstance(operator, Select | Unnest):
        operator = operator.input
    return isinstance(operator, Window)
