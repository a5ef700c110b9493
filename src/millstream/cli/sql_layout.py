"""Generated SQL, broken into lines so that its nesting can be seen."""

from __future__ import annotations

import re
from collections.abc import Iterator

INDENT = "  "
WIDTH = 100

_TOKEN = re.compile(
    r"""\s*(                     # with the space before it
        '(?:[^'\\]|\\.|'')*'     # a string
      | `(?:[^`]|``)*`           # a quoted name
      | [(),]
      | [^\s'`(),]+              # words, numbers, operators
    )""",
    re.VERBOSE | re.DOTALL,
)
_BEFORE_JOIN = frozenset(("CROSS", "LEFT", "RIGHT", "INNER", "FULL", "SEMI", "ANTI", "OUTER"))
_CLAUSES = frozenset(
    ("SELECT", "FROM", "WHERE", "GROUP", "HAVING", "UNION", "LATERAL", "JOIN", "CROSS", "LEFT")
)


def laid_out(sql: str) -> str:
    """The statement with a line for each clause, subqueries indented, long lists broken."""
    return "\n".join(_Layout().lines(sql))


class _Layout:
    """Clauses written to lines: what is in brackets stays on its line unless it is a query."""

    def __init__(self) -> None:
        self._brackets: list[bool] = []
        """For each open bracket, whether it holds a query."""
        self._parts = [""]
        """The clause at hand, cut behind the commas of its own level."""
        self._previous = ""

    def lines(self, sql: str) -> Iterator[str]:
        tokens = list(_TOKEN.finditer(sql))
        following = [*(token.group(1) for token in tokens[1:]), ""]
        for token, after in zip(tokens, following, strict=True):
            yield from self._write(token.group(0), token.group(1), after)
            self._previous = token.group(1)
        yield from self._end_clause()

    def _write(self, spaced: str, token: str, after: str) -> Iterator[str]:
        if self._starts_clause(token):
            yield from self._end_clause()
        if token == ")" and self._brackets and self._brackets.pop():
            yield from self._end_clause(deeper=1)
        self._parts[-1] += spaced
        if token == "(":
            if after == "SELECT":
                yield from self._end_clause()
            self._brackets.append(after == "SELECT")
        elif token == "," and self._in_query():
            self._parts.append("")

    def _starts_clause(self, token: str) -> bool:
        joined = token == "JOIN" and self._previous in _BEFORE_JOIN
        return token in _CLAUSES and self._in_query() and not joined

    def _in_query(self) -> bool:
        return not self._brackets or self._brackets[-1]

    def _end_clause(self, deeper: int = 0) -> Iterator[str]:
        parts = [part.strip() for part in self._parts if part.strip()]
        self._parts = [""]
        margin = INDENT * (sum(self._brackets) + deeper)
        lines = [""] if not parts else [parts[0]]
        for part in parts[1:]:
            if len(margin) + len(lines[-1]) + len(part) < WIDTH:
                lines[-1] += f" {part}"
            else:
                lines.append(INDENT + part)
        yield from (margin + line for line in lines if line)
