"""Tagged streams as they travel: JSON lines and XML."""

from millstream.model.tags.wire.json_lines import read_json_lines, write_json_lines
from millstream.model.tags.wire.reading import BadElement, Read, WireOptions
from millstream.model.tags.wire.xml_elements import read_xml, write_xml

__all__ = [
    "BadElement",
    "Read",
    "WireOptions",
    "read_json_lines",
    "read_xml",
    "write_json_lines",
    "write_xml",
]
