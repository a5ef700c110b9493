"""The grammars that are printed are those that are read: whatever they give can be parsed."""

from __future__ import annotations

import re
from random import Random

import pytest

from millstream.errors import MillstreamError
from millstream.languages.tagql import parse as parse_tagql
from millstream.languages.tagql.words import RESERVED, TagField
from millstream.languages.xquery import parse as parse_xquery
from millstream.languages.xquery.operations import COMPARISONS, LEVELS
from tests.docs.documents import ROOT
from tests.languages.ebnf import Sentences, read


def grammar(document: str, begin: str) -> str:
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    section = text.split("## Grammar")[1]
    return section.split(f"```{begin}\n")[1].split("```")[0]


XQUERY = Sentences(
    read(grammar("LANGUAGES.md", "ebnf")),
    {
        "Name": lambda random: random.choice(("a", "b", "fn:c", "d-e", "count1")),
        "String": lambda random: random.choice(('"x"', "'y ''z'", '"&lt;"')),
        "Number": lambda random: random.choice(("1", "2.5", ".5", "1e3")),
        "Integer": lambda random: random.choice(("1", "20")),
        "Date": lambda random: "2003-11-01",
        "Clock": lambda random: "10:12:56",
        "Duration": lambda random: random.choice(("PT1H", "P30D")),
        "Quoted": lambda random: random.choice(('"v"', "'{ 1 }'")),
        "Characters": lambda random: random.choice(("text", "&amp;", "{{")),
        "…": lambda random: "anything",
    },
)
TAGQL = Sentences(
    read(grammar("TAGS.md", "text")),
    {
        "name": lambda random: random.choice(("Patients", "a1", '"From"')),
        "word": lambda random: random.choice(("COUNT", "Dist", "lower")),
        "string": lambda random: random.choice(("'x'", "'it''s'")),
        "number": lambda random: random.choice(("1", "0.5")),
        "duration": lambda random: random.choice(("1 min", "30 s")),
        "sign": lambda random: random.choice(("'+'", "'-'")),
        "comparison": lambda random: random.choice(("=", "<>", "<=", ">")),
    },
)


def written(sentence: str) -> str:
    """A sentence of XQuery with the spaces gone that its words do not allow."""
    glued = re.sub(r"(</?) (\S+)", r"\1\2", sentence)
    glued = re.sub(r"(\d{4}-\d\d-\d\d) T (\S+)", r"\1T\2", glued)
    return _same_names(glued)


def _same_names(text: str) -> str:
    """Elements that are closed by the name that they were opened with."""
    open_names: list[str] = []

    def named(tag: re.Match[str]) -> str:
        if tag[1] == "</":
            return f"</{open_names.pop()}"
        open_names.append(tag[2])
        return tag[0]

    return re.sub(
        r"(</?)([\w:.-]+)(?=[^<>]*?>)",
        named,
        re.sub(r"<([\w:.-]+)([^<>]*)/>", r"<\1\2></\1>", text),
    )


@pytest.mark.parametrize("language", [XQUERY, TAGQL], ids=["xquery", "tagql"])
def test_every_name_is_explained(language: Sentences) -> None:
    assert language.unknown() == set()


@pytest.mark.parametrize("seed", range(200))
def test_sentences_of_tagql_can_be_read(seed: int) -> None:
    sentence = TAGQL.sentence("statement", Random(seed), 40)
    try:
        parse_tagql(sentence)
    except MillstreamError as error:
        once = "given twice" in error.message
        assert once or error.code != "syntax", f"{error.with_text(sentence)}"


@pytest.mark.parametrize("seed", range(200))
def test_sentences_of_xquery_can_be_read(seed: int) -> None:
    sentence = written(XQUERY.sentence("Module", Random(seed), 40))
    try:
        parse_xquery(sentence)
    except MillstreamError as error:
        # The document says so itself: a '|' after the source of a 'for' opens a window.
        window = "'count' or a path" in error.message
        assert window or error.code != "syntax", f"{error.with_text(sentence)}"


def test_words_of_the_parsers_are_printed() -> None:
    operators = {each for level in LEVELS for each in level} | set(COMPARISONS)
    assert operators <= XQUERY.literals()
    printed = TAGQL.literals()
    assert RESERVED - printed <= {each.value.replace("_", "") for each in TagField} | {"AS"}
