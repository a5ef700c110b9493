"""A file that takes its name when all of it is written."""

from __future__ import annotations

import gzip as compression
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast


@contextmanager
def complete_file(path: Path, *, gzip: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, which appears under its name when the block ends well."""
    hidden = path.with_name(f".{path.name}.part")
    try:
        with open(hidden, "wb") as plain:
            if not gzip:
                yield plain
            else:
                # Without name and time inside, equal content gives equal files.
                with compression.GzipFile("", "wb", 6, plain, mtime=0) as packed:
                    yield cast(BinaryIO, packed)
        os.replace(hidden, path)
    finally:
        hidden.unlink(missing_ok=True)
