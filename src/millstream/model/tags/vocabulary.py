"""What words of tags mean to those who open a space: a thesaurus, functions and a classifier."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from millstream.errors import SchemaError
from millstream.model.names import is_name
from millstream.model.tags.tag_type import Classifier, default_classifier
from millstream.model.tags.thesaurus import find_thesaurus
from millstream.model.user_functions import ValueForm, registered

TagFunction = Callable[[str, str], float | None]
"""How alike two contents are, whatever it goes by; None where that cannot be told."""

EMOTIONS: Final = "emotions"
"""The thesaurus that is shipped."""
_FUNCTION = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class TagVocabulary:
    """By what contents mean the same, are alike, and are told apart by type."""

    thesaurus: str = EMOTIONS
    """The name of a shipped one, or the text of another."""
    functions: Mapping[str, TagFunction] = field(default_factory=lambda: MappingProxyType({}))
    """By their names in capitals."""
    classify: Classifier = field(default_factory=default_classifier)

    @property
    def all_functions(self) -> Mapping[str, TagFunction]:
        """With those registered for queries of any language, as far as they compare texts."""
        return {**_registered(), **self.functions}

    @property
    def own_thesaurus(self) -> str | None:
        """The text of a thesaurus that is not the usual one."""
        return None if self.thesaurus == EMOTIONS else self.thesaurus


USUAL: Final = TagVocabulary()
"""The vocabulary of those who bring none."""


def tag_vocabulary(
    thesaurus: str | os.PathLike[str] | None = None,
    functions: Mapping[str, TagFunction] | None = None,
    classifier: Classifier | None = None,
) -> TagVocabulary:
    """A vocabulary with a thesaurus from a file, or a shipped one by its name."""
    named = {_function_name(name): function for name, function in (functions or {}).items()}
    return TagVocabulary(
        EMOTIONS if thesaurus is None else _thesaurus_text(os.fspath(thesaurus)),
        MappingProxyType(named),
        classifier or default_classifier(),
    )


def _registered() -> dict[str, TagFunction]:
    numbers = {ValueForm(kind) for kind in ("float", "integer", "truth")}
    return {
        name.upper(): each.called
        for name, each in registered().items()
        if each.parameters == (ValueForm("text"),) * 2
        and each.result in numbers
        and _FUNCTION.fullmatch(name)
    }


def _function_name(name: str) -> str:
    if not _FUNCTION.fullmatch(name):
        raise SchemaError(f"'{name}' is no name for a function", help="letters, digits and _")
    return name.upper()


def _thesaurus_text(place: str) -> str:
    """What is known of a thesaurus from now on; SchemaError for what is none."""
    if is_name(place) and not Path(place).exists():
        find_thesaurus(place)
        return place
    try:
        text = Path(place).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SchemaError(f"cannot read the thesaurus '{place}': {error}") from error
    # One line more, so that no text is taken for the name of a shipped one.
    text = f"{text.rstrip()}\n"
    find_thesaurus(text)
    return text
