"""Grammars as documents print them: read, and turned into sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

_TOKEN = re.compile(r'"[^"]*"|::=|[\w]+|…|[=|;(){}\[\]?*+]')
Lexical = Mapping[str, Callable[[Random], str]]
"""What stands for the names that a grammar does not define."""


@dataclass(frozen=True)
class Node:
    """A part of a rule: a literal, a name, a sequence, a choice, or a part that may be missing."""

    kind: str
    text: str = ""
    parts: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Node]:
        yield self
        for part in self.parts:
            yield from part.walk()


def read(text: str) -> dict[str, Node]:
    """The rules of a grammar, in either of the two notations."""
    tokens = _TOKEN.findall(text)
    begins = [place for place in range(len(tokens)) if tokens[place + 1 : place + 2] in _DEFINES]
    ends = [*begins[1:], len(tokens)]
    return {
        tokens[start]: _Reader(tokens[start + 2 : end]).choice()
        for start, end in zip(begins, ends, strict=True)
    }


_DEFINES = (["="], ["::="])


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens = [each for each in tokens if each != ";"]

    def choice(self) -> Node:
        found = [self._sequence()]
        while self._taken("|"):
            found.append(self._sequence())
        return found[0] if len(found) == 1 else Node("choice", parts=tuple(found))

    def _sequence(self) -> Node:
        found = []
        while self._tokens and self._tokens[0] not in ("|", ")", "]", "}"):
            found.append(self._repeated())
        return Node("sequence", parts=tuple(found))

    def _repeated(self) -> Node:
        part = self._primary()
        if self._taken("?"):
            return Node("optional", parts=(part,))
        return Node("many", parts=(part,)) if self._taken("*") else part

    def _primary(self) -> Node:
        token = self._tokens.pop(0)
        for opening, closing, kind in (("(", ")", ""), ("[", "]", "optional"), ("{", "}", "many")):
            if token == opening:
                inner = self.choice()
                assert self._taken(closing), f"'{opening}' is never closed"
                return Node(kind, parts=(inner,)) if kind else inner
        if token.startswith('"'):
            return Node("literal", token.strip('"'))
        return Node("name", token)

    def _taken(self, token: str) -> bool:
        if self._tokens[:1] != [token]:
            return False
        self._tokens.pop(0)
        return True


@dataclass
class _Budget:
    """How many words a sentence may still have before it comes to its end."""

    words: int


@dataclass(frozen=True)
class Sentences:
    """Random sentences of a grammar."""

    rules: Mapping[str, Node]
    lexical: Lexical

    def sentence(self, start: str, random: Random, length: int) -> str:
        """A sentence that a rule gives; beyond a length, the shortest ways are taken."""
        return " ".join(self._words(Node("name", start), random, _Budget(length)))

    def unknown(self) -> set[str]:
        """The names that neither the grammar nor anything else explains."""
        used = {
            node.text for rule in self.rules.values() for node in rule.walk() if node.kind == "name"
        }
        return used - set(self.rules) - set(self.lexical)

    def literals(self) -> set[str]:
        """All words and symbols that the grammar spells out."""
        return {
            node.text
            for rule in self.rules.values()
            for node in rule.walk()
            if node.kind == "literal"
        }

    def _words(self, node: Node, random: Random, left: _Budget) -> Iterator[str]:
        match node.kind:
            case "literal":
                left.words -= 1
                yield node.text
            case "name" if node.text in self.lexical:
                left.words -= 1
                yield self.lexical[node.text](random)
            case "name":
                yield from self._words(self.rules[node.text], random, left)
            case "sequence":
                for part in node.parts:
                    yield from self._words(part, random, left)
            case "choice":
                yield from self._words(self._chosen(node, random, left), random, left)
            case _:
                times = 0 if left.words <= 0 else random.choice((0, 0, 0, 1, 1, 2))
                for _ in range(min(times, 1) if node.kind == "optional" else times):
                    yield from self._words(node.parts[0], random, left)

    def _chosen(self, node: Node, random: Random, left: _Budget) -> Node:
        if left.words > 0:
            return random.choice(node.parts)
        return min(node.parts, key=lambda part: self._least(part, frozenset()))

    def _least(self, node: Node, seen: frozenset[str]) -> int:
        """How many rules a part needs at least."""
        if node.kind in ("literal", "optional", "many") or node.text in self.lexical:
            return 0
        if node.kind == "name":
            if node.text in seen:
                return 10_000
            return 1 + self._least(self.rules[node.text], seen | {node.text})
        found = [self._least(part, seen) for part in node.parts]
        return min(found) if node.kind == "choice" else sum(found)
