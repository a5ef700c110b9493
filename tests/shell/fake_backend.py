"""A mill that remembers what the shell asked of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from millstream.errors import QueryError, Span
from millstream.shell.backend import Facts, Shown, StreamShape

READINGS = StreamShape(
    "readings",
    tuple(
        ("readings", "reading", *rest)
        for rest in ((), ("@id",), ("minute",), ("place", "name"), ("level",))
    ),
)
CREDIT = StreamShape(
    "credit",
    (("creditAccounts",), ("creditAccounts", "account"), ("creditAccounts", "account", "customer")),
)


@dataclass
class FakeBackend:
    title: str = "a fake"
    asked: list[tuple[object, ...]] = field(default_factory=list)
    items: tuple[str, ...] = ("<a><x>1</x></a>", "<a><x>2</x></a>")

    def shapes(self) -> tuple[StreamShape, ...]:
        return (READINGS, CREDIT)

    def contents(self) -> tuple[str, ...]:
        return ("rushing", "calm")

    def streams(self) -> list[Facts]:
        return [{"name": "readings", "items": 1234}]

    def subscriptions(self) -> list[Facts]:
        return [{"name": "high", "text": "…"}]

    def create(self, name: str, source: str, options: Mapping[str, str]) -> tuple[str, ...]:
        self.asked.append(("create", name, source, dict(options)))
        return ("minute is integer",)

    def check(self, text: str) -> None:
        place = text.find("levl")
        if place >= 0:
            raise QueryError(
                "stream 'readings' has no path reading/levl",
                span=Span(place, place + 4),
                text=text,
                help="did you mean 'level'?",
            )

    def explain(self, text: str) -> Mapping[str, str]:
        self.check(text)
        return {"algebra": f"Scan for {text}", "sharing": "q0"}

    def ask(self, text: str, now: datetime | None, most: int) -> Shown:
        self.check(text)
        self.asked.append(("ask", text, now, most))
        return Shown(self.items[-most:], max(0, len(self.items) - most))

    def subscribe(self, text: str, name: str | None) -> str:
        self.asked.append(("subscribe", text, name))
        return name or "q1"

    def cancel(self, name: str) -> None:
        self.asked.append(("cancel", name))

    def results(self, name: str, most: int) -> Shown:
        self.asked.append(("results", name, most))
        return Shown(self.items)

    def text_of(self, name: str) -> str | None:
        return "the text of high" if name == "high" else None

    def costs(self, name: str) -> Facts:
        return {"cost": 1.5, "work": {"SP0": 0.25}}

    def savings(self) -> Facts:
        return {"items_parsed": 12}

    def tags(self, stream: str) -> list[Facts]:
        return []

    def cloud(self, stream: str) -> list[Facts]:
        return [{"content": "rushing", "count": 3}]

    def attach(self, stream: str, content: str, options: Mapping[str, str]) -> str:
        self.asked.append(("attach", stream, content, dict(options)))
        return "*,*,{}"

    def quarantine(self, stream: str) -> list[Facts]:
        return [{"reason": "no number", "raw": "<x/>"}]

    def turn(self, seconds: float | None) -> str:
        self.asked.append(("turn", seconds))
        return "3 items"

    def close(self) -> None:
        self.asked.append(("close",))
