"""The four statements: ATTACH TAG, SELECT TAGS, SELECT TAGGED OBJECTS and SELECT."""

from __future__ import annotations

from millstream.errors import QueryError
from millstream.languages.tagql import syntax
from millstream.languages.tagql.attach_options import AttachOptionReader
from millstream.languages.tagql.lexer import Kind, Token
from millstream.languages.tagql.words import RESERVED

_LIKENESSES = tuple(each.name for each in syntax.Likeness if each is not syntax.Likeness.FUNCTION)


class StatementReader(AttachOptionReader):
    """Reads statements."""

    def statement(self) -> syntax.Statement:
        if self.at("ATTACH"):
            return self._attach()
        if self.at("SELECT"):
            return self._select_statement()
        raise self.unexpected(
            "ATTACH or SELECT", help="a statement begins with ATTACH TAG or with SELECT"
        )

    def _attach(self) -> syntax.AttachTag:
        start = self.expect("ATTACH", "TAG")
        content = self._content()
        continuously = self.take_if("CONTINUOUSLY")
        self.expect("TO")
        target = self.object_reference()
        condition = self._attach_condition() if self.take_if("WHERE") else None
        options = self.attach_options() if self.take_if("WITH") else {}
        statement = syntax.AttachTag(
            content, target, continuously, condition, span=self.span_from(start), **options
        )
        self.check_content(statement)
        return statement

    def _content(self) -> syntax.StringLiteral | syntax.OneOf:
        start = self.token
        if not (self.at("ONE") and self.ahead().keyword == "OF"):
            value = self.string("the content of the tag")
            return syntax.StringLiteral(value, span=start.span)
        self.expect("ONE", "OF", "(")
        choices = [self.string("a content")]
        while self.take_if(","):
            choices.append(self.string("a content"))
        self.expect(")")
        return syntax.OneOf(tuple(choices), span=self.span_from(start))

    def _attach_condition(self) -> syntax.Condition | syntax.Select:
        if not (self.at("(") and self.ahead().keyword == "SELECT"):
            return self.condition()
        self.expect("(")
        query = self._select()
        self.expect(")")
        return query

    def _select_statement(self) -> syntax.Statement:
        following = self.ahead().keyword
        if following == "TAGGED":
            return self._select_tagged()
        return self._select_tags() if following == "TAGS" else self._select()

    def _select_tags(self) -> syntax.SelectTags:
        start = self.expect("SELECT", "TAGS")
        sources, condition = self._sources_and_condition()
        if self.at("WITH"):
            raise self.unexpected("the end of the query", help="SELECT TAGS gives tags already")
        return syntax.SelectTags(sources, condition, span=self.span_from(start))

    def _select_tagged(self) -> syntax.SelectTagged:
        start = self.expect("SELECT", "TAGGED", "OBJECTS")
        sources, condition = self._sources_and_condition()
        with_tags = self._with_tags()
        return syntax.SelectTagged(sources, condition, with_tags, span=self.span_from(start))

    def _select(self) -> syntax.Select:
        start = self.expect("SELECT")
        columns = [self._column()]
        while self.take_if(","):
            columns.append(self._column())
        sources, condition = self._sources_and_condition()
        grouping = self._grouping() if self.at("GROUP") else None
        with_tags = self._with_tags()
        span = self.span_from(start)
        return syntax.Select(tuple(columns), sources, condition, grouping, with_tags, span=span)

    def _with_tags(self) -> bool:
        if not self.take_if("WITH"):
            return False
        self.expect("TAGS")
        return True

    def _sources_and_condition(
        self,
    ) -> tuple[tuple[syntax.Source, ...], syntax.Condition | None]:
        self.expect("FROM")
        sources = [self._source()]
        while self.take_if(","):
            sources.append(self._source())
        return tuple(sources), self.condition() if self.take_if("WHERE") else None

    def _source(self) -> syntax.Source:
        start = self.token
        stream = self.name("a stream")
        window = self._window() if self.at("[") else None
        alias = self._alias()
        if window is None and self.at("["):
            window = self._window()
        return syntax.Source(stream, alias, window, span=self.span_from(start))

    def _alias(self) -> str | None:
        named = self.token.kind is Kind.QUOTED_NAME or (
            self.token.kind is Kind.WORD and self.token.keyword not in RESERVED
        )
        return self.name("an alias") if self.take_if("AS") or named else None

    def _window(self) -> int:
        start = self.expect("[")
        length = self.duration()
        self.expect("]")
        if not length:
            raise QueryError("a window is longer than 0", span=self.span_from(start))
        return length

    def _column(self) -> syntax.Column | syntax.AllColumns:
        start = self.token
        if self.take_if("*"):
            return syntax.AllColumns(span=start.span)
        if self.ahead().keyword == "." and self.ahead(2).keyword == "*":
            source = self.name("a stream")
            self.expect(".", "*")
            return syntax.AllColumns(source, span=self.span_from(start))
        value = self.value()
        alias = self.name("a name for the column") if self.take_if("AS") else None
        return syntax.Column(value, alias, span=self.span_from(start))

    def _grouping(self) -> syntax.Grouping:
        start = self.expect("GROUP", "BY")
        if self.take_if("TAGS"):
            return self._tag_grouping(start)
        names = [self._grouped_name()]
        while self.take_if(","):
            names.append(self._grouped_name())
        return syntax.GroupByNames(tuple(names), span=self.span_from(start))

    def _grouped_name(self) -> syntax.Name:
        start = self.token
        return syntax.Name(self.dotted("an attribute or TAGS"), span=self.span_from(start))

    def _tag_grouping(self, start: Token) -> syntax.GroupByTags:
        likeness, threshold, function = syntax.Likeness.EQUALITY, None, None
        if self.take_if("USING"):
            word = self.expect_one((*_LIKENESSES, *self.functions), "a likeness of tags")
            function = None if word in _LIKENESSES else word
            likeness = syntax.Likeness[word if function is None else "FUNCTION"]
            if likeness in (syntax.Likeness.JACCARD, syntax.Likeness.FUNCTION):
                threshold = self.expect_kind(Kind.NUMBER, "a number", help="like 0.5").value
        untagged = self.take_if("INCLUDING")
        if untagged:
            self.expect("UNTAGGED")
        span = self.span_from(start)
        return syntax.GroupByTags(likeness, threshold, untagged, function, span=span)
