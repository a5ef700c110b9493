"""Schemas from document type definitions."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from millstream.errors import SchemaError, line_and_column
from millstream.generators.photons import PHOTONS_DTD
from millstream.model.dtd import read_dtd
from millstream.model.schema import Attribute, Content, Element, Occurs, Schema

LEAVES = "".join(f"<!ELEMENT {name} (#PCDATA)>" for name in "abcd")


def item_of(model: str, *more: str) -> Element:
    """The item whose content model is given; a, b, c and d are leaves."""
    text = f"<!ELEMENT root (x*)><!ELEMENT x {model}>{LEAVES}{''.join(more)}"
    return read_dtd(text, root="root").item


def children_of(model: str) -> list[str] | None:
    """The children with their occurrence signs, or None for raw content."""
    item = item_of(model)
    if item.content is Content.RAW:
        return None
    return [child.name + child.occurs.value for child in item.children]


def leaf(name: str) -> Element:
    return Element(name)


def nested(name: str, *children: Element) -> Element:
    return Element(name, content=Content.NESTED, children=children)


def test_photons_have_the_shape_of_their_dtd() -> None:
    expected = nested(
        "photon",
        nested(
            "coord",
            nested("cel", leaf("ra"), leaf("dec")),
            nested("det", leaf("dx"), leaf("dy")),
        ),
        leaf("phc"),
        leaf("en"),
        leaf("det_time"),
    )
    assert read_dtd(PHOTONS_DTD) == Schema("photons", expected)


def test_a_plan_s_inline_dtd_is_read() -> None:
    text = """
        <!ELEMENT photons (photon)* >
        <!ELEMENT photon (coord, en, det_time) >
        <!ELEMENT coord (cel) >
        <!ELEMENT cel (ra, dec) >
        <!ELEMENT ra (#PCDATA) > <!ELEMENT dec (#PCDATA) >
        <!ELEMENT en (#PCDATA) > <!ELEMENT det_time (#PCDATA) >
    """
    leaves = [str(leaf) for leaf in read_dtd(text).leaves()]
    assert leaves == ["coord/cel/ra", "coord/cel/dec", "en", "det_time"]


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("(a, b?, c*, d+)", ["a", "b?", "c*", "d+"]),
        ("(a | b)", ["a?", "b?"]),
        ("(a | b | c)?", ["a?", "b?", "c?"]),
        ("(a, (b | c), d)", ["a", "b?", "c?", "d"]),
        ("(a, (b, c)?)", ["a", "b?", "c?"]),
        ("(a | (b, c*))", ["a?", "b?", "c*"]),
        ("((a, b) | (a, c))", ["a", "b?", "c?"]),
        ("(a, a)", ["a+"]),
        ("(a?, a*, b)", ["a*", "b"]),
        ("(a+)*", ["a*"]),
        ("(a?)+", ["a*"]),
        ("(((a)))", ["a"]),
    ],
)
def test_children_in_runs_become_columns(model: str, expected: list[str]) -> None:
    assert children_of(model) == expected


@pytest.mark.parametrize(
    "model",
    [
        "(a, b)*",
        "(a | b)+",
        "(a, b, a)",
        "(a, b?, a?)",
        "((a, b) | (b, a))",
        "((a, b) | (b, c) | (c, a))",
        "ANY",
        "(#PCDATA | a)*",
    ],
)
def test_free_order_and_mixed_content_stay_text(model: str) -> None:
    assert children_of(model) is None


def test_an_empty_element_is_nested_without_children() -> None:
    assert item_of("EMPTY") == Element("x", content=Content.NESTED)


def test_attributes_keep_whether_they_are_required() -> None:
    attributes = '<!ATTLIST x id ID #REQUIRED kind (p|q) "p" xmlns:y CDATA #FIXED "urn:y">'
    assert item_of("(#PCDATA)", attributes).attributes == (
        Attribute("id", required=True),
        Attribute("kind"),
    )


def test_raw_elements_carry_nothing_else() -> None:
    assert item_of("ANY", "<!ATTLIST x id CDATA #IMPLIED>") == Element("x", content=Content.RAW)


def test_an_element_inside_itself_stays_text() -> None:
    item = item_of("(a, part*)", "<!ELEMENT part (b, part*)>")
    assert item.child("part") == Element("part", Occurs.MANY, Content.RAW)


def test_an_item_inside_itself_is_taken_apart_once() -> None:
    assert item_of("(a, x*)").children == (leaf("a"), Element("x", Occurs.MANY, Content.RAW))


def test_prefixes_are_part_of_names() -> None:
    schema = read_dtd(
        "<!ELEMENT p:r (p:i*)><!ELEMENT p:i (#PCDATA)><!ATTLIST p:i q:k CDATA #IMPLIED>"
    )
    assert schema == Schema("p:r", Element("p:i", attributes=(Attribute("q:k"),)))


def test_a_doctype_names_the_root() -> None:
    text = """<?xml version="1.0"?>
    <!DOCTYPE list [ <!-- ]> is not yet the end -->
      <!ELEMENT list (a+)> <!ELEMENT a (#PCDATA)> <!ELEMENT unused (a)>
    ]>
    <list><a>1</a></list>"""
    assert read_dtd(text) == Schema("list", leaf("a"))


def test_a_doctype_may_name_something_else() -> None:
    text = "<!DOCTYPE system [<!ELEMENT list (a+)><!ELEMENT a (#PCDATA)>]>"
    assert read_dtd(text).root == "list"


def test_any_element_can_be_the_item() -> None:
    text = f"<!ELEMENT r (s, t)><!ELEMENT s (a)><!ELEMENT t (b*)>{LEAVES}"
    assert read_dtd(text, item="b", root="r") == Schema("r", leaf("b"))


def test_the_item_tells_the_root() -> None:
    text = "<!ELEMENT r (a)><!ELEMENT s (b)><!ELEMENT a (#PCDATA)><!ELEMENT b (#PCDATA)>"
    assert read_dtd(text, item="b").root == "s"


def test_parameter_entities_are_expanded() -> None:
    text = """<!ENTITY % both "a, %last;"> <!ENTITY % last 'b?'> <!ENTITY text "ignored">
              <!ELEMENT r (x*)> <!ELEMENT x (%both;)>
              <!ELEMENT a (#PCDATA)> <!ELEMENT b (#PCDATA)>"""
    assert [child.name for child in read_dtd(text).item.children] == ["a", "b"]


def test_no_other_file_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.dtd"
    secret.write_text("<!ELEMENT secret EMPTY>")
    text = f'<!ENTITY % other SYSTEM "{secret}"> %other; <!ELEMENT r (secret)>'
    with pytest.raises(SchemaError, match="another file, which is never read"):
        read_dtd(text)


def test_a_hidden_external_entity_is_not_read_either(tmp_path: Path) -> None:
    secret = tmp_path / "secret.dtd"
    secret.write_text("<!ELEMENT secret EMPTY>")
    text = f"""<!ENTITY % sys "SYSTEM '{secret}'"> <!ENTITY % declare "<!ENTITY &#37; other %sys;>">
               %declare; <!ELEMENT r (secret)> %other;"""
    with pytest.raises(SchemaError):
        read_dtd(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!ELEMENT r (a, b)><!ELEMENT a EMPTY><!ELEMENT b EMPTY>", "2 different children"),
        ("<!ELEMENT r (#PCDATA)>", "no children"),
        (
            "<!ELEMENT r (a)><!ELEMENT s (a)><!ELEMENT a EMPTY>",
            "the root of the stream is not clear",
        ),
        ("<!ELEMENT r (s)><!ELEMENT s (r)>", "the root of the stream is not clear"),
        ("<!ELEMENT r (a*)>", "declares no element a"),
        ("<!ELEMENT r (a)><!ELEMENT r (b)>", "declared twice"),
        ("<!-- nothing -->", "declares no elements"),
        ("<!ELEMENT r (a*)> <!-- and", "comment is not closed"),
        ("<!DOCTYPE r [ <!ELEMENT r (a*)>", "not closed by"),
        ('<!DOCTYPE r SYSTEM "r.dtd">', "never read"),
        ("<!ELEMENT r (%what;)>", "entity what is not declared"),
        ('<!ENTITY % a "%a;"> <!ELEMENT r (%a;)>', "without end"),
    ],
)
def test_what_is_wrong_is_told(text: str, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        read_dtd(text)


def test_a_missing_item_name_can_be_given() -> None:
    with pytest.raises(SchemaError) as caught:
        read_dtd("<!ELEMENT r (a, b)><!ELEMENT a EMPTY><!ELEMENT b EMPTY>")
    assert caught.value.help == "pass item=… with one of: r, a, b"


def test_a_syntax_error_has_a_position() -> None:
    text = "<!ELEMENT r (a*)>\n<!ELEMENT a (#CDATA)>"
    with pytest.raises(SchemaError) as caught:
        read_dtd(text)
    assert caught.value.span and line_and_column(text, caught.value.span.start)[0] == 2


def test_an_undeclared_child_is_pointed_at() -> None:
    text = "<!ELEMENT r (x*)>\n<!ELEMENT x (aa)><!ELEMENT ab EMPTY>"
    with pytest.raises(SchemaError) as caught:
        read_dtd(text, item="x")
    assert caught.value.span and text[caught.value.span.start : caught.value.span.end] == "aa"


@pytest.mark.parametrize(
    "text",
    [
        "<!ELEMENT r (a0*)><!ELEMENT a40 EMPTY><!ELEMENT c EMPTY>"
        + "".join(
            f"<!ELEMENT a{i} (a{i + 1},b{i})><!ELEMENT b{i} (a{i + 1},c)>" for i in range(40)
        ),
        "<!ELEMENT r (a0*)>"
        + "".join(f"<!ELEMENT a{i} (a{i + 1})>" for i in range(3_000))
        + "<!ELEMENT a3000 EMPTY>",
        "<!--" * 250_000,
        f"""<!ENTITY % a "{"x" * 1000}"><!ENTITY % b "{"%a;" * 1000}"><!ELEMENT r (%b;%b;)>""",
    ],
    ids=["unfolding", "depth", "comments", "entities"],
)
def test_texts_that_explode_are_refused_quickly(text: str) -> None:
    started = time.monotonic()
    with pytest.raises(SchemaError):
        read_dtd(text)
    assert time.monotonic() - started < 5
