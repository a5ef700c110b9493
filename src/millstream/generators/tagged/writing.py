"""Tagged streams written to files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from millstream.generators.complete_file import complete_file
from millstream.model.tags import Element, StreamShape
from millstream.model.tags.wire import WireOptions, write_json_lines, write_xml


def write_tagged(
    path: str | Path, elements: Iterable[Element], shape: StreamShape, *, gzip: bool = False
) -> int:
    """Write elements as XML to a file whose name ends so, else as JSON lines; their number."""
    target, options = Path(path), WireOptions(shape)
    xml = target.name.removesuffix(".gz").endswith(".xml")
    lines = write_xml(elements, options) if xml else write_json_lines(elements, options)
    count = 0
    with complete_file(target, gzip=gzip) as file:
        file.write(b"<stream>\n" if xml else b"")
        for line in lines:
            file.write(line.encode("utf-8") + b"\n")
            count += 1
        file.write(b"</stream>\n" if xml else b"")
    return count
