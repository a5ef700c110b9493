"""Results as XML."""

from __future__ import annotations

from millstream.cli.formats import xml_lines


def test_document_without_root_has_items_only() -> None:
    assert list(xml_lines("", ["<a/>"], "")) == ["<a/>"]
