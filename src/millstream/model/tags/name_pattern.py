"""Regular expressions over the names of streams and the ids of tuples, matched in linear time.

The engine is RE2: it never backtracks, so no pattern that a tagger sends can stall a stream. What
cannot be matched without backtracking (backreferences, looking ahead or behind) is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import re2

EVERY_NAME = "*"
"""The pattern that matches all names; as a regular expression it would have no meaning."""

LONGEST_PATTERN = 10_000
"""Characters that a pattern may have."""

_MEMORY = 4 * 1024 * 1024
_COMPILED_PATTERNS = 4_096
_SPECIAL = re.compile(r"[\\.\[\](){}*+?|^$]")
_PLAIN_CHARACTER = re.compile(r"[^\\.\[\](){}*+?|^$]|\\[^A-Za-z0-9]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class NamePattern:
    """A lone '*' for every name, or a regular expression that a name must match in full."""

    text: str = EVERY_NAME

    def __post_init__(self) -> None:
        if self.text != EVERY_NAME:
            _matcher(self.text)

    @classmethod
    def of_names(cls, names: Iterable[str]) -> NamePattern:
        """The pattern that matches these names and no other."""
        return cls("|".join(_SPECIAL.sub(r"\\\g<0>", name) for name in names))

    @property
    def matches_all(self) -> bool:
        return self.text == EVERY_NAME

    def matches(self, name: str) -> bool:
        return self.matches_all or _matcher(self.text)(name)

    def names(self) -> tuple[str, ...] | None:
        """The only names that it matches where it lists them, else None."""
        return None if self.matches_all else _listed_names(self.text)

    def __str__(self) -> str:
        return self.text


@lru_cache(maxsize=_COMPILED_PATTERNS)
def _matcher(text: str) -> Callable[[str], bool]:
    """A function that tells if a name matches, or ValueError with a short reason."""
    if not text:
        raise ValueError("a pattern is not empty; write * for everything")
    if len(text) > LONGEST_PATTERN:
        raise ValueError(f"a pattern has at most {LONGEST_PATTERN:,} characters")
    if r"\C" in text.replace(r"\\", ""):
        raise ValueError(r"not a pattern: \C would match half a character")
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        pattern = re2.compile(text, options)
    except (re2.error, UnicodeEncodeError) as error:
        raise ValueError(f"not a pattern: {_reason(error)}") from None
    return lambda name: pattern.fullmatch(name) is not None


def _reason(error: Exception) -> str:
    cause = error.args[0] if error.args else error
    text = cause.decode("utf-8", "replace") if isinstance(cause, bytes) else str(cause)
    if "perl operator" in text or "escape sequence" in text:
        return f"{text}; backreferences and looking ahead or behind are not supported"
    return text


def _listed_names(text: str) -> tuple[str, ...] | None:
    names, name, offset = [], "", 0
    while offset < len(text):
        if text[offset] == "|":
            names.append(name)
            name, offset = "", offset + 1
            continue
        character = _PLAIN_CHARACTER.match(text, offset)
        if character is None:
            return None
        name, offset = name + character.group()[-1], character.end()
    return (*names, name)
