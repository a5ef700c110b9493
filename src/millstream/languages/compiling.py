"""The text of a query in any of the languages, to the one algebra."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Protocol

from millstream.algebra.operators import Operator, Query, Scan
from millstream.algebra.walk import transform_operator
from millstream.errors import MillstreamError, QueryError
from millstream.languages import xquery
from millstream.languages.tagql import parse, syntax
from millstream.languages.tagql.lowering import TupleCatalog, lower
from millstream.model.tags.vocabulary import USUAL, TagVocabulary

_SKIPPED = re.compile(r"(?:\s+|--[^\n]*(?:\n|$)|/\*.*?\*/)*", re.DOTALL)
_TAGQL = re.compile(r"(?:ATTACH|SELECT)\b", re.IGNORECASE)


class Language(Enum):
    """The languages of subscriptions."""

    AUTO = "auto"
    XQUERY = "xquery"
    TAGQL = "tagql"


class Catalog(xquery.Catalog, TupleCatalog, Protocol):
    """The streams that a query of any language may read."""

    def origin(self, name: str, /) -> str:
        """The stream that a name stands for."""


def language_of(text: str, language: str = "auto") -> Language:
    """The language of a text: the one that is said, else told by its first word."""
    said = Language(language)
    if said is not Language.AUTO:
        return said
    skipped = _SKIPPED.match(text)
    start = skipped.end() if skipped else 0
    return Language.TAGQL if _TAGQL.match(text, start) else Language.XQUERY


def compile_any(
    text: str,
    catalog: Catalog,
    tagger: str,
    language: str = "auto",
    vocabulary: TagVocabulary = USUAL,
) -> Query:
    """The algebra of a text; `tagger` is who attaches its tags, if it attaches some."""
    if language_of(text, language) is Language.XQUERY:
        return _of_origins(xquery.compile_text(text, catalog), catalog)
    statement = parse(text, vocabulary.all_functions.keys())
    try:
        query = lower(statement, catalog, tagger=tagger, dictionary=vocabulary.thesaurus)
    except MillstreamError as error:
        raise error.with_text(text) from None
    return _of_origins(query, catalog)


@dataclass(frozen=True, slots=True)
class Question:
    """A SELECT that is asked once."""

    query: Query
    now: int | None
    """The latest time that one of its streams has reached, if any has."""
    windows: Mapping[str, int]
    """The widest window over each stream, in microseconds; none where sources have no windows."""

    def since(self, stream: str) -> int | None:
        """The time up to which nothing of a stream is asked about, if there is one."""
        window = self.windows.get(stream)
        return None if window is None or self.now is None else self.now - window


def compile_once(
    text: str,
    catalog: Catalog,
    reached: Callable[[str], int | None],
    vocabulary: TagVocabulary = USUAL,
) -> Question:
    """A SELECT as it is asked once, given how far each stream has come."""
    statement = parse(text, vocabulary.all_functions.keys())
    try:
        if isinstance(statement, syntax.AttachTag):
            raise QueryError(
                "ATTACH TAG is no question",
                code="attach",
                span=statement.span,
                help="subscribe with it, or attach a tag with mill.attach or 'tags attach'",
            )
        known = {catalog.origin(each.stream) for each in statement.sources} & {*catalog.names()}
        times = [time for name in known if (time := reached(name)) is not None]
        now = max(times, default=None)
        query = lower(statement, catalog, dictionary=vocabulary.thesaurus, now=now or 0)
    except MillstreamError as error:
        raise error.with_text(text) from None
    windows: dict[str, int] = {}
    for each in statement.sources:
        if each.window is not None:
            name = catalog.origin(each.stream)
            windows[name] = max(each.window, windows.get(name, 0))
    return Question(_of_origins(query, catalog), now, windows)


def _of_origins(query: Query, catalog: Catalog) -> Query:
    """The query over the streams that its names stand for: equal ones are then shared."""

    def at_origin(operator: Operator) -> Operator:
        if isinstance(operator, Scan):
            return replace(operator, stream=catalog.origin(operator.stream))
        return operator

    branches = (
        replace(each, input=transform_operator(each.input, at_origin)) for each in query.branches
    )
    return replace(query, branches=tuple(branches))
