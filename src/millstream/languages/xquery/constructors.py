"""Direct element constructors: characters are read as such, not as tokens."""

from __future__ import annotations

import re

from millstream.errors import QueryError, Span, UnsupportedError
from millstream.languages.xquery import syntax
from millstream.languages.xquery.constructor_text import CharacterRun
from millstream.languages.xquery.lexer import NAME
from millstream.languages.xquery.reader import ExpressionReader
from millstream.languages.xquery.references import reference_at

_SPACE = re.compile(r"[ \t\r\n]*")
_PLAIN_CONTENT = re.compile(r"[^<&{}]+")
_PLAIN_VALUE = {'"': re.compile(r'[^"<&{}]+'), "'": re.compile(r"[^'<&{}]+")}


class ConstructorReader(ExpressionReader):
    """Reads direct constructors."""

    raw: int = 0
    """The offset of the next character, while characters are read."""

    def direct_constructor(self) -> syntax.DirectElement:
        """The constructor whose '<' is the current token."""
        self.raw = self.token.span.start
        if self.text.startswith(("<!", "<?"), self.raw):
            raise UnsupportedError(
                "only elements can be constructed here",
                span=Span(self.raw, self.raw + 2),
                help="comments in a query are written (: … :)",
            )
        element = self._element()
        self.jump(self.raw)
        return element

    def _element(self) -> syntax.DirectElement:
        start = self.raw
        self.raw += 1
        name = self._name("an element's name after '<'", "write &lt; or 'lt' to compare")
        opening = Span(start, self.raw)
        attributes = self._attributes(opening)
        content: tuple[syntax.Content, ...] = ()
        if not self._take("/>"):
            self.raw += 1
            with self.nested():
                content = self._content(name, opening)
            self._closing(name, opening)
        return syntax.DirectElement(name, attributes, content, span=Span(start, self.raw))

    def _attributes(self, opening: Span) -> tuple[syntax.DirectAttribute, ...]:
        attributes: dict[str, syntax.DirectAttribute] = {}
        while True:
            spaced = self._skip_space()
            if self.text.startswith((">", "/>"), self.raw):
                return tuple(attributes.values())
            if self.raw >= len(self.text):
                raise QueryError("this tag is never finished", code="syntax", span=opening)
            if not spaced:
                raise self._wrong("a space, '>' or '/>'")
            attribute = self._attribute()
            if attribute.name in attributes:
                raise QueryError(f"attribute {attribute.name} occurs twice", span=attribute.span)
            attributes[attribute.name] = attribute

    def _attribute(self) -> syntax.DirectAttribute:
        start = self.raw
        name = self._name("an attribute's name, '>' or '/>'", None)
        self._skip_space()
        if not self._take("="):
            raise self._wrong(f"'=' after attribute {name}")
        self._skip_space()
        quote = self.text[self.raw : self.raw + 1]
        if quote == "{":
            parts: tuple[syntax.Text | syntax.Enclosed, ...] = (self._enclosed(),)
        elif quote in ('"', "'"):
            parts = self._value(quote)
        else:
            raise self._wrong("a value in quotes", help=f'write {name}="…" or {name}="{{ … }}"')
        return syntax.DirectAttribute(name, parts, span=Span(start, self.raw))

    def _value(self, quote: str) -> tuple[syntax.Text | syntax.Enclosed, ...]:
        start = self.raw
        self.raw += 1
        parts: list[syntax.Text | syntax.Enclosed] = []
        run = CharacterRun(self.raw)
        while self.raw < len(self.text):
            if self._take(quote * 2):
                run.add(quote)
            elif self.text[self.raw] == quote:
                parts += run.flush(self.raw, keep_space=True)
                self.raw += 1
                return tuple(parts)
            elif plain := _PLAIN_VALUE[quote].match(self.text, self.raw):
                run.add_value(plain.group())
                self.raw = plain.end()
            elif self._at_enclosed():
                parts += run.flush(self.raw, keep_space=True)
                parts.append(self._enclosed())
                run = CharacterRun(self.raw)
            else:
                self._special(run)
        raise QueryError("this value is never closed", code="syntax", span=Span(start, start + 1))

    def _content(self, name: str, opening: Span) -> tuple[syntax.Content, ...]:
        """All up to the closing tag, which is left to be read."""
        content: list[syntax.Content] = []
        run = CharacterRun(self.raw)
        while not self.text.startswith("</", self.raw):
            if self.raw >= len(self.text):
                raise QueryError(
                    f"element <{name}> is never closed",
                    code="syntax",
                    span=opening,
                    help=f"close it with </{name}>",
                )
            if plain := _PLAIN_CONTENT.match(self.text, self.raw):
                run.add_content(plain.group())
                self.raw = plain.end()
            elif self._take("<![CDATA["):
                run.add(self._until("]]>", "this CDATA section"))
            elif part := self._part():
                content += run.flush(part.span.start)
                content.append(part)
                run = CharacterRun(self.raw)
            else:
                self._special(run)
        content += run.flush(self.raw)
        return tuple(content)

    def _part(self) -> syntax.Content | None:
        """An element, comment or enclosed expression, if one begins here."""
        start = self.raw
        if self._take("<!--"):
            value = self._until("-->", "this comment")
            if "--" in value or value.endswith("-"):
                raise QueryError("a comment has no '--' inside", span=Span(start, self.raw))
            return syntax.Comment(value, span=Span(start, self.raw))
        if self.text.startswith("<?", self.raw):
            raise UnsupportedError(
                "processing instructions are not supported", span=Span(start, start + 2)
            )
        if self.text.startswith("<", self.raw):
            return self._element()
        return self._enclosed() if self._at_enclosed() else None

    def _special(self, run: CharacterRun) -> None:
        """A reference or a doubled brace."""
        if self.text[self.raw] == "&":
            character, self.raw = reference_at(self.text, self.raw)
            run.add(character)
        elif self._take("{{"):
            run.add("{")
        elif self._take("}}"):
            run.add("}")
        else:
            doubled = {"<": "&lt;"}.get(self.text[self.raw], self.text[self.raw] * 2)
            raise self._wrong("something else", help=f"write {doubled} for the character itself")

    def _at_enclosed(self) -> bool:
        return self.text.startswith("{", self.raw) and not self.text.startswith("{{", self.raw)

    def _enclosed(self) -> syntax.Enclosed:
        start = self.raw
        self.jump(start + 1)
        opening = Span(start, start + 1)
        with self.times(read=False):
            expression = syntax.Sequence(span=opening) if self.at("}") else self.expression()
        if not self.at("}"):
            raise self.unexpected("'}'", help=self.still_open("{", opening))
        # What follows the brace is characters, so the brace is not taken as a token.
        self.raw = self.token.span.end
        return syntax.Enclosed(expression, span=Span(start, self.raw))

    def _closing(self, name: str, opening: Span) -> None:
        start = self.raw
        self.raw += 2
        found = self._name("an element's name after '</'", None)
        if found != name:
            line = self.text.count("\n", 0, opening.start) + 1
            raise QueryError(
                f"expected </{name}>, found </{found}>",
                code="syntax",
                span=Span(start, self.raw),
                help=f"<{name}> was opened in line {line}",
            )
        self._skip_space()
        if not self._take(">"):
            raise self._wrong("'>'")

    def _until(self, end: str, what: str) -> str:
        start = self.raw
        stop = self.text.find(end, start)
        if stop < 0:
            raise QueryError(
                f"{what} is never closed",
                code="syntax",
                span=Span(start, start + 1),
                help=f"close it with {end}",
            )
        self.raw = stop + len(end)
        return self.text[start:stop]

    def _name(self, what: str, help: str | None) -> str:
        found = NAME.match(self.text, self.raw)
        if found is None:
            raise self._wrong(what, help=help)
        self.raw = found.end()
        return found.group()

    def _take(self, characters: str) -> bool:
        if not self.text.startswith(characters, self.raw):
            return False
        self.raw += len(characters)
        return True

    def _skip_space(self) -> bool:
        """Go past white space; True if there was some."""
        before = self.raw
        space = _SPACE.match(self.text, self.raw)
        self.raw = space.end() if space else self.raw
        return self.raw > before

    def _wrong(self, what: str, *, help: str | None = None) -> QueryError:
        found = repr(self.text[self.raw]) if self.raw < len(self.text) else "the end of the query"
        span = Span(self.raw, min(self.raw + 1, len(self.text)))
        return QueryError(f"expected {what}, found {found}", code="syntax", span=span, help=help)
