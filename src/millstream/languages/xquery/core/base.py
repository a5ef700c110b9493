"""What every part of the lowering may ask of the others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from millstream.algebra.xcql import expressions as core
from millstream.languages.xquery import syntax
from millstream.languages.xquery.core.names import Names
from millstream.languages.xquery.core.scope import Lowered, Scope
from millstream.languages.xquery.core.structures import Structures
from millstream.languages.xquery.unparser import unparse


class LoweringBase(ABC):
    """Lowers expressions; each kind of expression has a file of its own."""

    def __init__(
        self, structures: Structures, functions: Mapping[str, syntax.FunctionDeclaration]
    ) -> None:
        self.structures = structures
        self.functions = functions
        self.names = Names()

    @abstractmethod
    def lowered(self, expression: syntax.Expression, scope: Scope) -> Lowered:
        """The expression in the algebra, with the places of its elements."""

    def plain(self, expression: syntax.Expression, scope: Scope) -> core.Expression:
        """The expression in the algebra."""
        return self.lowered(expression, scope).expression

    def untranslated(self, node: syntax.Expression | syntax.PathStep, reason: str) -> Lowered:
        """What has no form in the algebra."""
        return Lowered(core.Untranslated(shown(node), reason, span=node.span))


def shown(node: syntax.Expression | syntax.PathStep) -> str:
    """A piece of a query as text."""
    if isinstance(node, syntax.Step):
        node = syntax.Path(None, (node,))
    if isinstance(node, syntax.ExpressionStep):
        node = node.expression
    return unparse(syntax.Module((), node)).strip()
