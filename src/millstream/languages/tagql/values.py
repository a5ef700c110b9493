"""Values: literals, attributes, fields of tags, functions and arithmetic."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from millstream.errors import QueryError, did_you_mean
from millstream.languages.tagql import syntax
from millstream.languages.tagql.cursor import Cursor
from millstream.languages.tagql.lexer import Kind, Token
from millstream.languages.tagql.words import FIELD_SPELLINGS, FUNCTIONS
from millstream.model.tags.duration import SPELLINGS

LONGEST_CHAIN = 200
"""How many operators of one kind may follow one another."""


class ValueReader(Cursor, ABC):
    """Reads values; where a condition could stand as well, it is read by the parser's part."""

    @abstractmethod
    def parenthesised(self) -> syntax.Expression:
        """What stands in parentheses: a value or a condition."""

    def value(self) -> syntax.Value:
        """A value, not a condition."""
        start = self.token
        return self.as_value(self.sum(), start)

    def as_value(self, expression: syntax.Expression, start: Token) -> syntax.Value:
        """An expression that must be a value."""
        if isinstance(expression, syntax.Value):
            return expression
        raise QueryError(
            "expected a value, found a condition", code="syntax", span=self.span_from(start)
        )

    def sum(self) -> syntax.Expression:
        return self._chain(("+", "-"), self._product)

    def _product(self) -> syntax.Expression:
        return self._chain(("*", "/"), self._signed)

    def _chain(
        self, operators: tuple[str, ...], operand: Callable[[], syntax.Expression]
    ) -> syntax.Expression:
        start = self.token
        left = operand()
        for _ in range(LONGEST_CHAIN):
            if not self.at(*operators):
                return left
            first = self.as_value(left, start)
            operator, after = self.take().value, self.token
            second = self.as_value(operand(), after)
            left = syntax.Arithmetic(operator, first, second, span=self.span_from(start))
        raise QueryError("these are too many operators", span=self.span_from(start))

    def _signed(self) -> syntax.Expression:
        if not self.at("-"):
            return self._primary()
        minus = self.take()
        with self.nested():
            after = self.token
            operand = self.as_value(self._signed(), after)
        return syntax.Negative(operand, span=self.span_from(minus))

    def _primary(self) -> syntax.Expression:
        start = self.token
        if self.at("("):
            return self.parenthesised()
        if start.kind is Kind.STRING:
            return syntax.StringLiteral(self.take().value, span=start.span)
        if start.kind is Kind.NUMBER:
            return self._number()
        if start.keyword in FIELD_SPELLINGS:
            return self.tag_reference()
        if start.kind is Kind.WORD and self.ahead().keyword == "(":
            return self._call()
        steps = self.dotted("a value")
        return syntax.Name(steps, span=self.span_from(start))

    def dotted(self, what: str) -> tuple[str, ...]:
        """Names with dots between them; after the first, any word is a name."""
        steps = [self.name(what)]
        while self.take_if("."):
            steps.append(self.any_name("a name after the dot"))
        return tuple(steps)

    def literal(self) -> syntax.Literal:
        """A string, a duration or a number, which a minus may precede."""
        start = self.token
        if start.kind is Kind.STRING:
            return syntax.StringLiteral(self.take().value, span=start.span)
        if self.at("-"):
            return syntax.NumberLiteral(self.signed_number(), span=self.span_from(start))
        if start.kind is Kind.NUMBER:
            return self._number()
        raise self.unexpected("a string or a number")

    def tag_reference(self) -> syntax.TagReference:
        """A field of a tag, with the stream that the tag is of where it is said."""
        start = self.token
        if start.keyword not in FIELD_SPELLINGS:
            help = did_you_mean(start.value.upper(), FIELD_SPELLINGS)
            raise self.unexpected("a field of a tag", help=help)
        field = FIELD_SPELLINGS[self.take().keyword]
        source = None
        if self.take_if("("):
            source = self.name("a stream")
            self.expect(")")
        return syntax.TagReference(field, source, span=self.span_from(start))

    def _number(self) -> syntax.NumberLiteral | syntax.DurationLiteral:
        start, following = self.token, self.ahead()
        if following.kind is Kind.WORD and following.value.lower() in SPELLINGS:
            return syntax.DurationLiteral(self.duration(), span=self.span_from(start))
        return syntax.NumberLiteral(self.take().value, span=start.span)

    def _call(self) -> syntax.Call:
        start = self.token
        known = {**dict.fromkeys(self.functions, 2), **FUNCTIONS}
        if start.keyword not in known:
            raise QueryError(
                f"there is no function {start}",
                code="unknown-function",
                span=start.span,
                help=did_you_mean(start.keyword, known),
            )
        function = self.take().keyword
        self.expect("(")
        with self.nested():
            arguments = self._arguments(function)
        self.expect(")")
        wanted = known[function]
        if len(arguments) != wanted:
            raise QueryError(
                f"{start} takes {wanted} argument{'s' if wanted > 1 else ''}, not {len(arguments)}",
                code="arguments",
                span=self.span_from(start),
            )
        return syntax.Call(function, arguments, span=self.span_from(start))

    def _arguments(self, function: str) -> tuple[syntax.Value, ...]:
        if function == "COUNT" and self.at("*"):
            return (syntax.Star(span=self.take().span),)
        if self.at(")"):
            return ()
        arguments = [self.value()]
        while self.take_if(","):
            arguments.append(self.value())
        return tuple(arguments)
