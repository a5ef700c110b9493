"""Scan, Unnest and Select as one SQL FROM and WHERE: the rows of a batch, for every channel."""

from __future__ import annotations

from dataclasses import dataclass, field

from millstream.algebra.expressions import Expression
from millstream.algebra.operators import Operator, Scan, Select, Unnest
from millstream.compiler.constants import Constants
from millstream.compiler.expressions import condition
from millstream.compiler.lookups import Lookups, conditions_of, lookups
from millstream.compiler.node_arrays import node_array
from millstream.compiler.scope import NodeColumn, Scope, ValueColumn
from millstream.errors import InternalError

BATCH = "batch"
# No string constant of a query holds a dollar sign as it is: none can be taken for these.
CHANNELS = "$channels$"
"""Stands for the view of a signature's channels until the signature has a name."""
MATCHED = "$matched$"
"""Stands for the join of batch rows b to the channels c of a signature until a way is chosen."""


@dataclass(slots=True)
class Rows:
    """The rows that an operator without memory gives, as parts of an SQL select."""

    constants: Constants
    source: str = BATCH
    """The relation that the scan reads, in SQL."""
    lateral: list[str] = field(default_factory=list)
    where: list[str] = field(default_factory=list)
    variables: dict[str, NodeColumn | ValueColumn] = field(default_factory=dict)
    ordering: list[str] = field(default_factory=list)
    predicates: list[Expression] = field(default_factory=list)
    """What the rows satisfy, with constants taken out."""

    def scope(self) -> Scope:
        return {**self.variables, **self.constants.scope()}

    def lookups(self) -> Lookups:
        """What of the predicates can be looked up."""
        scope = self.scope()
        return lookups([each for one in self.predicates for each in conditions_of(one, scope)])

    def relation(self, source: str | None = None, extra: str = "") -> str:
        """FROM and WHERE: the source b joined to the channels c that want its items."""
        joined = f"FROM {source or self.source} b{MATCHED}{extra}"
        laterals = "".join(f" {each}" for each in self.lateral)
        kept = f" WHERE {' AND '.join(self.where)}" if self.where else ""
        return joined + laterals + kept

    def add(self, operator: Operator) -> None:
        """Read an operator, its inputs first."""
        match operator:
            case Scan(variable=variable, schema=schema):
                self.variables[variable] = NodeColumn("b.item", schema.item, views="b.")
                self.ordering.append("b.position")
            case Select(input=inner):
                self.add(inner)
                self.keep(operator)
            case Unnest(input=inner):
                self.add(inner)
                self.unnest(operator)
            case _:
                raise InternalError(f"{type(operator).__name__} is no operator without memory")

    def keep(self, select: Select) -> None:
        """Keep the rows for which the predicate holds."""
        predicate = self.constants.take_from(select.predicate)
        self.where.append(condition(predicate, self.scope()))
        self.predicates.append(predicate)

    def unnest(self, unnest: Unnest) -> None:
        """A row for each node that the path reaches."""
        nodes = node_array(unnest.source, self.scope(), unnest.element)
        name = f"u{len(self.lateral)}"
        self.lateral.append(
            f"LATERAL VIEW posexplode({nodes}) {name} AS {name}_number, {name}_node"
        )
        self.variables[unnest.variable] = NodeColumn(f"{name}.{name}_node", unnest.element)
        self.ordering.append(f"CAST({name}.{name}_number AS BIGINT)")
