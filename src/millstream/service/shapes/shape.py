"""What all shapes have in common."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.\-]{0,99}$")]
"""What a stream or a subscription may be called: a part of an address, as it is."""


class Shape(BaseModel):
    """Something that goes over the wire."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class Request(BaseModel):
    """Something that a client sends: what is not known is refused, not passed over."""

    model_config = ConfigDict(use_attribute_docstrings=True, extra="forbid", strict=True)
