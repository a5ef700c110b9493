"""Results with the tags of what they are made of: a loop gives the tags before each result."""

from __future__ import annotations

from dataclasses import replace

from millstream.languages.xquery import syntax

TAGGED = "xcql:tagged"
"""The tags on what is bound, as elements."""
_ITEM = "item"
"""The variable of a loop around a query that is none itself."""


def with_tagged_results(module: syntax.Module) -> syntax.Module:
    """A query that gives tags with its results, as one that says so itself."""
    if not module.with_tags:
        return module
    return replace(module, body=_tagged(module.body), with_tags=False)


def _tagged(body: syntax.Expression) -> syntax.Expression:
    match body:
        case syntax.Flwor():
            return _loop(body)
        case syntax.DirectElement(content=(syntax.Enclosed(syntax.Flwor() as loop) as held,)):
            return replace(body, content=(replace(held, expression=_loop(loop)),))
    each = syntax.For(_ITEM, body)
    return _loop(syntax.Flwor((each,), syntax.VariableReference(_ITEM), span=body.span))


def _loop(loop: syntax.Flwor) -> syntax.Flwor:
    """A loop whose results have the tags on all that is bound for them before them."""
    bound = tuple(
        syntax.FunctionCall(TAGGED, (syntax.VariableReference(clause.variable),))
        for clause in loop.clauses
        if isinstance(clause, syntax.For)
    )
    return replace(loop, result=syntax.Sequence((*bound, loop.result), span=loop.result.span))
