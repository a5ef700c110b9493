"""The page on tags shows statements and streams that can be read, and every word there is."""

from __future__ import annotations

import re

import pytest

from millstream.errors import QueryError
from millstream.generators.tagged.auctions import AUCTION
from millstream.generators.tagged.moving_objects import MOVING_OBJECTS
from millstream.generators.tagged.patients import PATIENTS
from millstream.languages.tagql import parse_checked
from millstream.languages.tagql.words import FUNCTIONS, RESERVED, TagField
from millstream.model.tags import Placed, parse_applicability, parse_stix
from millstream.model.tags.duration import UNITS
from millstream.model.tags.wire import WireOptions, read_json_lines, read_xml
from tests.docs.documents import ROOT, blocks

PAGE = (ROOT / "docs" / "TAGS.md").read_text(encoding="utf-8")
CATALOG = {shape.name: shape for shape in (PATIENTS, AUCTION, MOVING_OBJECTS)}
OPTIONS = WireOptions(PATIENTS)


def shown(language: str) -> list[str]:
    return [each.content for each in blocks(PAGE) if each.language == language]


@pytest.mark.parametrize("text", shown("tagql"))
def test_shown_statement_is_read(text: str) -> None:
    assert parse_checked(text, CATALOG)


def test_shown_streams_are_the_same() -> None:
    (lines,), (xml,) = shown("json"), shown("xml")
    read = list(read_json_lines(lines.splitlines(), OPTIONS))
    assert all(isinstance(each, Placed) for each in read) and len(read) == 5
    assert list(read_xml(xml, OPTIONS)) == read


@pytest.mark.parametrize("text", re.findall(r"^\| `(\*,[^`]+)` \|", PAGE, re.MULTILINE))
def test_shown_applicability_is_read(text: str) -> None:
    assert str(parse_applicability(text)) == text


@pytest.mark.parametrize("text", re.findall(r"`(\([^`]*\)[0-9])`", PAGE))
def test_shown_stix_is_read(text: str) -> None:
    assert parse_stix(text)


@pytest.mark.parametrize("text", shown("python"))
def test_shown_python_runs(text: str) -> None:
    namespace: dict[str, object] = {}
    exec(text, namespace)
    assert namespace.get("bad") or namespace.get("sad") or namespace.get("waiting")


def test_shown_error_is_what_is_said() -> None:
    with pytest.raises(QueryError) as caught:
        parse_checked("SELECT pid\nFROM Patients\nWHERE mesure > 80", CATALOG)
    assert str(caught.value) in PAGE


def test_page_names_every_word() -> None:
    fields = {each.value for each in TagField}
    spelt = {word for word in RESERVED if word in fields or not word.startswith("TAG")}
    words = {*spelt, "TAGS", "TAGGED", *(name for name in FUNCTIONS if name != "DIST"), "Dist"}
    assert {word for word in words if not re.search(rf"\b{word}\b", PAGE)} == set()
    assert {unit for unit in UNITS if f"`{unit}`" not in PAGE} == set()
