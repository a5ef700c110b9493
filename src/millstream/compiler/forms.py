"""What stands above a window, as a form in which a fold's windows are given out."""

from __future__ import annotations

from dataclasses import dataclass

from millstream.algebra.expressions import Expression
from millstream.algebra.operators import Select, Unnest, Window
from millstream.algebra.tagged_results import WINDOW_TAGS
from millstream.compiler.constants import Constant, Constants
from millstream.compiler.expressions import condition
from millstream.compiler.node_arrays import node_array
from millstream.compiler.partials import Partials
from millstream.compiler.scope import NodeColumn, Scope, ValueColumn
from millstream.compiler.template import ResultTemplate, TaggedTemplate, template
from millstream.model.schema import ValueType


@dataclass(frozen=True, slots=True)
class Form:
    """Conditions on windows w, loops over their contents, and what is told of each.

    Constants, size and step are those of the channel c.
    """

    partials: Partials
    slots: tuple[str, ...]
    where: tuple[str, ...]
    lateral: tuple[str, ...]
    ordering: tuple[str, ...]
    constants: tuple[tuple[str, str], ...]
    """Names and SQL types of their columns."""
    empty: bool


class FormBuilder:
    """Reads what stands above a window, lowest first."""

    def __init__(self, window: Window, partials: Partials, node: NodeColumn) -> None:
        self._partials = partials
        self._constants = Constants("c", typed=True)
        self._variables: dict[str, NodeColumn | ValueColumn] = dict(partials.final_scope("w"))
        self._where: list[str] = []
        self._lateral: list[str] = []
        self._ordering = ["w.k * c.step + c.size", "w.k * c.step"]
        if window.start is not None:
            self._variables[window.start] = ValueColumn("w.k * c.step", ValueType.INTEGER)
        if window.keeps_contents:
            self._variables[window.variable] = NodeColumn("w.contents", node.element, many=True)

    @property
    def constants(self) -> tuple[Constant, ...]:
        """The constants of the conditions."""
        return tuple(self._constants.values)

    def add(self, operator: Select | Unnest) -> None:
        """Read the next operator."""
        if isinstance(operator, Select):
            predicate = self._constants.take_from(operator.predicate)
            self._where.append(condition(predicate, self._scope()))
            return
        name = f"u{len(self._lateral)}"
        nodes = node_array(operator.source, self._scope(), operator.element)
        # OUTER, because state rows must pass; windows without such nodes are dropped after.
        self._lateral.append(
            f"LATERAL VIEW OUTER posexplode({nodes}) {name} AS {name}_number, {name}_node"
        )
        self._where.append(f"{name}.{name}_node IS NOT NULL")
        self._variables[operator.variable] = NodeColumn(f"{name}.{name}_node", operator.element)
        self._ordering.append(f"CAST({name}.{name}_number AS BIGINT)")

    def build(
        self, result: Expression, *, empty: bool, tags: bool = False
    ) -> tuple[Form, ResultTemplate]:
        """The form that gives a result for each window, and how it is put together."""
        scope = self._scope()
        compiled = template(result, scope)
        sets = (scope[WINDOW_TAGS].sql,) if tags else ()
        form = Form(
            self._partials,
            (*compiled.slots, *sets),
            tuple(self._where),
            tuple(self._lateral),
            tuple(self._ordering),
            self._constants.columns(),
            empty,
        )
        if tags:
            return form, TaggedTemplate(compiled.template, len(compiled.slots))
        return form, compiled.template

    def _scope(self) -> Scope:
        return {**self._variables, **self._constants.scope()}
