"""A mill that is served elsewhere, asked over HTTP."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

from millstream.errors import MillstreamError
from millstream.languages.compiling import Language, language_of
from millstream.languages.xquery.standing import asks_history
from millstream.model.reading import read_structure
from millstream.shell.backend import Facts, Shown, StreamShape
from millstream.shell.local import checked_syntax, newest
from millstream.shell.wire import Wire

FIRST_WAIT, NEXT_WAIT = 15.0, 1.0
"""Seconds that are waited for the first results of a query, and for more of them."""
_COLUMNS = ("name", "item", "steps", "items", "quarantined", "bytes", "rate", "failure")


class RemoteMill:
    """Asks a service; it turns by itself."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.title = wire.address
        wire.get("/v1/me")

    # What there is.

    def shapes(self) -> tuple[StreamShape, ...]:
        return tuple(_shape(self._wire.get(_stream(name))) for name in self._names())

    def contents(self) -> tuple[str, ...]:
        words = [word for name in self._names() for word in self._wire.get(_stream(name, "cloud"))]
        ordered = sorted(words, key=lambda each: -int(each["count"]))
        return tuple(dict.fromkeys(str(each["content"]) for each in ordered))

    def streams(self) -> list[Facts]:
        return [{key: each.get(key) for key in _COLUMNS} for each in self._wire.get("/v1/streams")]

    def subscriptions(self) -> list[Facts]:
        listed = self._wire.get("/v1/subscriptions")
        pages = [self._wire.get(_subscription(str(each["name"]))) for each in listed]
        columns = ("name", "streams", "peer", "owner")
        return [
            {**{key: each[key] for key in columns}, "text": " ".join(each["text"].split())}
            for each in pages
        ]

    def create(self, name: str, source: str, options: Mapping[str, str]) -> tuple[str, ...]:
        made = self._wire.post("/v1/streams", {"name": name, "source": source, **options})
        return tuple(made["notes"])

    # Queries.

    def check(self, text: str) -> None:
        if asks_history(text, self._histories()):
            checked_syntax(text)
            return
        self._wire.post("/v1/subscriptions?dry_run=true", {"text": text}, text)

    def explain(self, text: str) -> Mapping[str, str]:
        found = self._wire.post("/v1/subscriptions?dry_run=true", {"text": text}, text)
        parts = {key: found[key] for key in ("algebra", "properties", "sharing", "evaluation")}
        refusal = {"it would be refused": found["refusal"]} if found["refusal"] else {}
        return {**parts, **refusal, "what runs": found["sql"]}

    def ask(self, text: str, now: datetime | None, most: int) -> Shown:
        if asks_history(text, self._histories()):
            question = {"text": text, "now": None if now is None else now.isoformat()}
            answer = self._wire.post("/v1/query", question, text)
            note = f"at {answer['now']}, by {answer['engine']}"
            return newest(answer["items"], most, note)
        if language_of(text) is Language.TAGQL:
            live = self._wire.post("/v1/query", {"text": text}, text)
            return newest(live["items"], most, f"at {live['now']}")
        name = self._wire.post("/v1/subscriptions", {"text": text, "start": "log"}, text)["name"]
        try:
            return newest(self._pages(name, FIRST_WAIT), most)
        finally:
            self._wire.delete(_subscription(name))

    def subscribe(self, text: str, name: str | None) -> str:
        asked = {"text": text, "start": "log", **({} if name is None else {"name": name})}
        return str(self._wire.post("/v1/subscriptions", asked, text)["name"])

    def cancel(self, name: str) -> None:
        self._wire.delete(_subscription(name))

    def results(self, name: str, most: int) -> Shown:
        return newest(self._pages(name, 0.0), most)

    def text_of(self, name: str) -> str | None:
        known = {each["name"] for each in self._wire.get("/v1/subscriptions")}
        return str(self._wire.get(_subscription(name))["text"]) if name in known else None

    def costs(self, name: str) -> Facts:
        return dict(self._wire.get(_subscription(name, "costs")))

    def savings(self) -> Facts:
        return dict(self._wire.get("/v1/savings"))

    # Tags, and what was set aside.

    def tags(self, stream: str) -> list[Facts]:
        return list(self._wire.get(f"{_stream(stream, 'tags')}?live=true&limit=1000"))

    def cloud(self, stream: str) -> list[Facts]:
        return list(self._wire.get(_stream(stream, "cloud")))

    def attach(self, stream: str, content: str, options: Mapping[str, str]) -> str:
        made = self._wire.post(_stream(stream, "tags"), {"content": content, **options})
        return str(made["applicability"])

    def quarantine(self, stream: str) -> list[Facts]:
        found = self._wire.get(f"{_stream(stream)}/quarantine")
        return [{"reason": each["reason"], "raw": each["raw"]} for each in found["entries"]]

    # Turning.

    def turn(self, seconds: float | None) -> str:
        time.sleep(seconds or 0.0)
        return f"{self.title} turns by itself"

    def close(self) -> None:
        """Nothing was opened."""

    def _names(self) -> list[str]:
        return [str(each["name"]) for each in self._wire.get("/v1/streams")]

    def _histories(self) -> frozenset[str]:
        pages = (self._wire.get(_stream(name)) for name in self._names())
        return frozenset(str(each["name"]) for each in pages if each["structure"] is not None)

    def _pages(self, name: str, wait: float) -> Iterator[str]:
        """Results; with a wait, waits for some and then until no more come."""
        after = ""
        while True:
            page = self._wire.get(
                f"{_subscription(name, 'results')}?limit=1000&wait={wait}{after}", wait
            )
            yield from (str(each["value"]) for each in page["items"])
            if page["finished"] or not page["items"] or not (wait or page["more"]):
                return
            after, wait = f"&after={quote(page['next'])}", min(wait, NEXT_WAIT)


def _shape(page: Mapping[str, Any]) -> StreamShape:
    if page["structure"] is not None:
        try:
            structure = read_structure(page["structure"])
        except MillstreamError:
            return StreamShape(page["name"], ())
        return StreamShape(page["name"], tuple(map(structure.path, structure.tags)))
    above = (page["layout"]["root"], page["item"])
    paths = ((*above, *each["path"].split("/")) for each in page["leaves"])
    return StreamShape(page["name"], tuple(paths))


def _stream(name: str, part: str = "") -> str:
    parts = {"": "", "tags": "/tags", "cloud": "/tags/cloud"}
    return f"/v1/streams/{quote(name, safe='')}{parts[part]}"


def _subscription(name: str, part: str = "") -> str:
    return f"/v1/subscriptions/{quote(name, safe='')}" + (f"/{part}" if part else "")
