"""Tag structures: their text, what is wrong with it, and looking tags up."""

from __future__ import annotations

import pytest

from millstream.errors import SchemaError, UnsupportedError
from millstream.model.reading import is_tag_structure, read_schema, read_structure
from millstream.model.tag_structure import Tag, TagStructure, TagType
from millstream.model.tag_structure_text import read_tag_structure, tag_structure_text

CREDIT = """\
<stream:structure>
  <tag type="snapshot" id="1" name="creditAccounts">
    <tag type="temporal" id="2" name="account">
      <tag type="snapshot" id="3" name="customer"/>
      <tag type="temporal" id="4" name="creditLimit"/>
      <tag type="event" id="5" name="transaction">
        <tag type="snapshot" id="6" name="vendor"/>
        <tag type="temporal" id="7" name="status" unit="none"/>
        <tag type="snapshot" id="8" name="amount"/>
      </tag> </tag> </tag>
</stream:structure>
"""


def credit() -> TagStructure:
    return read_tag_structure(CREDIT)


def test_tags_are_found_by_id() -> None:
    assert [(tag.id, tag.name) for tag in credit().tags.values()] == [
        (1, "creditAccounts"),
        (2, "account"),
        (3, "customer"),
        (4, "creditLimit"),
        (5, "transaction"),
        (6, "vendor"),
        (7, "status"),
        (8, "amount"),
    ]


def test_types_say_what_comes_as_a_filler() -> None:
    fragmented = [tag.name for tag in credit().tags.values() if tag.fragmented]
    assert fragmented == ["account", "creditLimit", "transaction", "status"]


def test_paths_lead_to_tags_and_back() -> None:
    structure = credit()
    for id, tag in structure.tags.items():
        assert structure.at(structure.path(id)) is tag


@pytest.mark.parametrize("path", [(), ("account",), ("creditAccounts", "status")])
def test_other_paths_lead_nowhere(path: tuple[str, ...]) -> None:
    assert credit().at(path) is None


@pytest.mark.parametrize(("id", "holder"), [(2, 1), (4, 2), (7, 5), (8, 5), (6, 5), (1, 1)])
def test_a_hole_stands_in_the_filler_above(id: int, holder: int) -> None:
    assert credit().holder(id).id == holder


def test_an_unknown_id_is_refused() -> None:
    with pytest.raises(SchemaError, match="no tag 99"):
        credit().tag(99)


def test_further_attributes_are_kept() -> None:
    assert credit().tag(7).attributes == (("unit", "none"),)


def test_writing_and_reading_agree() -> None:
    assert read_tag_structure(tag_structure_text(credit())) == credit()


@pytest.mark.parametrize(
    "text",
    [
        '<tag type="snapshot" id="1" name="a"/>',
        '<structure><tag type="snapshot" id="1" name="a"/></structure>',
        '\ufeff<?xml version="1.0"?><!-- a --><tag id="1" name="a" type="snapshot"></tag>',
        "<!DOCTYPE tagStructure [\n<!ELEMENT tag (tag*)>\n<!ATTLIST tag id CDATA #REQUIRED> ]>\n"
        '<stream:structure><tag type="snapshot" id="1" name="a"/></stream:structure>',
    ],
    ids=["bare", "unprefixed", "prolog", "doctype"],
)
def test_other_ways_to_write_one(text: str) -> None:
    assert read_structure(text).root == Tag(1, "a", TagType.SNAPSHOT)


@pytest.mark.parametrize(
    ("wrong", "message", "line"),
    [
        (CREDIT.replace('id="7"', 'id="4"'), "id 4 of tag status is taken", 8),
        (CREDIT.replace('"event"', '"evnt"'), "unknown type 'evnt'", 6),
        (CREDIT.replace(' id="5"', ""), "the tag has no id", 6),
        (CREDIT.replace('type="event" ', ""), "the tag has no type", 6),
        (CREDIT.replace('name="status"', ""), "the tag has no name", 8),
        (CREDIT.replace('id="3"', 'id="3a"'), "has the id '3a'", 4),
        (CREDIT.replace('id="3"', 'id="-3"'), "has the id '-3'", 4),
        (CREDIT.replace("customer", "my customer"), "not the name of an element", 4),
        (CREDIT.replace("customer", "hole"), "no element may be called hole", 4),
        (CREDIT.replace('name="amount"', 'name="vendor"'), "two tags called vendor", 9),
        (CREDIT.replace('<tag type="snapshot" id="8"', '<tga type="snapshot" id="8"'), "<tga>", 9),
        (CREDIT.replace("</tag> </tag>", "</tag> why </tag>"), "text cannot stand", 10),
        ('<tag type="event" id="1" name="a"/>', "root a cannot be an event", 1),
    ],
)
def test_mistakes_are_told_with_their_line(wrong: str, message: str, line: int) -> None:
    with pytest.raises(SchemaError, match=message) as caught:
        read_tag_structure(wrong)
    assert (f"line {line}:" in caught.value.message, caught.value.to_json()["line"]) == (True, line)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("<stream:structure></stream:structure>", "has no tag"),
        ('<structure><tag type="snapshot" id="1" name="a"/><tag/></structure>', "one root tag"),
        (CREDIT[:-20], "cannot be read"),
        (
            '<!DOCTYPE a [<!ENTITY b "c">]><tag type="snapshot" id="1" name="&b;"/>',
            "declares no entities",
        ),
        (
            "".join(f'<tag type="snapshot" id="{n}" name="a{n}">' for n in range(101))
            + "</tag>" * 101,
            "more than 100",
        ),
    ],
    ids=["empty", "two roots", "cut", "entity", "deep"],
)
def test_other_mistakes_are_told(wrong: str, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        read_tag_structure(wrong)


def test_a_wrong_type_gets_help_and_a_caret() -> None:
    with pytest.raises(SchemaError) as caught:
        read_tag_structure(CREDIT.replace('"event"', '"evnt"'))
    shown = str(caught.value).splitlines()
    assert shown[1:3] == [
        '  6 |       <tag type="evnt" id="5" name="transaction">',
        "    |            ^^^^^^^^^^^",
    ]
    assert "did you mean 'event'?" in shown[3]


def test_a_tag_structure_is_told_by_its_text() -> None:
    assert is_tag_structure(CREDIT)
    assert not is_tag_structure("<!ELEMENT tag (#PCDATA)>")


def test_a_tag_structure_describes_no_items() -> None:
    with pytest.raises(UnsupportedError, match="come with history") as caught:
        read_schema(CREDIT, stream="credit")
    assert "materialize" in (caught.value.help or "")


def test_a_tag_structure_is_told_no_types() -> None:
    with pytest.raises(SchemaError, match="says itself"):
        read_structure(CREDIT, temporal=["account"])


@pytest.mark.parametrize("text", ["a INT", '{"properties": {}}', "<xs:schema/>"])
def test_other_schemas_describe_no_history(text: str) -> None:
    with pytest.raises(SchemaError, match="tag structure or a DTD"):
        read_structure(text)
