"""The five types of tags, and how the type of a content is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cache

from millstream.errors import did_you_mean
from millstream.model.tags.thesaurus import Thesaurus, emotions, shipped_thesaurus


class TagType(Enum):
    """What kind of thing a tag says."""

    OBJECTIVE = "objective"
    """A description that does not depend on who gives it."""
    SUBJECTIVE = "subjective"
    """A personal opinion."""
    PHYSICAL = "physical"
    """What something is like physically."""
    ACRONYM = "acronym"
    """Letters or digits that stand for something."""
    JUNK = "junk"
    """Without meaning."""


Classifier = Callable[[str], TagType]
"""Tells the type of a tag by its content."""

_WORD = re.compile(r"[^\W_]+")
_ACRONYM = re.compile(r"[A-Z]{2,5}|[0-9]{3}|(?:[A-Z]\.){2,}")
_VOWELS = frozenset("aeiouyAEIOUY")
_LATIN = re.compile(r"[A-Za-z]+")
_MANY_CONSONANTS = re.compile(r"[^aeiouy]{6,}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LexiconClassifier:
    """Goes by the words it knows, then by the shape of the content; the rest is objective.

    An opinion colours what it stands beside: 'Bad Smell' is subjective, whoever smells it.
    """

    lexicon: Thesaurus
    """Its groups are named after the types."""
    opinions: Thesaurus
    """Words that are subjective, whatever their group."""

    def __call__(self, content: str) -> TagType:
        known = self._type_of(content)
        if known is not None:
            return known
        if _ACRONYM.fullmatch(content.strip()):
            return TagType.ACRONYM
        if _is_meaningless(content):
            return TagType.JUNK
        types = {self._type_of(word) for word in _WORD.findall(content)}
        for type in (TagType.SUBJECTIVE, TagType.PHYSICAL):
            if type in types:
                return type
        return TagType.OBJECTIVE

    def _type_of(self, word: str) -> TagType | None:
        if self.opinions.group(word):
            return TagType.SUBJECTIVE
        group = self.lexicon.group(word)
        return TagType(group) if group else None


@cache
def default_classifier() -> LexiconClassifier:
    """The classifier with the words that come with the package."""
    return LexiconClassifier(shipped_thesaurus("types"), emotions())


def parse_type(text: str) -> TagType:
    """The type that a text names, or ValueError with a short reason."""
    try:
        return TagType(text.strip().lower())
    except ValueError:
        names = [each.value for each in TagType]
        raise ValueError(f"not a type of tag: {text[:40]!r}; {did_you_mean(text, names)}") from None


def _is_meaningless(content: str) -> bool:
    words = _WORD.findall(content)
    letters = "".join(words)
    if len(letters) < 2:
        # One letter says nothing; one sign of a script of words does.
        return letters.isascii()
    return all(_is_unpronounceable(word) for word in words)


def _is_unpronounceable(word: str) -> bool:
    if not _LATIN.fullmatch(word) or len(word) < 4:
        return False
    return not _VOWELS & set(word) or _MANY_CONSONANTS.search(word) is not None
