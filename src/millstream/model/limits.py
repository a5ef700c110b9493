"""How large a schema may be: texts that grow without bound are refused, not followed."""

from __future__ import annotations

from millstream.errors import SchemaError

MAX_LENGTH = 1_000_000
"""Characters of a schema's text, also after entities are expanded."""

MAX_ELEMENTS = 20_000
"""Elements of a schema once it is unfolded into a tree."""

MAX_DEPTH = 100
"""Elements inside each other."""


def check_length(text: str) -> None:
    """Raise SchemaError for a text that is too long to be a schema."""
    if len(text) > MAX_LENGTH:
        raise SchemaError(f"the schema is longer than {MAX_LENGTH:,} characters")


def check_elements(count: int) -> None:
    """Raise SchemaError for a schema that unfolds to too many elements."""
    if count > MAX_ELEMENTS:
        raise SchemaError(f"the schema unfolds to more than {MAX_ELEMENTS:,} elements")


def check_depth(depth: int) -> None:
    """Raise SchemaError for elements that are nested too deeply."""
    if depth > MAX_DEPTH:
        raise SchemaError(f"the schema nests more than {MAX_DEPTH} elements in each other")
