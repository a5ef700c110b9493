"""Millstream: one stream turns many mills.

Continuous queries of many people on the same streams, with the common work done once.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from millstream.errors import MillstreamError
from millstream.model.user_functions import function

if TYPE_CHECKING:
    from millstream.mill import Mill

__version__ = "0.1.0"
__all__ = ["MillstreamError", "__version__", "function", "open"]


def open(space: str | os.PathLike[str] | None = None, **options: Any) -> Mill:
    """Open a space, made if it is not there; without one, a temporary space."""
    # Imported late: the command line answers --help without starting anything.
    from millstream.mill import Mill

    return Mill(space, **options)
