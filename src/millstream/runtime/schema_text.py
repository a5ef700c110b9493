"""The text of a schema, given as it is or by the path of its file."""

from __future__ import annotations

import os
from pathlib import Path

from millstream.errors import SchemaError


def schema_text(given: str | os.PathLike[str]) -> str:
    """What a schema says, wherever that is written."""
    text = os.fspath(given)
    looks_like_path = "\n" not in text and "<" not in text and "{" not in text and " " not in text
    if isinstance(given, os.PathLike) or os.path.exists(text) or looks_like_path:
        try:
            return Path(text).read_text(encoding="utf-8")
        except OSError as error:
            raise SchemaError(f"cannot read schema {text}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise SchemaError(f"schema {text} is not UTF-8 text: {error.reason}") from error
    return text
