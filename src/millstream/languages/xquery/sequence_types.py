"""Types after 'as': they are read and kept."""

from __future__ import annotations

from millstream.languages.xquery import syntax
from millstream.languages.xquery.lexer import Kind
from millstream.languages.xquery.reader import ExpressionReader

OCCURRENCES = ("?", "*", "+")


class TypeReader(ExpressionReader):
    """Reads sequence types."""

    def optional_type(self) -> syntax.SequenceType | None:
        """The type after 'as', if one is given."""
        if not self.take_if("as"):
            return None
        start = self.token
        item = self._item_type()
        occurrence = self.take().value if self.at(*OCCURRENCES) else ""
        return syntax.SequenceType(item, occurrence, span=self.span_from(start))

    def _item_type(self) -> str:
        name = self.expect_kind(Kind.NAME, "a type", help="such as xs:integer or node()*").value
        if not self.take_if("("):
            return name
        inside = ""
        if self.token.kind is Kind.NAME or self.at("*"):
            inside = self.take().value
        self.expect(")")
        return f"{name}({inside})"
