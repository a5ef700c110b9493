"""Where XML is cut between items."""

from __future__ import annotations

import pytest

from millstream.model.schema import Content, Element, Schema
from millstream.runtime.intake.boundaries import Cut, Flaw
from millstream.runtime.intake.xml_boundaries import XmlBoundaries, nests

PLAIN = Schema("items", Element("item", content=Content.NESTED, children=(Element("a"),)))
NESTED = Schema("items", Element("item", content=Content.RAW))


def before(text: str) -> int:
    """The place of the mark in a text, in which it is not."""
    return text.encode().index(b"|")


@pytest.mark.parametrize(
    "text",
    [
        "<item/>|",
        "<item>1</item>|<item>2",
        "<item>1</item >|</items>",
        "<item>1</item><item>2</item\n>|\n</items>",
        "<item a='>'/><item a=\"x/>\" />|<item a='/>",
        "<item>1</item>|<!-- </item> -->",
        "<item>1</item>|<!-- </item>",
        "<item>1</item>|<?p </item>",
        "<item><![CDATA[</item>]]></item>|<item><![CDATA[</item>",
        "<!DOCTYPE items [<!ENTITY e '</item>'>]><items><item/>|",
        "|<items><item>1",
        "|<itemize></itemize>",
        "|",
    ],
)
def test_text_is_cut_after_the_last_whole_item(text: str) -> None:
    window = text.replace("|", "").encode()
    assert XmlBoundaries(PLAIN).cut(window, None, final=False) == Cut(before(text))


@pytest.mark.parametrize(
    "text",
    [
        "<tag>1</tag><item>1</item>|<tag>2</tag><tag/>",
        "<item/>|<tag>2</tag><item>2",
        "<item>1</item><item/>|<!-- </item> --><tag>2</tag>",
        "<tag>1</tag><tag/>|<item>1",
    ],
)
def test_what_is_about_the_next_item_is_not_cut_off_from_it(text: str) -> None:
    window = text.replace("|", "").encode()
    assert XmlBoundaries(PLAIN, ("tag",)).cut(window, None, final=False) == Cut(before(text))


@pytest.mark.parametrize(
    ("text", "limit", "items"),
    [
        ("<item>1</item>|<item>2</item>", 1, 1),
        ("<item>1</item><item/>|<item>3</item>", 2, 2),
        ("<item>1</item><!--</item>--><item/>|<item>", 5, 2),
        ("|<item>1", 5, 0),
    ],
)
def test_items_are_counted_where_there_is_a_limit(text: str, limit: int, items: int) -> None:
    window = text.replace("|", "").encode()
    assert XmlBoundaries(PLAIN).cut(window, limit, final=False) == Cut(before(text), items)


@pytest.mark.parametrize(
    "text",
    [
        "<item>1<item>2</item></item>|<item><item/>",
        "<item><item><item/></item></item>|<item></item",
    ],
)
def test_items_inside_items_are_no_place_to_cut(text: str) -> None:
    window = text.replace("|", "").encode()
    assert XmlBoundaries(NESTED).cut(window, None, final=False).end == before(text)


def test_a_broken_start_tag_does_not_hide_the_items_after_it() -> None:
    text = b'<item a="1><b/></item><item>2</item>'
    assert XmlBoundaries(NESTED).cut(text, None, final=False).end == len(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("junk</item>|<item>2</item>", True),
        ("junk|<item>2</item>", True),
        ("junk|<ite", False),
        ("junk|", False),
        ("<!-- </item> --></item>|", True),
        ("junk|<!-- </item>", False),
    ],
)
def test_reading_goes_on_at_the_end_or_start_of_an_item(text: str, found: bool) -> None:
    window = text.replace("|", "").encode()
    assert XmlBoundaries(PLAIN).resume(window, desperate=False) == (before(text), found)


def test_a_section_without_end_is_not_waited_for_forever() -> None:
    assert XmlBoundaries(PLAIN).resume(b"<!-- <item>", desperate=True) == (5, True)


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("\n</items>\n", None),
        ("\n<item>1", Flaw(1, "truncated", "truncated item")),
        ("<it", Flaw(0, "truncated", "truncated item")),
        ("</ite", None),
        (" <!-- x", Flaw(1, "truncated", "truncated comment, section or declaration")),
    ],
)
def test_the_rest_of_a_text_may_be_flawed(rest: str, expected: Flaw | None) -> None:
    assert XmlBoundaries(PLAIN).flaw(rest.encode(), fruitful=True) == expected


@pytest.mark.parametrize(
    ("rest", "flawed"),
    [("<html>no</html>", True), ("hello", True), (" \n", False), ("</items>", False)],
)
def test_a_text_without_items_is_flawed(rest: str, flawed: bool) -> None:
    flaw = XmlBoundaries(PLAIN).flaw(rest.encode(), fruitful=False)
    assert flaw == (Flaw(0, "no items", "no item 'item' in this file") if flawed else None)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("<?xml version='1.0'?>", True),
        ("\n<!DOCTYPE items>", True),
        ("<items>", True),
        ("<items a='1'>", True),
        ("<item>", False),
        ("tem>", False),
        ("<?x", None),
        ("<item", None),
        ("", None),
    ],
)
def test_a_document_of_its_own_is_known_by_its_head(head: str, expected: bool | None) -> None:
    assert XmlBoundaries(PLAIN).begins_document(head.encode()) is expected


@pytest.mark.parametrize(
    ("rest", "head", "expected"),
    [
        ("<item><a>1", "<item>", True),
        ("<item><a>1", "</a></item>", False),
        ("<item><!-- ", "<item>", False),
        ("<item><a", "<item>", True),
        ("</items", "<item>", True),
        ("</items>", "<item>", False),
    ],
)
def test_an_item_cannot_go_on_with_the_start_of_another(
    rest: str, head: str, expected: bool
) -> None:
    assert XmlBoundaries(PLAIN).breaks_item(rest.encode(), head.encode()) is expected


def test_namespaces_are_found_on_the_root() -> None:
    head = b'<?xml version="1.0"?><!-- <items> --><items xmlns:p="urn:p" b="1"><p:item/>'
    assert XmlBoundaries(PLAIN).declaring_tag(head) == '<items xmlns:p="urn:p" b="1">'
    assert XmlBoundaries(PLAIN).declaring_tag(b"<items><item/>") == ""


def test_an_item_nests_by_name_or_by_raw_content() -> None:
    inner = Element("b", content=Content.NESTED, children=(Element("item"),))
    assert nests(Element("item", content=Content.NESTED, children=(inner,)), "item")
    assert nests(NESTED.item, "item")
    assert not nests(PLAIN.item, "item")
