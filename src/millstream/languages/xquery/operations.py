"""Operators between expressions, by precedence."""

from __future__ import annotations

from millstream.errors import QueryError, Span
from millstream.languages.xquery import syntax
from millstream.languages.xquery.cursor import DEEPEST, too_deep
from millstream.languages.xquery.window_clause import WindowReader

LOGICAL = ("or", "and")
ALLEN = (
    *("before", "after", "meets", "met-by", "overlaps", "overlapped-by", "starts", "started-by"),
    *("during", "contains", "finishes", "finished-by", "equals"),
)
"""How two intervals of time may lie to each other."""
COMPARISONS = (
    *("=", "!=", "<", "<=", ">", ">="),
    *("eq", "ne", "lt", "le", "gt", "ge"),
    *("is", "<<", ">>"),
    *ALLEN,
)
LEVELS: tuple[tuple[str, ...], ...] = (
    ("or",),
    ("and",),
    COMPARISONS,
    ("to",),
    ("+", "-"),
    ("*", "div", "idiv", "mod"),
    ("|", "union"),
    ("intersect", "except"),
)
"""The operators from the loosest to the tightest."""
PRECEDENCE = {operator: level for level, names in enumerate(LEVELS) for operator in names}
UNCHAINED = (PRECEDENCE["="], PRECEDENCE["to"])
"""The levels whose operators cannot follow one another without parentheses."""

LONGEST_CHAIN = 200
"""How many operators of other kinds than or, and may follow one another."""

TYPE_OPERATORS = ("instance", "treat", "castable", "cast")


class OperationReader(WindowReader):
    """Reads expressions made of operators."""

    stops_at_window: bool = False
    """True where a '|' after a path opens a window."""

    def binary(self, loosest: int = 0) -> syntax.Expression:
        """Operands joined by operators that bind at least so tightly."""
        start = self.token
        left = self.unary()
        for _ in range(LONGEST_CHAIN):
            operator = self._operator(loosest)
            if operator is None:
                return left
            if operator in LOGICAL:
                left = self._logical(operator, left, start.span)
            else:
                left = self._operation(operator, left, start.span)
        raise QueryError(
            f"these are too many operators: at most {LONGEST_CHAIN} in a row",
            code="too-deep",
            span=self.span_from(start),
            help="name a part of it with 'let' and use the variable",
        )

    def unary(self) -> syntax.Expression:
        """A path with any number of signs before it."""
        signs = []
        while self.at("-", "+"):
            signs.append(self.take())
            if len(signs) > DEEPEST:
                raise too_deep(self.token.span)
        operand = self.path()
        for sign in reversed(signs):
            operand = syntax.Unary(sign.value, operand, span=self.span_from(sign))
        return operand

    def _operator(self, loosest: int) -> str | None:
        """The operator at the current token, if it binds tightly enough."""
        if self.at(*TYPE_OPERATORS) and self.followed_by("of", "as"):
            raise self.unsupported(f"'{self.token.value}'", help="types are not checked")
        if not self.at(*PRECEDENCE) or PRECEDENCE[self.token.value] < loosest:
            return None
        if self.stops_at_window and self.at("|") and self.at_window():
            return None
        # Written together, '</' is a closing tag before which a brace is missing.
        closes = self.text.startswith("</", self.token.span.start)
        return None if closes else self.token.value

    def _logical(self, operator: str, first: syntax.Expression, start: Span) -> syntax.Logical:
        operands = [first]
        while self.take_if(operator):
            operands.append(self.binary(PRECEDENCE[operator] + 1))
        return syntax.Logical(operator, tuple(operands), span=self.span_from(start))

    def _operation(self, operator: str, left: syntax.Expression, start: Span) -> syntax.Binary:
        self.take()
        level = PRECEDENCE[operator]
        right = self.binary(level + 1)
        if level in UNCHAINED and self.at(*LEVELS[level]):
            raise QueryError(
                f"'{operator}' and '{self.token.value}' cannot follow one another",
                code="syntax",
                span=self.token.span,
                help="put one of them in parentheses",
            )
        name = "|" if operator == "union" else operator
        return syntax.Binary(name, left, right, span=self.span_from(start))
