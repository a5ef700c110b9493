"""The declarations in a DTD's text, made safe to hand to an XML library.

libxml2 reads external parameter entities from disk while it loads a DTD, whatever its options
say. So entities are expanded here, bounded, and no entity declaration is left in the result.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from millstream.errors import SchemaError, Span, did_you_mean
from millstream.model.limits import MAX_LENGTH, check_length

_MAX_ROUNDS = 100

_IGNORED = re.compile(r"<!--(?:.*?(-->)|.*)|<\?(?:.*?(\?>)|.*)", re.DOTALL)
_DOCTYPE = re.compile(r"<!DOCTYPE\s+([^\s\[>]+)\s*([^\[>]*)([\[>])")
_SUBSET_END = re.compile(r"\"[^\"]*\"|'[^']*'|(\]\s*>)")
_QUOTED = r"(?:\"([^\"]*)\"|'([^']*)')"
_PARAMETER = re.compile(rf"<!ENTITY\s+%\s+([^\s;]+)\s+{_QUOTED}\s*>")
_EXTERNAL = re.compile(r"<!ENTITY\s+%\s+([^\s;]+)\s+(?:SYSTEM|PUBLIC)\b")
_GENERAL = re.compile(r"<!ENTITY\s+(?![%\s])(?:\"[^\"]*\"|'[^']*'|[^\"'>])*+>")
_REFERENCE = re.compile(r"%([^\s%;'\"<>&]+);")


@dataclass(frozen=True, slots=True)
class DeclarationText:
    """Element and attribute declarations without comments, entities and DOCTYPE around them."""

    text: str
    doctype: str | None
    exact: bool
    """True when every character stands where it stood in the original text."""


def read_declaration_text(text: str) -> DeclarationText:
    """The declarations of a DTD's text, bare or inside a DOCTYPE."""
    check_length(text)
    doctype, subset = _internal_subset(_IGNORED.sub(_blank_closed, text))
    expanded, exact = _expand(subset)
    return DeclarationText(expanded, doctype, exact)


def _blank_closed(match: re.Match[str]) -> str:
    if not (match[1] or match[2]):
        raise SchemaError("the comment is not closed", span=Span(match.start(), match.start() + 4))
    return _blank(match)


def _blank(match: re.Match[str]) -> str:
    return _spaces(match[0])


def _spaces(text: str) -> str:
    # Line breaks and lengths stay, so that positions of errors do as well.
    return re.sub(r"[^\n]", " ", text)


def _internal_subset(text: str) -> tuple[str | None, str]:
    match = _DOCTYPE.search(text)
    if match is None:
        return None, text
    if match[3] == ">":
        raise SchemaError(
            "the DOCTYPE holds no declarations, and a DTD elsewhere is never read",
            span=Span(*match.span()),
            help="pass the text of that DTD itself",
        )
    end = _subset_end(text, match.end())
    return match[1], _spaces(text[: match.end()]) + text[match.end() : end]


def _subset_end(text: str, start: int) -> int:
    for match in _SUBSET_END.finditer(text, start):
        if match[1]:
            return match.start()
    raise SchemaError("the DOCTYPE is not closed by ]>", span=Span(start - 1, start))


def _expand(text: str) -> tuple[str, bool]:
    entities: dict[str, str] = {}
    exact = True
    for _ in range(_MAX_ROUNDS):
        text = _collect(text, entities)
        references = _REFERENCE.findall(text)
        if not references:
            return text, exact
        _check_known(text, entities, exact)
        _check_size(text, entities, references)
        text = _REFERENCE.sub(lambda match: f" {entities[match[1]]} ", text)
        exact = False
    raise SchemaError("the entities of the DTD contain each other without end")


def _collect(text: str, entities: dict[str, str]) -> str:
    """The text without its entity declarations; parameter entities are kept by name."""
    for match in _PARAMETER.finditer(text):
        entities.setdefault(match[1], match[2] if match[2] is not None else match[3])
    text = _PARAMETER.sub(_blank, text)
    external = _EXTERNAL.search(text)
    if external:
        raise SchemaError(
            f"entity {external[1]} stands in another file, which is never read",
            span=Span(*external.span()),
            help="put its text into the DTD",
        )
    text = _GENERAL.sub(_blank, text)
    broken = text.find("<!ENTITY")
    if broken >= 0:
        raise SchemaError("the entity declaration cannot be read", span=Span(broken, broken + 8))
    return text


def _check_known(text: str, entities: dict[str, str], exact: bool) -> None:
    for match in _REFERENCE.finditer(text):
        if match[1] not in entities:
            raise SchemaError(
                f"entity {match[1]} is not declared",
                span=Span(*match.span()) if exact else None,
                help=did_you_mean(match[1], entities),
            )


def _check_size(text: str, entities: dict[str, str], references: list[str]) -> None:
    if len(text) + sum(len(entities[name]) + 2 for name in references) > MAX_LENGTH:
        raise SchemaError(f"the entities of the DTD expand to more than {MAX_LENGTH:,} characters")
