"""Errors of the intake that come back through the engine, as what they were."""

from __future__ import annotations

import re

from millstream import errors
from millstream.errors import MillstreamError

# As Python prints an exception at the end of a traceback, which the engine hands on as text.
_RAISED = re.compile(r"^\s*millstream\.errors\.(\w+): [a-z ]+: (.+)$(?:\n\s*help: (.+)$)?", re.M)


def raised_in_worker(text: str) -> MillstreamError | None:
    """The error of ours that a message of the engine tells of, or None."""
    found = _RAISED.search(text)
    family = getattr(errors, found.group(1), None) if found else None
    if found is None or not (isinstance(family, type) and issubclass(family, MillstreamError)):
        return None
    return family(found.group(2), help=found.group(3))
