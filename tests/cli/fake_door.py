"""A mill that remembers what it was asked and answers from a list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from millstream.model.schema import Content, Element, Schema

PHOTON = Element("photon", content=Content.NESTED, children=(Element("en"), Element("det_time")))


@dataclass(frozen=True)
class FakeReport:
    """One step, and the run that consists of it."""

    items: int = 3
    results: int = 2
    rejected: int = 0


@dataclass(frozen=True)
class FakeEntry:
    position: int
    reason: str
    raw: str


@dataclass(frozen=True)
class FakeExplanation:
    algebra: str = "Scan photons"
    properties: str = "stream photons"
    sharing: str = "tap stream photons"
    evaluation: str = "nested loop over 1 channel"
    sql: str = "SELECT 1"

    def __str__(self) -> str:
        return f"{self.algebra}\n\n{self.sql}"


@dataclass
class FakeStream:
    name: str
    source: str
    options: Mapping[str, Any]
    notes: tuple[str, ...] = ("det_time is integer",)
    schema: Schema = field(default_factory=lambda: Schema("photons", PHOTON))
    entries: list[FakeEntry] = field(default_factory=list)

    @property
    def paths(self) -> tuple[str, ...]:
        return self.schema.paths()

    def quarantine(self) -> list[FakeEntry]:
        return self.entries

    def statistics(self) -> dict[str, Any]:
        return {"items": 3, "quarantined": 0}


@dataclass
class FakeSubscription:
    name: str
    text: str
    options: Mapping[str, Any]
    items: tuple[str, ...]
    opening: str = "<photons>"
    closing: str = "</photons>"
    peer: str = "SP0"
    tagged: bool = False
    cancelled: bool = False

    def results(self) -> Iterator[str]:
        return iter(self.items)


@dataclass
class FakeMill:
    items: tuple[str, ...] = ("<p><en>1.5</en></p>", "<p><en>2.50</en></p>")
    opened: tuple[Any, Mapping[str, Any]] | None = None
    streams: dict[str, FakeStream] = field(default_factory=dict)
    subscriptions: dict[str, FakeSubscription] = field(default_factory=dict)
    until: str | float | None = None
    failure: BaseException | None = None

    def open(self, space: Any, **options: Any) -> Self:
        self.opened = (space, options)
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def create_stream(self, name: str, source: str, **options: Any) -> FakeStream:
        self.streams[name] = FakeStream(name, source, options)
        return self.streams[name]

    def subscribe(self, text: str, name: str | None = None, **options: Any) -> FakeSubscription:
        chosen = name or f"subscription{len(self.subscriptions) + 1}"
        self.subscriptions[chosen] = FakeSubscription(chosen, text, options, self.items)
        return self.subscriptions[chosen]

    def spark(self) -> None:
        return None

    def explain(self, text: str, **options: Any) -> FakeExplanation:
        return FakeExplanation(algebra=f"Scan for {text}")

    def run(
        self, until: str | float, on_progress: Callable[[FakeReport], None] | None = None
    ) -> FakeReport:
        self.until = until
        if on_progress:
            on_progress(FakeReport())
        if self.failure:
            raise self.failure
        return FakeReport()
