"""Lines that tell of what was refused before it came to a file: the reason, and the bytes."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator

from millstream.runtime.parsing.chunk import Rejected, reject


def refused(data: bytes) -> Iterator[Rejected]:
    """Each line of a file of refused values, as what goes to quarantine."""
    start = 0
    for line in data.splitlines(keepends=True):
        if line.strip():
            yield _rejected(start, line)
        start += len(line)


def refused_line(reason: str, raw: bytes) -> bytes:
    """The line that tells of a refused value."""
    content = {"reason": reason, "raw": base64.b64encode(raw).decode()}
    return json.dumps(content).encode() + b"\n"


def _rejected(start: int, line: bytes) -> Rejected:
    try:
        content = json.loads(line)
        return reject(start, str(content["reason"]), base64.b64decode(content["raw"]))
    except (ValueError, KeyError, TypeError):
        return reject(start, "a line that tells of nothing refused", line)
