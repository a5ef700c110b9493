"""The result of a loop in plain XQuery, asked of variables that have been put together already."""

from __future__ import annotations

from collections.abc import Mapping

from millstream.errors import QueryError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.parser import parse
from millstream.languages.xquery.translation.expressions import ExpressionTranslation
from millstream.languages.xquery.translation.module import (
    asking,
    asks_time,
    declared_functions,
    prolog,
    translated_function,
)
from millstream.languages.xquery.translation.naming import call, variable
from millstream.languages.xquery.translation.scope import Scope
from millstream.languages.xquery.translation.shape import Place, Shape
from millstream.languages.xquery.translation.strategy import Strategy
from millstream.languages.xquery.translation.structures import Structures
from millstream.languages.xquery.unparser import unparse
from millstream.model.tag_structure import TagStructure

_ROW = "row"


def translate_result(
    text: str,
    structures: Mapping[str, TagStructure],
    inputs: Mapping[str, frozenset[tuple[str, int]]],
) -> str | None:
    """What a query returns for each binding of some variables; None if it asks for more than these.

    The variables stand in a document <rows><row n="…"><v0>…</v0>…</row>…</rows>, whole and without
    lifespans.
    """
    module = parse(text)
    if not isinstance(module.body, syntax.Flwor) or any(
        isinstance(each, syntax.VariableDeclaration) for each in module.declarations
    ):
        return None
    result = module.body.result
    if asks_time(syntax.Module(module.declarations, result)):
        return None
    known = Structures(structures)
    functions = declared_functions(module)
    translation = ExpressionTranslation(known, Strategy.QAC_PLUS, functions, keeps_time=False)
    scope = Scope()
    for name, places in inputs.items():
        scope = scope.bind(name, Shape(copied=frozenset(Place(*place) for place in places)))
    try:
        declared = [translated_function(each, translation, Scope()) for each in functions.values()]
        returned = call("result", translation.translated(result, scope).expression)
    except QueryError:
        return None
    if known.used:
        return None
    query = unparse(asking(syntax.Module(tuple(declared), _loop(tuple(inputs), returned))))
    return f"{prolog(query, known, Strategy.QAC_PLUS)}\n\n{query}\n"


def _loop(names: tuple[str, ...], returned: syntax.Expression) -> syntax.Flwor:
    row = variable(_ROW)
    rows = syntax.Path(variable("fragments"), (syntax.Step("rows"), syntax.Step(_ROW)))
    bound = tuple(
        syntax.Let(name, syntax.Path(row, (syntax.Step(f"v{number}"), syntax.Step("*"))))
        for number, name in enumerate(names)
    )
    key = syntax.FunctionCall("string", (syntax.Path(row, (syntax.Step("n", "attribute"),)),))
    return syntax.Flwor((syntax.For(row.name, rows), *bound), call("keyed", key, returned))
