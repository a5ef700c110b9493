"""Where a statement ends that is typed or piped line by line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from millstream.errors import MillstreamError
from millstream.languages.compiling import Language, language_of
from millstream.languages.tagql import parse as parse_tagql
from millstream.languages.xquery import parse as parse_xquery
from millstream.languages.xquery.lexer import Kind
from millstream.languages.xquery.parser import Parser

COMMAND = re.compile(r"\s*\\(?P<name>[\w?!]*)[ \t]*(?P<rest>.*)", re.DOTALL)


def finished(text: str) -> bool:
    """True when what was typed so far, up to the end of a line, is to be run.

    A query ends with ';' at the end of a line, or with an empty line when nothing is open; a
    command with its line, unless a query has begun in it.
    """
    if not text.strip():
        return True
    command = COMMAND.match(text)
    if command is not None and not _goes_on(command["rest"]):
        return True
    query = text if command is None else command["rest"]
    if query.rstrip().endswith(";"):
        return not _only_declares(query)
    return text.rstrip(" \t").endswith("\n\n") and unfinished(query) is None


def _goes_on(rest: str) -> bool:
    """True when a command's line is followed by others, or ends within a query."""
    return "\n" in rest.strip() or unfinished(_without_words(rest)) is not None


def _without_words(rest: str) -> str:
    """What follows a command, from where a query can begin."""
    begun = re.search(r"<|\b(?:for|let|declare|stream|doc|select|attach)\b", rest, re.IGNORECASE)
    return rest[begun.start() :] if begun else ""


def bare(text: str) -> str:
    """A query without the ';' that ends it, and without space around it."""
    return text.strip().removesuffix(";").rstrip()


def unfinished(text: str) -> str | None:
    """What a query still lacks where it breaks off; None for one that is whole, or wrong."""
    query = bare(text)
    if not query:
        return None
    try:
        (parse_tagql if language_of(query) is Language.TAGQL else parse_xquery)(query)
    except MillstreamError as error:
        at_end = error.span is not None and error.span.start >= len(query)
        return error.message if at_end or "is never" in error.message else None
    return None


def _only_declares(text: str) -> bool:
    """True for declarations behind which the query itself has not begun."""
    if not re.match(r"\s*(?:declare|xquery)\b", text):
        return False
    try:
        parser = Parser(text)
        parser.version()
        parser.declarations()
    except MillstreamError:
        return False
    return parser.token.kind is Kind.END


def statements(lines: Iterable[str]) -> Iterator[str]:
    """The statements of a script; what is not ended at its end is one too."""
    gathered = ""
    for line in lines:
        if not gathered and not line.strip():
            continue
        gathered += line if line.endswith("\n") else f"{line}\n"
        if finished(gathered):
            yield gathered
            gathered = ""
    if gathered.strip():
        yield gathered
