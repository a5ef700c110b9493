"""A continuous query over histories, from its text."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from xml.sax.saxutils import quoteattr

from millstream.algebra.standing import Standing
from millstream.errors import MillstreamError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.cursor import too_deep
from millstream.languages.xquery.operations import ALLEN
from millstream.languages.xquery.parser import parse
from millstream.languages.xquery.standing.analysis import Analysis
from millstream.languages.xquery.standing.gathered import NotLocal
from millstream.languages.xquery.translation.module import translate_keyed
from millstream.languages.xquery.translation.paths import SOURCES
from millstream.languages.xquery.translation.tagged import with_tagged_results
from millstream.languages.xquery.walk import walk
from millstream.model.tag_structure import TagStructure

_OF_TIME = (syntax.IntervalProjection, syntax.VersionProjection, syntax.Interval, syntax.TimeWord)
_MAY_ASK = re.compile(rf"[?#]\s*\[|\bvt(?:From|To)\b|\b(?:now|start|{'|'.join(ALLEN)})\b")
_ITEM = "item"
"""The variable of a loop around a query that is none itself."""


def asks_history(text: str, histories: Collection[str]) -> bool:
    """True for a query that reads a history, or asks of items when they were there.

    Of thousands of other queries it costs little; one that cannot be read asks for neither.
    """
    if not _MAY_ASK.search(text) and not any(name in text for name in histories):
        return False
    try:
        module = parse(text)
    except (MillstreamError, RecursionError):
        return False
    return any(_asks_time(node) or _stream(node) in histories for node in walk(module))


def standing_query(text: str, structures: Mapping[str, TagStructure]) -> Standing:
    """A continuous query over histories and what it depends on; errors point into its text."""
    try:
        return _standing(parse(text), structures)
    except MillstreamError as error:
        raise error.with_text(text) from None
    except RecursionError:
        raise too_deep(syntax.NOWHERE).with_text(text) from None


def _standing(module: syntax.Module, structures: Mapping[str, TagStructure]) -> Standing:
    module = with_tagged_results(module)
    loop, opening, closing = _loop(module.body)
    looped = loop.clauses != (syntax.For(_ITEM, module.body),)
    translation = translate_keyed(syntax.Module(module.declarations, loop), structures)
    used = {name: structures[name] for name in translation.streams}
    timed = "$xcql:now" in translation.text
    standing = Standing(
        translation.text, translation.streams, opening, closing, looped=looped, timed=timed
    )
    try:
        _check_declarations(module)
        found = Analysis(used or structures).query(loop)
    except NotLocal as reason:
        return replace(standing, whole=str(reason))
    return replace(
        standing,
        entries=tuple(each.entry() for each in found.entries),
        links=tuple(found.links),
        shifts=tuple(sorted(found.shifts)),
    )


def _loop(body: syntax.Expression) -> tuple[syntax.Flwor, str, str]:
    """The loop of a query, and the element that it stands in, if in one alone."""
    match body:
        case syntax.Flwor():
            return body, "", ""
        case syntax.DirectElement(name, attributes, (syntax.Enclosed(syntax.Flwor() as loop),)) if (
            _literal(attributes)
        ):
            written = "".join(f" {each.name}={quoteattr(_text(each))}" for each in attributes)
            return loop, f"<{name}{written}>", f"</{name}>"
    loop = syntax.Flwor((syntax.For(_ITEM, body),), syntax.VariableReference(_ITEM))
    return loop, "", ""


def _literal(attributes: tuple[syntax.DirectAttribute, ...]) -> bool:
    return all(isinstance(part, syntax.Text) for each in attributes for part in each.parts)


def _text(attribute: syntax.DirectAttribute) -> str:
    return "".join(part.value for part in attribute.parts if isinstance(part, syntax.Text))


def _check_declarations(module: syntax.Module) -> None:
    for declaration in module.declarations:
        for node in walk(declaration):
            if _stream(node) is not None or isinstance(node, syntax.Root | syntax.TimeWord):
                raise NotLocal(f"{declaration.name} reads a stream, or now, by itself")


def _stream(node: syntax.Node) -> str | None:
    """The stream that a call names; empty for the only one there is."""
    match node:
        case syntax.FunctionCall(name, arguments) if name.removeprefix("fn:") in SOURCES:
            match arguments:
                case (syntax.StringLiteral(value),):
                    return value
            return ""
    return None


def _asks_time(node: syntax.Node) -> bool:
    match node:
        case syntax.FunctionCall(name):
            return name in ("vtFrom", "vtTo")
        case syntax.Binary(operator):
            return operator in ALLEN
    return isinstance(node, _OF_TIME)
