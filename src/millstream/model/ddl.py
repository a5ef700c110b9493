"""A Spark DDL string, read as the schema of a stream."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from millstream.errors import SchemaError, Span, UnsupportedError, did_you_mean
from millstream.model.limits import check_depth, check_elements, check_length
from millstream.model.names import is_name
from millstream.model.schema import Content, Element, Occurs, Schema, ValueType

_TOKEN = re.compile(
    r"\s*(?:(?P<name>`(?:[^`]|``)+`|\w+)|(?P<text>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<sign>[<>:,()])|(?P<end>$)|(?P<bad>\S))"
)
_TYPES = {
    **dict.fromkeys(("STRING", "VARCHAR", "CHAR", "CHARACTER", "BOOLEAN"), ValueType.TEXT),
    **dict.fromkeys(("BYTE", "TINYINT", "SHORT", "SMALLINT"), ValueType.INTEGER),
    **dict.fromkeys(("INT", "INTEGER", "LONG", "BIGINT"), ValueType.INTEGER),
    **dict.fromkeys(("DECIMAL", "DEC", "NUMERIC"), ValueType.DECIMAL),
    **dict.fromkeys(("FLOAT", "REAL", "DOUBLE"), ValueType.DOUBLE),
    **dict.fromkeys(("DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ"), ValueType.TIME),
}
_WITHOUT_TEXT = ("MAP", "BINARY", "INTERVAL", "VARIANT", "VOID", "GEOMETRY", "GEOGRAPHY")


def read_ddl(text: str, *, stream: str, item: str | None = None) -> Schema:
    """The schema of a stream whose items have these columns."""
    check_length(text)
    try:
        return Schema(stream, _Parser(text, _tokens(text)).item(item or "item"))
    except (SchemaError, UnsupportedError) as error:
        error.with_text(text)
        raise


@dataclass(frozen=True, slots=True)
class _Token:
    """A word, quoted text or sign, or the end of the text."""

    kind: str
    value: str
    span: Span

    @property
    def word(self) -> str:
        return self.value.upper() if self.kind == "name" else ""


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        span = Span(*match.span(kind))
        if kind == "bad":
            raise SchemaError(f"'{match[kind]}' has no meaning in a column list", span=span)
        tokens.append(_Token(kind, match[kind], span))
        if kind == "end":
            break
    return tokens


@dataclass(slots=True)
class _Parser:
    """Reads the tokens of a column list from left to right."""

    text: str
    tokens: list[_Token]
    at: int = 0
    depth: int = 0
    built: int = 0

    def item(self, name: str) -> Element:
        whole_struct = self._now.word == "STRUCT" and self._sign_follows("<")
        element = self._type(name) if whole_struct else self._struct(name, end="end")
        if self._now.kind != "end":
            raise self._error("the column list should end here")
        return replace(element, occurs=Occurs.ONE)

    def _struct(self, name: str, *, end: str) -> Element:
        """An element of columns up to a closing sign, or to the end of the text."""
        columns: dict[str, Element] = {}
        while True:
            where = self._now
            column = self._column()
            if column.name in columns:
                raise SchemaError(f"column {column.name} stands twice", span=where.span)
            columns[column.name] = column
            if not self._accept(","):
                break
        if end != "end":
            self._expect(end)
        return Element(name, Occurs.OPTIONAL, Content.NESTED, tuple(columns.values()))

    def _column(self) -> Element:
        self.built += 1
        check_elements(self.built)
        name = self._name()
        self._accept(":")
        column = self._type(name)
        if self._accept_words("NOT", "NULL") and not column.repeated:
            column = replace(column, occurs=Occurs.ONE)
        if self._accept_words("COMMENT"):
            self._comment()
        return column

    def _type(self, name: str) -> Element:
        token = self._take("name", "a type")
        if token.word == "STRUCT":
            return self._inside(name)
        if token.word == "ARRAY":
            return self._array(name)
        if token.word in _WITHOUT_TEXT:
            raise UnsupportedError(f"type {token.word} has no text to show", span=token.span)
        if token.word not in _TYPES:
            known = (*_TYPES, "STRUCT", "ARRAY")
            raise SchemaError(
                f"no type {token.value}", span=token.span, help=did_you_mean(token.word, known)
            )
        self._length()
        return Element(name, Occurs.OPTIONAL, type=_TYPES[token.word])

    def _inside(self, name: str) -> Element:
        self.depth += 1
        check_depth(self.depth)
        self._expect("<")
        element = self._struct(name, end=">")
        self.depth -= 1
        return element

    def _array(self, name: str) -> Element:
        self._expect("<")
        if self._now.word == "ARRAY":
            raise SchemaError(
                "an array of arrays has no element for the inner ones", span=self._now.span
            )
        element = self._type(name)
        self._accept_words("NOT", "NULL")
        self._expect(">")
        return replace(element, occurs=Occurs.MANY)

    def _length(self) -> None:
        """Skip the numbers of VARCHAR(n) or DECIMAL(p, s)."""
        if not self._accept("("):
            return
        self._take("name", "a number")
        if self._accept(","):
            self._take("name", "a number")
        self._expect(")")

    def _comment(self) -> None:
        self._take("text", "the text of the comment, in quotes")

    def _name(self) -> str:
        token = self._take("name", "a column name")
        name = token.value.strip("`").replace("``", "`") if token.value[0] == "`" else token.value
        if not is_name(name):
            raise SchemaError(f"'{name}' cannot be the name of an element", span=token.span)
        return name

    @property
    def _now(self) -> _Token:
        return self.tokens[self.at]

    def _take(self, kind: str, wanted: str) -> _Token:
        token = self._now
        if token.kind != kind:
            raise self._error(f"{wanted} should stand here")
        self.at += 1
        return token

    def _sign_follows(self, sign: str) -> bool:
        return self.tokens[self.at + 1].value == sign

    def _accept(self, sign: str) -> bool:
        found = self._now.kind == "sign" and self._now.value == sign
        self.at += found
        return found

    def _accept_words(self, *words: str) -> bool:
        found = [token.word for token in self.tokens[self.at : self.at + len(words)]]
        if found != list(words):
            return False
        self.at += len(words)
        return True

    def _expect(self, sign: str) -> None:
        if not self._accept(sign):
            raise self._error(f"'{sign}' should stand here")

    def _error(self, message: str) -> SchemaError:
        return SchemaError(message, span=self._now.span)
