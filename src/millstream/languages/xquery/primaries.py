"""Literals, variables, calls, parentheses and computed constructors."""

from __future__ import annotations

from millstream.languages.xquery import syntax
from millstream.languages.xquery.constructors import ConstructorReader
from millstream.languages.xquery.lexer import Kind, Token
from millstream.languages.xquery.paths import PathReader

UNSUPPORTED_BLOCKS = ("validate", "ordered", "unordered", "try")
UNSUPPORTED_CALLS = ("typeswitch", "switch")


class PrimaryReader(ConstructorReader, PathReader):
    """Reads what stands between operators and slashes."""

    def primary(self) -> syntax.Expression:
        token = self.token
        match token.kind, token.value:
            case Kind.NUMBER, _:
                return syntax.NumberLiteral(token.value, span=self.take().span)
            case Kind.STRING, _:
                return syntax.StringLiteral(token.value, span=self.take().span)
            case Kind.SYMBOL, "$":
                return syntax.VariableReference(self.variable(), span=self.span_from(token))
            case Kind.SYMBOL, "(":
                return self._parenthesized()
            case Kind.SYMBOL, ".":
                return syntax.ContextItem(span=self.take().span)
            case Kind.SYMBOL, "<":
                return self.direct_constructor()
            case Kind.SYMBOL, "[":
                return self.interval()
            case Kind.NAME, _:
                return self._named()
        raise self.unexpected("an expression")

    def _parenthesized(self) -> syntax.Expression:
        opening = self.take()
        if self.at(")"):
            return syntax.Sequence(span=opening.span.cover(self.take().span))
        expression = self.expression()
        self.expect(")", help=self.still_open("(", opening.span))
        return expression

    def _named(self) -> syntax.Expression:
        """A name that is no step: a call or a computed constructor."""
        if self.at(*UNSUPPORTED_CALLS):
            raise self.unsupported(f"'{self.token.value}'", help="use if … then … else")
        return self._computed() if self.at_computed() else self._call()

    def _call(self) -> syntax.FunctionCall:
        name = self.take()
        opening = self.expect("(")
        arguments: list[syntax.Expression] = []
        while not self.take_if(")"):
            if arguments and not self.take_if(","):
                raise self.unexpected("',' or ')'", help=self.still_open("(", opening.span))
            arguments.append(self.single())
        return syntax.FunctionCall(name.value, tuple(arguments), span=self.span_from(name))

    def _computed(self) -> syntax.Expression:
        word = self.take()
        match word.value:
            case "text":
                return syntax.ComputedText(self.enclosed(), span=self.span_from(word))
            case "element":
                name, content = self._name_and_content()
                return syntax.ComputedElement(name, content, span=self.span_from(word))
            case "attribute":
                name, content = self._name_and_content()
                return syntax.ComputedAttribute(name, content, span=self.span_from(word))
        raise self._unsupported_constructor(word)

    def _name_and_content(self) -> tuple[str | syntax.Expression, syntax.Expression]:
        name: str | syntax.Expression
        name = self.take().value if self.token.kind is Kind.NAME else self.enclosed()
        return name, self.enclosed()

    def _unsupported_constructor(self, word: Token) -> Exception:
        error = self.unsupported(f"a computed {word.value}")
        error.span = word.span
        return error
