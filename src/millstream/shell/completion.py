"""What could be written next: commands, streams, paths, tags, variables and words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from millstream.algebra.functions import FUNCTIONS
from millstream.languages.compiling import Language, language_of
from millstream.languages.tagql.words import FUNCTIONS as TAGQL_FUNCTIONS
from millstream.languages.tagql.words import RESERVED
from millstream.shell.backend import StreamShape
from millstream.shell.places import Places

CLAUSES = (
    *("for", "let", "in", "where", "order by", "return", "if", "then", "else", "some", "every"),
    *("satisfies", "and", "or", "declare variable", "declare function", "with tags"),
    *("stream(", "count", "diff", "step", "vtFrom(", "vtTo(", "now"),
)
_COMMAND = re.compile(r"^\s*\\([\w?!]*)$")
_ARGUMENT = re.compile(r"^\s*\\([\w?!]+)\s+([^\s<]*)$")
_STREAM = re.compile(r"(?:stream|doc|collection)\(\s*[\"']([^\"']*)$")
_VARIABLE = re.compile(r"\$([\w.\-]*)$")
_BOUND = re.compile(r"\$([\w.\-]+)[^$(]*?(?:\bin\b|:=)")
_WORD = re.compile(r"@?[\w.\-]*$")
_TAGQL_WORD = re.compile(r"[\w.]*$")
_TAGQL_STREAM = re.compile(r"\b(?:FROM|TO)\s+(?:[\w ]+,\s*)*(\w*)$", re.IGNORECASE)
_TAGQL_CONTENT = re.compile(r"\bTAG\b[^']*'([^']*)$", re.IGNORECASE)


class ShellCompleter(Completer):
    """Completes from what a mill knows; asked again whenever something may have changed."""

    def __init__(
        self,
        commands: Mapping[str, str],
        shapes: Callable[[], tuple[StreamShape, ...]],
        contents: Callable[[], tuple[str, ...]],
        subscriptions: Callable[[], tuple[str, ...]],
    ) -> None:
        """Commands by their names, with what they take: a stream, a subscription, or neither."""
        self._commands = commands
        self._shapes = shapes
        self._contents = contents
        self._subscriptions = subscriptions

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterator[Completion]:
        begun, offered = self._offered(document.text_before_cursor)
        wanted = begun.lower()
        for each in dict.fromkeys(offered):
            if each.lower().startswith(wanted) and each != begun:
                yield Completion(each, start_position=-len(begun))

    def _offered(self, text: str) -> tuple[str, Iterable[str]]:
        """What was begun, and everything that could stand there."""
        if found := _COMMAND.search(text):
            return found[1], self._commands
        if (found := _ARGUMENT.search(text)) and self._commands.get(found[1]):
            return found[2], self._argument(self._commands[found[1]])
        query = re.sub(r"^\s*\\\w+\s+", "", text)
        if language_of(query) is Language.TAGQL:
            return self._of_tagql(query)
        return self._of_xquery(query)

    def _argument(self, kind: str) -> Iterable[str]:
        return self._subscriptions() if kind == "subscription" else self._names()

    def _names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self._shapes())

    def _of_xquery(self, text: str) -> tuple[str, Iterable[str]]:
        if found := _STREAM.search(text):
            return found[1], self._names()
        if found := _VARIABLE.search(text):
            return found[1], (each[1] for each in _BOUND.finditer(text))
        places = Places(self._shapes())
        word = _WORD.search(text)
        begun = word[0] if word else ""
        steps = places.next_steps(text)
        if steps is not None:
            return begun, steps
        if not begun:
            return "", ()
        functions = (f"{name}(" for name in FUNCTIONS)
        in_predicate = text.rfind("[") > text.rfind("]")
        return begun, (*(places.names() if in_predicate else ()), *CLAUSES, *functions)

    def _of_tagql(self, text: str) -> tuple[str, Iterable[str]]:
        if found := _TAGQL_CONTENT.search(text):
            return found[1], self._contents()
        if found := _TAGQL_STREAM.search(text):
            return found[1], self._names()
        word = _TAGQL_WORD.search(text)
        begun = word[0] if word else ""
        if not begun:
            return "", ()
        words = (*sorted(RESERVED), *(f"{each}(" for each in TAGQL_FUNCTIONS))
        return begun, (*Places(self._shapes()).attributes(text), *self._names(), *words)
