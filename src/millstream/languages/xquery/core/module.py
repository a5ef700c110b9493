"""A whole query over histories, in the algebra."""

from __future__ import annotations

from collections.abc import Mapping

from millstream.algebra.xcql import expressions as core
from millstream.languages.xquery import syntax
from millstream.languages.xquery.core.lowering import Lowering
from millstream.languages.xquery.core.scope import Lowered, Scope
from millstream.languages.xquery.core.structures import Structures
from millstream.languages.xquery.parser import parse
from millstream.languages.xquery.translation.calls import is_atomic
from millstream.model.tag_structure import TagStructure


def lower_history(text: str, structures: Mapping[str, TagStructure]) -> core.Expression:
    """A query that has been found good, in the algebra; what has no form there is marked."""
    module = parse(text)
    functions = {
        each.name: each
        for each in module.declarations
        if isinstance(each, syntax.FunctionDeclaration)
    }
    lowering = Lowering(Structures(structures), functions)
    scope, lets = Scope(), []
    for declared in module.declarations:
        if isinstance(declared, syntax.VariableDeclaration):
            bound, scope = _variable(declared, lowering, scope)
            lets += bound
    lowering.globals = scope
    body = lowering.plain(module.body, scope)
    return core.Loop(tuple(lets), body) if lets else body


def _variable(
    declared: syntax.VariableDeclaration, lowering: Lowering, scope: Scope
) -> tuple[list[core.Let], Scope]:
    value = lowering.lowered(declared.value, scope)
    expression = value.expression
    if declared.type is not None and is_atomic(declared.type):
        expression = core.Cast(declared.type.item, expression)
    name = lowering.names.fresh(declared.name)
    scope = scope.bind(declared.name, Lowered(core.Variable(name), value.places))
    return [core.Let(name, expression)], scope
