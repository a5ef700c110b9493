"""The WITH clause of ATTACH TAG: sign, lifespan and mode of the new tag."""

from __future__ import annotations

from typing import TypedDict

from millstream.errors import QueryError, did_you_mean
from millstream.languages.tagql import syntax
from millstream.languages.tagql.conditions import ConditionReader
from millstream.languages.tagql.lexer import Kind
from millstream.languages.tagql.words import FIELD_SPELLINGS, TagField
from millstream.model.tags.mode import Mode, parse_mode
from millstream.model.tags.sign import Sign, parse_sign

OPTIONS = (TagField.SIGN, TagField.LIFESPAN, TagField.MODE)


class AttachOptions(TypedDict, total=False):
    """What a WITH clause says."""

    sign: Sign
    lifespan: int | None
    mode: Mode


class AttachOptionReader(ConditionReader):
    """Reads options, with AND, commas or just line breaks between them."""

    def attach_options(self) -> AttachOptions:
        options: AttachOptions = {}
        given: set[TagField] = set()
        while True:
            option = self._option_name(given)
            given.add(option)
            self.expect("=")
            self._set(option, options)
            separated = self.take_if("AND", ",")
            if not separated and self.token.keyword not in FIELD_SPELLINGS:
                return options

    def check_content(self, statement: syntax.AttachTag) -> None:
        """Raise QueryError for an empty content that retracts nothing."""
        content = statement.content
        texts = content.choices if isinstance(content, syntax.OneOf) else (content.value,)
        retracts = statement.mode is Mode.OVERWRITE and not isinstance(content, syntax.OneOf)
        if all(text.strip() for text in texts) or retracts:
            return
        raise QueryError(
            "a tag has a content",
            code="empty-content",
            span=content.span,
            help="an empty content retracts earlier tags, WITH TAG_MODE = OVERWRITE",
        )

    def _option_name(self, given: set[TagField]) -> TagField:
        option = FIELD_SPELLINGS.get(self.token.keyword)
        if option not in OPTIONS:
            names = [each.value for each in OPTIONS]
            help = did_you_mean(self.token.value.upper(), names)
            raise self.unexpected("an option of the tag", help=help)
        if option in given:
            raise QueryError(f"{option.value} is given twice", code="syntax", span=self.token.span)
        self.take()
        return option

    def _set(self, option: TagField, options: AttachOptions) -> None:
        match option:
            case TagField.SIGN:
                options["sign"] = self._sign()
            case TagField.LIFESPAN:
                options["lifespan"] = self._lifespan()
            case _:
                options["mode"] = self._mode()

    def _sign(self) -> Sign:
        if self.token.kind is not Kind.STRING and not self.at("+", "-"):
            raise self.unexpected("a sign", help="a sign is '+' or '-'")
        token = self.take()
        try:
            return parse_sign(token.value)
        except ValueError as error:
            raise QueryError(str(error), code="sign", span=token.span) from None

    def _lifespan(self) -> int | None:
        if self.take_if("INSTANT", "I"):
            return None
        start = self.token
        lifespan = self.duration()
        if lifespan:
            return lifespan
        raise QueryError(
            "a lifespan is longer than 0",
            code="lifespan",
            span=self.span_from(start),
            help="a tag for a single tuple is INSTANT, which is what it is without a lifespan",
        )

    def _mode(self) -> Mode:
        if self.token.kind not in (Kind.WORD, Kind.STRING):
            raise self.unexpected("a mode", help="a mode is OVERWRITE or COMBINE")
        token = self.take()
        try:
            return parse_mode(token.value)
        except ValueError as error:
            raise QueryError(str(error), code="mode", span=token.span) from None
