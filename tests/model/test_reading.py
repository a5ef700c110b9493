"""One door for all notations of schemas."""

from __future__ import annotations

import pytest

from millstream.errors import SchemaError, UnsupportedError
from millstream.model.reading import read_schema


@pytest.mark.parametrize(
    "text",
    [
        "<!ELEMENT r (b*)><!ELEMENT b (c)><!ELEMENT c (#PCDATA)>",
        "\ufeff<?xml version='1.0'?><!-- r --><!DOCTYPE r [<!ELEMENT r (b*)><!ELEMENT b (c)>"
        "<!ELEMENT c (#PCDATA)>]>",
        '<!ENTITY % t "(#PCDATA)"><!ELEMENT r (b*)><!ELEMENT b (c)><!ELEMENT c %t;>',
        '{"properties": {"c": {"type": "string"}}, "required": ["c"]}',
        "c STRING NOT NULL",
    ],
    ids=["elements", "doctype", "entities", "json", "ddl"],
)
def test_the_text_tells_what_it_is(text: str) -> None:
    assert [leaf.path for leaf in read_schema(text, stream="s").leaves()] == [("c",)]


@pytest.mark.parametrize(
    "text", ['<tag type="event" id="1"/>', "<?xml version='1.0'?><stream:structure>"]
)
def test_tag_structures_are_told_from_other_xml(text: str) -> None:
    with pytest.raises(UnsupportedError, match="tag structures come with history"):
        read_schema(text, stream="s")


def test_other_xml_is_not_a_schema() -> None:
    with pytest.raises(UnsupportedError, match="neither a DTD"):
        read_schema("<xs:schema/>", stream="s")


@pytest.mark.parametrize("text", ["", " \n", "<!-- only this -->"])
def test_nothing_is_no_schema(text: str) -> None:
    with pytest.raises(SchemaError, match="empty"):
        read_schema(text, stream="s")


def test_the_item_can_be_named_in_every_notation() -> None:
    names = [
        read_schema(text, stream="s", item="b").item.name
        for text in ("<!ELEMENT b (#PCDATA)>", '{"properties":{"c":{"const":1}}}', "c INT")
    ]
    assert names == ["b", "b", "b"]
