"""Schemas as people read them."""

from __future__ import annotations

from millstream.model.description import describe
from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType


def test_a_schema_is_shown_as_a_tree() -> None:
    children = (
        Element("en", type=ValueType.DECIMAL),
        Element("note", Occurs.MANY),
        Element("rest", Occurs.OPTIONAL, Content.RAW),
    )
    attributes = (Attribute("id", ValueType.INTEGER, required=True), Attribute("by"))
    item = Element("photon", Occurs.ONE, Content.NESTED, children, attributes)
    expected = """\
photons
  photon
    @id   integer
    @by   text, optional
    en    decimal
    note  text, any number
    rest  xml text, optional"""
    assert describe(Schema("photons", item)) == expected


def test_an_item_that_is_its_own_root_is_shown_once() -> None:
    assert describe(Schema("a", Element("a"))) == "a  text"
