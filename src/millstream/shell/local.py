"""The mill of a space that this process has opened."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from millstream.errors import MillstreamError, QueryError, StateError, did_you_mean
from millstream.languages.compiling import Language, language_of
from millstream.languages.xquery import parse
from millstream.languages.xquery.standing import asks_history
from millstream.mill import Mill, Stream, Subscription
from millstream.runtime.stream_creation import StreamOptions
from millstream.shell.backend import Facts, Shown, StreamShape

ME = "shell"
"""The tagger of tags that are attached here, unless another is said."""


class LocalMill:
    """Asks a mill in this process; it turns when something is asked."""

    def __init__(self, mill: Mill, title: str) -> None:
        self.mill = mill
        self.title = title

    # What there is.

    def shapes(self) -> tuple[StreamShape, ...]:
        return tuple(
            StreamShape(name, tuple(_full_paths(stream)))
            for name, stream in self.mill.streams.items()
        )

    def contents(self) -> tuple[str, ...]:
        words = [word for name in self._tagged() for word in self.mill.tags(name).cloud(50)]
        ordered = sorted(words, key=lambda each: -each.count)
        return tuple(dict.fromkeys(each.content for each in ordered))

    def streams(self) -> list[Facts]:
        return [
            {"name": name, "item": stream.schema.item.name, **stream.statistics()}
            for name, stream in self.mill.streams.items()
        ]

    def subscriptions(self) -> list[Facts]:
        return [
            {"name": each.name, "streams": each.streams, "peer": each.peer, "text": _line(each)}
            for each in self.mill.subscriptions.values()
            if not each.cancelled
        ]

    def create(self, name: str, source: str, options: Mapping[str, str]) -> tuple[str, ...]:
        known = [each for each in StreamOptions.__annotations__ if each != "types"]
        for option in options:
            if option not in known:
                raise QueryError(
                    f"streams have no option '{option}'", help=did_you_mean(option, known)
                )
        chosen: Any = {key: _plain(value) for key, value in options.items()}
        return self.mill.create_stream(name, source, **chosen).notes

    # Queries.

    def check(self, text: str) -> None:
        if self._asks_history(text):
            # Asked once, a query may say more than a subscription: its answer tells the rest.
            checked_syntax(text)
        else:
            self.mill.explain(text)

    def explain(self, text: str) -> Mapping[str, str]:
        found = self.mill.explain(text)
        return {
            "algebra": found.algebra,
            "properties": found.properties,
            "sharing": found.sharing,
            "evaluation": found.evaluation,
            "what runs": found.sql,
        }

    def ask(self, text: str, now: datetime | None, most: int) -> Shown:
        if self._asks_history(text):
            self.mill.run()
            answer = self.mill.query(text, now)
            note = f"at {answer.now:%Y-%m-%d %H:%M:%S}, by {answer.engine}"
            return newest(answer.items, most, note)
        if language_of(text) is Language.TAGQL:
            self.mill.run()
            live = self.mill.select(text)
            return newest(live.items, most, f"at {live.now}")
        asked = self.mill.subscribe(text, start="log")
        try:
            self.mill.run()
            return newest(asked.results(), most)
        finally:
            self.mill.cancel(asked.name)

    def subscribe(self, text: str, name: str | None) -> str:
        return self.mill.subscribe(text, name=name, start="log").name

    def cancel(self, name: str) -> None:
        self._subscription(name)
        self.mill.cancel(name)

    def results(self, name: str, most: int) -> Shown:
        self.mill.run()
        return newest(self._subscription(name).results(), most)

    def text_of(self, name: str) -> str | None:
        found = self.mill.subscriptions.get(name)
        return None if found is None else found.text

    def costs(self, name: str) -> Facts:
        self._subscription(name)
        return self.mill.costs(name).to_json()

    def savings(self) -> Facts:
        return self.mill.savings().to_json()

    # Tags, and what was set aside.

    def tags(self, stream: str) -> list[Facts]:
        self.mill.runner(stream)
        return [asdict(each) for each in self.mill.tags(stream).live()]

    def cloud(self, stream: str) -> list[Facts]:
        self.mill.runner(stream)
        return [asdict(each) for each in self.mill.tags(stream).cloud()]

    def attach(self, stream: str, content: str, options: Mapping[str, str]) -> str:
        fields: Any = {"tagger": ME, **options}
        return self.mill.attach(stream, content, **fields).applicability

    def quarantine(self, stream: str) -> list[Facts]:
        self.mill.runner(stream)
        return [
            {"reason": each.reason, "raw": _text(each.raw)}
            for each in self.mill.streams[stream].quarantine()
        ]

    # Turning.

    def turn(self, seconds: float | None) -> str:
        report = self.mill.run(until="drained" if seconds is None else seconds)
        return f"{report.items:,} items in {report.steps:,} steps, {report.results:,} results"

    def close(self) -> None:
        self.mill.close()

    def _subscription(self, name: str) -> Subscription:
        known = self.mill.subscriptions
        if name not in known:
            raise StateError(f"no subscription is named '{name}'", help=did_you_mean(name, known))
        return known[name]

    def _asks_history(self, text: str) -> bool:
        """True for a query over histories, or over results that are one."""
        registry = self.mill.registry
        results = [name for name, each in registry.subscriptions.items() if each.standing]
        return asks_history(text, {*registry.histories(), *results})

    def _tagged(self) -> list[str]:
        return [name for name, each in self.mill.streams.items() if each.structure is None]


def checked_syntax(text: str) -> None:
    """Refuse a text that is no query at all."""
    try:
        parse(text)
    except MillstreamError as error:
        raise error.with_text(text) from None


def newest(items: Iterable[str], most: int, note: str = "") -> Shown:
    """The last of some items."""
    count, kept = 0, deque[str](maxlen=most)
    for item in items:
        kept.append(item)
        count += 1
    return Shown(tuple(kept), count - len(kept), note)


def _full_paths(stream: Stream) -> Iterable[tuple[str, ...]]:
    """The paths as a query writes them behind stream("…")."""
    if stream.structure is not None:
        return (tuple(each.split("/")) for each in stream.paths)
    root = stream.schema.root
    return ((root, *each.split("/")) for each in stream.paths)


def _line(subscription: Subscription) -> str:
    return " ".join(subscription.text.split())


def _text(raw: object) -> str:
    return raw.decode("utf-8", "backslashreplace") if isinstance(raw, bytes) else str(raw)


def _plain(value: str) -> object:
    """A value of an option as it is meant: a truth, a whole number, or a text."""
    if value in ("true", "false"):
        return value == "true"
    return int(value) if value.isdecimal() else value
