"""What the shell asks of a mill, whether it is here or elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

Facts = Mapping[str, object]
"""What is told of one thing, by the names of columns."""


@dataclass(frozen=True, slots=True)
class StreamShape:
    """What can be written about a stream: where its paths lead."""

    name: str
    paths: tuple[tuple[str, ...], ...]
    """From the root element on; attributes begin with @."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Result items, the newest of those that there are."""

    items: tuple[str, ...]
    left_out: int = 0
    """How many came before them."""
    note: str = ""


class Backend(Protocol):
    """A mill as the shell sees it. Everything raises errors of the family."""

    @property
    def title(self) -> str:
        """What is asked: a space, or an address."""

    def shapes(self) -> tuple[StreamShape, ...]: ...

    def contents(self) -> tuple[str, ...]:
        """What tags say, the most frequent first."""

    def streams(self) -> list[Facts]: ...

    def subscriptions(self) -> list[Facts]: ...

    def create(self, name: str, source: str, options: Mapping[str, str]) -> tuple[str, ...]:
        """Make a stream; what was inferred."""

    def check(self, text: str) -> None:
        """Refuse a query that is wrong."""

    def explain(self, text: str) -> Mapping[str, str]:
        """How a query would be answered, in parts."""

    def ask(self, text: str, now: datetime | None, most: int) -> Shown:
        """Answer a query once, from what there is."""

    def subscribe(self, text: str, name: str | None) -> str:
        """Register a query; its name."""

    def cancel(self, name: str) -> None: ...

    def results(self, name: str, most: int) -> Shown: ...

    def text_of(self, name: str) -> str | None:
        """The text of a subscription, if there is one of this name."""

    def costs(self, name: str) -> Facts: ...

    def savings(self) -> Facts: ...

    def tags(self, stream: str) -> list[Facts]: ...

    def cloud(self, stream: str) -> list[Facts]: ...

    def attach(self, stream: str, content: str, options: Mapping[str, str]) -> str:
        """Attach a tag; where it is on."""

    def quarantine(self, stream: str) -> list[Facts]: ...

    def turn(self, seconds: float | None) -> str:
        """Read what the sources hold, or for some seconds; what was done."""

    def close(self) -> None: ...
