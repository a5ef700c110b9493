"""Tag structures derived from DTDs."""

from __future__ import annotations

import pytest

from millstream.errors import SchemaError
from millstream.model.reading import read_structure
from millstream.model.tag_structure import TagType
from tests.model.test_tag_structure import CREDIT

CREDIT_DTD = """\
<!DOCTYPE creditSystem [
<!ELEMENT creditAccounts (account*)>
<!ELEMENT account (customer, creditLimit*, transaction*)>
<!ATTLIST account id ID #REQUIRED>
<!ELEMENT customer (#PCDATA)>
<!ELEMENT creditLimit (#PCDATA)>
<!ELEMENT transaction (vendor, status*, amount)>
<!ELEMENT vendor (#PCDATA)>
<!ELEMENT status (#PCDATA)>
<!ELEMENT amount (#PCDATA)> ]>
"""
LIST = """\
<!ELEMENT doc (list | note)*>
<!ELEMENT list (entry+)>
<!ELEMENT entry (#PCDATA | list | note)*>
<!ELEMENT note (#PCDATA)>
"""


def test_ids_follow_the_order_of_the_document() -> None:
    derived = read_structure(
        CREDIT_DTD, temporal=["account", "creditLimit", "status"], event=["transaction"]
    )
    written = read_structure(CREDIT.replace(' unit="none"', ""))
    assert derived == written


def test_without_names_nothing_is_cut() -> None:
    structure = read_structure(CREDIT_DTD)
    assert {tag.type for tag in structure.tags.values()} == {TagType.SNAPSHOT}


@pytest.mark.parametrize(
    ("recursion", "paths"),
    [
        (1, ["doc", "doc/list", "doc/list/entry", "doc/list/entry/note", "doc/note"]),
        (
            2,
            [
                "doc",
                "doc/list",
                "doc/list/entry",
                "doc/list/entry/list",
                "doc/list/entry/list/entry",
                "doc/list/entry/list/entry/note",
                "doc/list/entry/note",
                "doc/note",
            ],
        ),
    ],
)
def test_recursion_is_unfolded_so_often(recursion: int, paths: list[str]) -> None:
    structure = read_structure(LIST, recursion=recursion)
    assert ["/".join(structure.path(id)) for id in structure.tags] == paths


def test_a_name_means_every_place() -> None:
    structure = read_structure(LIST, temporal=["note"])
    places = ["/".join(structure.path(id)) for id, tag in structure.tags.items() if tag.fragmented]
    assert places == ["doc/list/entry/list/entry/note", "doc/list/entry/note", "doc/note"]


def test_the_end_of_a_path_means_some_places() -> None:
    structure = read_structure(LIST, temporal=["note"], event=["entry/note"])
    types = {tag.type for tag in structure.tags.values() if tag.name == "note"}
    assert structure.root.child("note") is not None
    assert structure.at(("doc", "note")).type is TagType.TEMPORAL  # type: ignore[union-attr]
    assert types == {TagType.TEMPORAL, TagType.EVENT}


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (CREDIT_DTD, {"temporal": ["acount"]}, "no element acount"),
        (CREDIT_DTD, {"temporal": ["customer/account"]}, "no element customer/account"),
        (CREDIT_DTD, {"temporal": ["account"], "event": ["account"]}, "both temporal and"),
        (CREDIT_DTD, {"event": ["creditAccounts"]}, "cannot be an event"),
        (CREDIT_DTD, {"recursion": 0}, "at least once"),
        ("<!ELEMENT a (b*)>", {}, "b, a child of a, is not declared"),
        ("<!ELEMENT a ANY>", {}, "may hold anything"),
        ("<!ELEMENT a (hole)><!ELEMENT hole (#PCDATA)>", {}, "no element may be called hole"),
        ("<!ELEMENT a (#PCDATA)><!ELEMENT b (#PCDATA)>", {}, "root of the stream is not clear"),
        (
            "<!ELEMENT r (a)>" + "".join(f"<!ELEMENT {n} (a|b|c|d|e|f|g)*>" for n in "abcdefg"),
            {},
            "unfolds to more than 20,000 tags",
        ),
    ],
)
def test_what_cannot_be_derived_is_told(
    text: str, options: dict[str, list[str]], message: str
) -> None:
    with pytest.raises(SchemaError, match=message):
        read_structure(text, **options)  # type: ignore[arg-type]


def test_a_misspelt_name_gets_help() -> None:
    with pytest.raises(SchemaError) as caught:
        read_structure(CREDIT_DTD, temporal=["acount"])
    assert "did you mean 'account'?" in (caught.value.help or "")
