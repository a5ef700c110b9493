"""The variables in force where an expression is compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from millstream.algebra.expressions import Expression
from millstream.compiler.items import Item, Node, Value
from millstream.compiler.scope import NodeColumn, ValueColumn
from millstream.compiler.sequences import Items, Loop, lambda_name
from millstream.errors import InternalError


@dataclass(frozen=True, slots=True)
class Environment:
    """What each variable holds, and how many loops are around.

    The number of loops names lambda variables: an equal expression in an equal place has the
    same SQL, and no lambda variable hides another that is needed inside it.
    """

    variables: Mapping[str, NodeColumn | ValueColumn | Item]
    visit: Callable[[Expression, Environment], Items]
    """Compiles an expression of any kind."""
    depth: int = 0

    def items(self, expression: Expression) -> Items:
        """The sequence that an expression gives here."""
        return self.visit(expression, self)

    def bind(self, variable: str, item: Item) -> Environment:
        """This environment with one more variable."""
        return replace(self, variables={**self.variables, variable: item})

    def inside(self, loops: int) -> Environment:
        """This environment inside so many more loops."""
        return replace(self, depth=self.depth + loops)

    def variable(self, name: str) -> Items:
        """What a variable holds."""
        if name not in self.variables:
            raise InternalError(f"variable ${name} is not bound")
        match self.variables[name]:
            case NodeColumn(sql, element, many=True):
                each = lambda_name(self.depth)
                return Loop(sql, each, Node(each, element))
            case NodeColumn(sql, element, views=views):
                return Node(sql, element, views)
            case ValueColumn(sql, type):
                return Value(sql, type)
            case item:
                return item
