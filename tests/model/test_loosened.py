from __future__ import annotations

from millstream.model.reading import read_schema
from millstream.model.schema import Occurs

DTD = "<!ELEMENT r (i*)><!ELEMENT i (a, b+)><!ELEMENT a (#PCDATA)><!ELEMENT b (#PCDATA)>"


def test_nothing_is_required_in_a_loosened_schema() -> None:
    item = read_schema(DTD, stream="r").loosened().item
    assert [child.occurs for child in item.children] == [Occurs.OPTIONAL, Occurs.MANY]
