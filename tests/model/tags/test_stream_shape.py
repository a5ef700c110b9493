"""Shapes of tagged streams, and tags that do not fit them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from millstream.errors import ItemError, SchemaError
from millstream.model.dtd import read_dtd
from millstream.model.schema import ValueType
from millstream.model.tags import (
    StreamAttribute,
    StreamShape,
    TimeForm,
    check_tag,
    parse_applicability,
    tick_tag,
)
from tests.model.tags.samples import PATIENTS, panic_attack

ITEMS = """
<!ELEMENT sky (source*)>
<!ELEMENT source (name, flux, seen, note*)>
<!ATTLIST source id CDATA #REQUIRED>
<!ELEMENT name (#PCDATA)> <!ELEMENT flux (#PCDATA)> <!ELEMENT seen (#PCDATA)>
<!ELEMENT note (#PCDATA)>
"""


def test_attributes_are_counted_from_one() -> None:
    assert PATIENTS.number("loc") == 3


def test_unknown_attribute_is_explained() -> None:
    with pytest.raises(SchemaError, match="did you mean 'measure'"):
        PATIENTS.number("mesure")


def test_shape_comes_from_a_schema() -> None:
    schema = read_dtd(ITEMS).with_types({("seen",): ValueType.TIME})
    shape = StreamShape.of_schema("sky", schema, ("seen",))
    assert shape.names == ("@id", "name", "flux", "seen")
    assert shape.time is TimeForm.INSTANT


@pytest.mark.parametrize(
    "attributes",
    [(), (StreamAttribute("a"), StreamAttribute("a")), (StreamAttribute("not a name"),)],
)
def test_bad_shape_is_refused(attributes: tuple[StreamAttribute, ...]) -> None:
    with pytest.raises(SchemaError):
        StreamShape("s", attributes)


def test_values_are_views_of_texts() -> None:
    attribute = StreamAttribute("price", ValueType.DECIMAL)
    assert [attribute.value(text) for text in (" 24.00", None)] == [Decimal(24), None]
    assert StreamAttribute("name").value(" a b ") == "a b"


def test_fitting_tag_passes() -> None:
    check_tag(panic_attack(), PATIENTS)


@pytest.mark.parametrize(
    ("applicability", "code"),
    [("Animals,*,{}", "unknown-stream"), ("*,*,{lok.value}", "unknown-attribute")],
)
def test_tag_that_fits_nothing_is_refused(applicability: str, code: str) -> None:
    tag = tick_tag("x", tagger="ann", timestamp=0, applicability=parse_applicability(applicability))
    with pytest.raises(ItemError) as caught:
        check_tag(tag, PATIENTS)
    assert caught.value.code == code and caught.value.help
