"""Words in groups: two words of one group mean the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType

from millstream.errors import SchemaError
from millstream.model.names import is_name

_SPACES = re.compile(r"[ \t\n\x0b\f\r]+")


@dataclass(frozen=True, slots=True, eq=False)
class Thesaurus:
    """The group of each word it knows; neither case nor outer space matters."""

    groups: Mapping[str, tuple[str, ...]]
    _group_of_word: Mapping[str, str]

    @classmethod
    def of(cls, groups: Mapping[str, Iterable[str]]) -> Thesaurus:
        """The thesaurus with these groups; a word may stand in one of them only."""
        kept = {name: tuple(map(_normal, words)) for name, words in groups.items()}
        found: dict[str, str] = {}
        for name, words in kept.items():
            for word in words:
                if found.setdefault(word, name) != name:
                    raise SchemaError(
                        f"the word '{word}' stands in the groups '{found[word]}' and '{name}'"
                    )
        return cls(MappingProxyType(kept), MappingProxyType(found))

    def group(self, word: str) -> str | None:
        """The name of the word's group, or None."""
        return self._group_of_word.get(_normal(word))

    def meaning(self, word: str) -> str:
        """What words with the same meaning have in common: the group, else the word itself."""
        return self.group(word) or _normal(word)

    def equivalent(self, one: str, other: str) -> bool:
        """True when two words are the same, but for case, or of one group."""
        return self.meaning(one) == self.meaning(other)

    def words(self) -> Iterable[str]:
        return self._group_of_word.keys()


def read_thesaurus(text: str) -> Thesaurus:
    """The thesaurus of a text with a line 'group: word, word' for each group; '#' comments."""
    groups: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        statement = line.partition("#")[0].strip()
        if not statement:
            continue
        name, colon, words = statement.partition(":")
        listed = [word.strip() for word in words.split(",") if word.strip()]
        if not (colon and name.strip() and listed):
            raise SchemaError(
                f"line {number} of the thesaurus is no group", help="write it as group: word, word"
            )
        groups.setdefault(name.strip(), []).extend(listed)
    return Thesaurus.of(groups)


@cache
def shipped_thesaurus(name: str) -> Thesaurus:
    """A thesaurus that comes with the package."""
    folder = resources.files("millstream.model.tags") / "words"
    return read_thesaurus((folder / f"{name}.txt").read_text(encoding="utf-8"))


@cache
def find_thesaurus(name: str) -> Thesaurus:
    """The shipped thesaurus that has a name, or the one that a text is."""
    try:
        return shipped_thesaurus(name) if is_name(name) else read_thesaurus(name)
    except OSError as error:
        raise SchemaError(
            f"there is no thesaurus '{name}'", help="'emotions' is shipped; others are files"
        ) from error


def emotions() -> Thesaurus:
    """Emotions in five groups."""
    return shipped_thesaurus("emotions")


def _normal(word: str) -> str:
    # As SQL says it: in lower case, each run of the usual spaces one space.
    return _SPACES.sub(" ", word).strip(" ").lower()
