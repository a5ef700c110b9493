"""A whole query: text and tag structures to plain XQuery over fillers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from millstream.errors import MillstreamError, QueryError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.cursor import too_deep
from millstream.languages.xquery.operations import ALLEN
from millstream.languages.xquery.parser import parse
from millstream.languages.xquery.translation.calls import (
    LIFESPAN_ENDS,
    local_name,
    shape_of_type,
)
from millstream.languages.xquery.translation.expressions import ExpressionTranslation
from millstream.languages.xquery.translation.library import ERRORS, HEAD, needed
from millstream.languages.xquery.translation.loops import atomic_type
from millstream.languages.xquery.translation.naming import PREFIX, call
from millstream.languages.xquery.translation.questions import answered, asks, gathering
from millstream.languages.xquery.translation.scope import Scope
from millstream.languages.xquery.translation.shape import Kind
from millstream.languages.xquery.translation.steps import VIEW_ATTRIBUTES
from millstream.languages.xquery.translation.strategy import Strategy
from millstream.languages.xquery.translation.structures import Structures
from millstream.languages.xquery.translation.tagged import with_tagged_results
from millstream.languages.xquery.unparsed_text import quoted
from millstream.languages.xquery.unparser import unparse
from millstream.languages.xquery.walk import walk
from millstream.model.tag_structure import TagStructure

_OF_TIME = (syntax.IntervalProjection, syntax.VersionProjection, syntax.Interval)


@dataclass(frozen=True, slots=True)
class Translation:
    """A query in plain XQuery: the prolog with the functions it calls, and the query itself."""

    strategy: Strategy
    streams: tuple[str, ...]
    prolog: str
    query: str

    @property
    def text(self) -> str:
        """The whole of it."""
        return f"{self.prolog}\n\n{self.query}\n"

    @property
    def asks_tags(self) -> bool:
        """True for a query that asks for the tags on items, or gives them."""
        return f"{PREFIX}:tagged(" in self.prolog


def translate(
    text: str,
    structures: Mapping[str, TagStructure],
    strategy: Strategy = Strategy.QAC_PLUS,
) -> Translation:
    """A query over histories as plain XQuery over their fillers."""
    try:
        return _translated(parse(text), Structures(structures), strategy)
    except MillstreamError as error:
        raise error.with_text(text) from None
    except RecursionError:
        raise too_deep(syntax.NOWHERE).with_text(text) from None


def translate_keyed(module: syntax.Module, structures: Mapping[str, TagStructure]) -> Translation:
    """A query that is one loop: each result comes with what is bound for it, all as texts."""
    return _translated(module, Structures(structures), Strategy.QAC_PLUS, keyed=True)


def _translated(
    module: syntax.Module, structures: Structures, strategy: Strategy, *, keyed: bool = False
) -> Translation:
    module = with_tagged_results(module)
    functions = declared_functions(module)
    translation = ExpressionTranslation(
        structures, strategy, functions, keeps_time=asks_time(module)
    )
    scope = Scope()
    declarations: list[syntax.Declaration] = []
    for declaration in module.declarations:
        if isinstance(declaration, syntax.VariableDeclaration):
            translated, scope = _variable(declaration, translation, scope)
            declarations.append(translated)
    declarations += [translated_function(each, translation, scope) for each in functions.values()]
    body = translation.translated(module.body, scope)
    if body.shape.may_be(Kind.INTERVAL):
        raise QueryError("an interval is no result", code="type", span=module.body.span)
    result = _keyed(body.expression) if keyed else call("result", body.expression)
    named = [_named(name, each) for each, name in translation.projections.items()]
    query = unparse(asking(syntax.Module((*named, *declarations), result)))
    names = tuple(structures.used)
    return Translation(strategy, names, prolog(query, structures, strategy), query)


def asking(module: syntax.Module) -> syntax.Module:
    """A translated query; if it calls functions of Python, it tells what they must be asked."""
    if not asks(module):
        return module
    gathered = gathering(module)
    return replace(gathered, body=answered(gathered.body))


def _keyed(loop: syntax.Expression) -> syntax.Expression:
    """A translated loop that tells, with each result, what its variables are bound to."""
    assert isinstance(loop, syntax.Flwor), "a loop is translated to a loop"
    keys = tuple(
        call("binding", syntax.VariableReference(clause.variable))
        for clause in loop.clauses
        if isinstance(clause, syntax.For)
    )
    result = call("keyed", syntax.Sequence(keys), call("result", loop.result))
    return replace(loop, result=result)


def prolog(query: str, structures: Structures, strategy: Strategy) -> str:
    """What the query needs to know of its streams, and the functions that it calls."""
    library = needed([query])
    streams = ", ".join(
        f"{quoted(name)}: map {{ {_types(structures, name)} }}" for name in structures.used
    )
    listed = ", ".join(map(quoted, structures.used)) if strategy is Strategy.CAQ else ""
    facts = {
        "types": f"declare variable ${PREFIX}:types as map(*) := map {{ {streams} }};",
        "materialized": f"declare variable ${PREFIX}:materialized as xs:string* := ({listed});",
    }
    used = [
        fact
        for name, fact in facts.items()
        if any(f"${PREFIX}:{name}" in declaration for declaration in library)
    ]
    heads = (HEAD, ERRORS) if any("$err:" in each for each in library) else (HEAD,)
    return "\n\n".join((*heads, *used, *library))


def _types(structures: Structures, name: str) -> str:
    return ", ".join(f"{tag}: {quoted(type)}" for tag, type in structures.types(name).items())


def declared_functions(module: syntax.Module) -> dict[str, syntax.FunctionDeclaration]:
    """The functions that a query declares, by name."""
    functions: dict[str, syntax.FunctionDeclaration] = {}
    for each in module.declarations:
        if isinstance(each, syntax.FunctionDeclaration):
            if each.name in functions:
                raise QueryError(f"{each.name}() is declared twice", span=each.span)
            functions[each.name] = each
    return functions


def _named(name: str, projection: syntax.Expression) -> syntax.VariableDeclaration:
    return syntax.VariableDeclaration(f"{PREFIX}:{name}", projection)


def _variable(
    declared: syntax.VariableDeclaration, translation: ExpressionTranslation, scope: Scope
) -> tuple[syntax.VariableDeclaration, Scope]:
    clause = syntax.Let(declared.name, declared.value, declared.type, span=declared.span)
    bound, scope = translation.let(clause, scope)
    return syntax.VariableDeclaration(bound.variable, bound.value, bound.type), scope


def translated_function(
    declared: syntax.FunctionDeclaration, translation: ExpressionTranslation, scope: Scope
) -> syntax.FunctionDeclaration:
    """A declared function in plain XQuery."""
    for parameter in declared.parameters:
        scope = scope.bind(parameter.name, shape_of_type(parameter.type))
    body = translation.translated(declared.body, scope).expression
    parameters = tuple(
        syntax.Parameter(each.name, atomic_type(each.type)) for each in declared.parameters
    )
    kept = atomic_type(declared.type)
    return syntax.FunctionDeclaration(local_name(declared.name), parameters, body, kept)


def asks_time(module: syntax.Module) -> bool:
    """True if a query asks when something holds, and so may ask it of what it constructs."""
    for node in walk(module):
        match node:
            case syntax.FunctionCall(name) if name in LIFESPAN_ENDS:
                return True
            case syntax.Binary(operator) if operator in ALLEN:
                return True
            case syntax.Step(test, "attribute") if test in VIEW_ATTRIBUTES:
                return True
            case each if isinstance(each, _OF_TIME):
                return True
    return False
