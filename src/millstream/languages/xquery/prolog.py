"""What may be declared before the query itself."""

from __future__ import annotations

from millstream.errors import Span
from millstream.languages.xquery import syntax
from millstream.languages.xquery.lexer import Kind
from millstream.languages.xquery.sequence_types import TypeReader


class PrologReader(TypeReader):
    """Reads the version and the declarations."""

    def version(self) -> str | None:
        """The version that the query says it is written in, if it does."""
        if not (self.at("xquery") and self.followed_by("version")):
            return None
        self.take()
        self.take()
        version = self.expect_kind(Kind.STRING, "the version as a string").value
        if self.take_if("encoding"):
            self.expect_kind(Kind.STRING, "the encoding as a string")
        self.expect(";")
        return version

    def declarations(self) -> tuple[syntax.Declaration, ...]:
        """All functions and variables declared, in order."""
        found: list[syntax.Declaration] = []
        while self._at_declaration():
            start = self.take()
            if self.at("function"):
                found.append(self._function(start.span.start))
            elif self.at("variable"):
                found.append(self._variable(start.span.start))
            else:
                raise self.unsupported(
                    f"'{start.value} {self.token.value}'",
                    help="functions and variables can be declared",
                )
            self.expect(";", help="a declaration ends with ';'")
        return tuple(found)

    def _at_declaration(self) -> bool:
        return self.at("declare", "import", "module") and self.ahead().kind is Kind.NAME

    def _function(self, start: int) -> syntax.FunctionDeclaration:
        self.take()
        name = self.expect_kind(Kind.NAME, "a function's name").value
        self.expect("(")
        parameters: list[syntax.Parameter] = []
        while not self.at(")"):
            if parameters:
                self.expect(",")
            parameters.append(self._parameter())
        self.take()
        declared = self.optional_type()
        self._refuse_external()
        body = self.enclosed()
        span = Span(start, self.end)
        return syntax.FunctionDeclaration(name, tuple(parameters), body, declared, span=span)

    def _parameter(self) -> syntax.Parameter:
        start = self.token
        name = self.variable()
        declared = self.optional_type()
        return syntax.Parameter(name, declared, span=self.span_from(start))

    def _variable(self, start: int) -> syntax.VariableDeclaration:
        self.take()
        name = self.variable()
        declared = self.optional_type()
        self._refuse_external()
        self.expect(":=", help="a variable is declared: declare variable $x := …;")
        value = self.single()
        span = Span(start, self.end)
        return syntax.VariableDeclaration(name, value, declared, span=span)

    def _refuse_external(self) -> None:
        if self.at("external"):
            raise self.unsupported("'external'", help="write the value or body in the query")
