"""The streams and subscriptions of a space, and the compiled form of the latter."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol

from millstream.algebra.operators import Query
from millstream.algebra.query_json import query_from_json
from millstream.algebra.standing import Standing
from millstream.algebra.tag_operators import Attach
from millstream.compiler.branch import Branch, compile_branch
from millstream.compiler.statement import Statement
from millstream.errors import (
    InternalError,
    QueryError,
    SchemaError,
    UnsupportedError,
    did_you_mean,
)
from millstream.model.schema import Schema
from millstream.model.tag_structure import TagStructure
from millstream.model.tags.stream_shape import StreamShape, TuplePaths
from millstream.model.tags.vocabulary import EMOTIONS, USUAL, TagVocabulary
from millstream.model.window import EndRule
from millstream.runtime.history.history_rows import structure_of
from millstream.runtime.ledger import Json, Ledger
from millstream.runtime.records import StreamRecord, SubscriptionRecord
from millstream.runtime.storage import Storage


@dataclass(frozen=True)
class Registered:
    """A subscription, the algebra of its text, and its compiled branches."""

    record: SubscriptionRecord
    query: Query
    executed: Query
    """What runs for it: the query itself, or what planning has left of it over other streams."""
    branches: tuple[Branch, ...]


@dataclass(frozen=True)
class RegisteredStanding:
    """A subscription to histories, and what its query depends on."""

    record: SubscriptionRecord
    standing: Standing


TranslateStanding = Callable[[str, Mapping[str, TagStructure]], Standing]
"""Turns the text of a query over histories into what it depends on."""


class Translate(Protocol):
    """Turns the text of a subscription into the algebra, given what streams there are."""

    def __call__(
        self, text: str, catalog: Registry, tagger: str, language: str, vocabulary: TagVocabulary, /
    ) -> Query: ...


class Registry:
    """What was created and subscribed in a space; also the catalog that languages ask."""

    def __init__(
        self,
        storage: Storage,
        translate: Translate,
        translate_standing: TranslateStanding | None = None,
        vocabulary: TagVocabulary | None = None,
    ) -> None:
        self.lock = threading.RLock()
        self.vocabulary = vocabulary or USUAL
        self.streams: dict[str, StreamRecord] = {}
        self.subscriptions: dict[str, SubscriptionRecord] = {}
        self._schemas: dict[str, Schema] = {}
        self._compiled: dict[int, Registered] = {}
        self._statements: dict[tuple[str, str], Statement] = {}
        self._translate = translate
        self._translate_standing = translate_standing
        self._standing: dict[int, Standing] = {}
        self._numbered = 0
        self._ledger = Ledger(storage, "registry", self._apply)
        self._ledger.open(self._restore)

    # The catalog of the languages.

    def names(self) -> Sequence[str]:
        return tuple(name for name, record in self.streams.items() if not record.fed)

    def origin(self, name: str) -> str:
        """The stream that a name stands for; that of a tagger is its stream, with its tags."""
        tagger = None if name in self.streams else self.subscriptions.get(name)
        return tagger.streams[0] if tagger is not None and tagger.attaches else name

    def histories(self) -> frozenset[str]:
        """The names that stand for histories: streams of fillers, and results that are versions."""
        streams = (name for name, each in self.streams.items() if each.structure is not None)
        results = (name for name, each in self.subscriptions.items() if each.standing)
        return frozenset((*streams, *results))

    def schema(self, stream: str) -> Schema:
        stream = self.origin(stream)
        if stream not in self.streams:
            raise QueryError(
                f"there is no stream '{stream}'",
                code="unknown-stream",
                help=did_you_mean(stream, self.streams) or "create a stream first",
            )
        if stream not in self._schemas:
            self._schemas[stream] = self.streams[stream].schema
        return self._schemas[stream]

    def shape(self, stream: str) -> StreamShape:
        """A stream as its tags see it."""
        self.schema(stream)
        return self.streams[self.origin(stream)].shape

    def tuple_paths(self, stream: str) -> TuplePaths:
        """Where the items of a stream hold their time and id."""
        self.schema(stream)
        record = self.streams[self.origin(stream)]
        return TuplePaths(record.tuple_time, record.tuple_id)

    # Changes.

    def create(self, record: StreamRecord) -> None:
        with self.lock:
            if record.name in self.streams:
                raise SchemaError(
                    f"there is a stream '{record.name}' already", help="choose another name"
                )
            self._append({"event": "stream", **record.to_json()})

    def subscribe(self, record: SubscriptionRecord) -> Registered:
        """Register a subscription; its text must compile."""
        with self.lock:
            self._check_name(record.name)
            words = self.vocabulary.own_thesaurus
            numbered = replace(record, number=self._numbered, thesaurus=words)
            registered = self.compile(numbered)
            attaches = any(isinstance(each.input, Attach) for each in registered.query.branches)
            streams = registered.executed.streams
            final = replace(numbered, streams=streams, attaches=attaches)
            self._append({"event": "subscription", **final.to_json()})
            return self._keep(replace(registered, record=final))

    def subscribe_standing(self, record: SubscriptionRecord) -> RegisteredStanding:
        """Register a subscription to histories; its text must translate."""
        with self.lock:
            self._check_name(record.name)
            if record.end is not None or record.empty:
                raise QueryError("a query over histories has no windows to end", code="history")
            standing = self.compile_standing(record.text)
            final = replace(record, number=self._numbered, standing=True, streams=standing.streams)
            self._append({"event": "subscription", **final.to_json()})
            self._standing[final.number] = standing
            return RegisteredStanding(final, standing)

    def cancel(self, name: str) -> None:
        with self.lock:
            self.subscription(name)
            self._append({"event": "cancel", "name": name})

    def forget(self, stream: str) -> None:
        """Let go of a stream that nothing reads any more."""
        with self.lock:
            self._append({"event": "forgotten", "stream": stream})

    # Questions.

    def subscription(self, name: str) -> SubscriptionRecord:
        if name not in self.subscriptions:
            raise QueryError(
                f"there is no subscription '{name}'",
                code="unknown-subscription",
                help=did_you_mean(name, self.subscriptions),
            )
        return self.subscriptions[name]

    def planned(self, name: str) -> SubscriptionRecord:
        """A subscription that plans know of."""
        record = self.subscription(name)
        if record.standing:
            raise UnsupportedError(
                f"subscription '{name}' asks histories, which no plan shares",
                code="history",
                help="explain tells what it depends on",
            )
        return record

    def current(self, name: str) -> str:
        """The subscription that stands for a name: itself, or the last that succeeded it."""
        self.subscription(name)
        followers = {each.succeeds: each.name for each in list(self.subscriptions.values())}
        while name in followers:
            name = followers[name]
        return name

    def successor_name(self, name: str) -> str:
        """A name for a subscription that succeeds another."""
        number = 2
        while f"{name}~{number}" in self.subscriptions:
            number += 1
        return f"{name}~{number}"

    def next_name(self) -> str:
        """A name for a subscription that was given none."""
        number = self._numbered
        while f"q{number}" in self.subscriptions:
            number += 1
        return f"q{number}"

    def registered(self, name: str) -> Registered:
        record = self.subscription(name)
        if record.number not in self._compiled:
            self._keep(self.compile(record))
        found = self._compiled[record.number]
        if found.record is not record:
            found = self._compiled[record.number] = replace(found, record=record)
        return found

    def active(self, stream: str) -> tuple[Registered, ...]:
        """The subscriptions that a stream feeds, oldest first."""
        return tuple(
            self.registered(record.name)
            for record in self.subscriptions.values()
            if stream in record.streams and not record.cancelled and not record.standing
        )

    def standing(self, stream: str) -> tuple[RegisteredStanding, ...]:
        """The subscriptions to the history of a stream, oldest first."""
        return tuple(
            self.registered_standing(record.name)
            for record in self.subscriptions.values()
            if record.standing and stream in record.streams and not record.cancelled
        )

    def registered_standing(self, name: str) -> RegisteredStanding:
        record = self.subscription(name)
        if record.number not in self._standing:
            self._standing[record.number] = self.compile_standing(record.text)
        return RegisteredStanding(record, self._standing[record.number])

    def compile_standing(self, text: str) -> Standing:
        """What a continuous query over histories depends on."""
        if self._translate_standing is None:
            raise InternalError("this registry knows no histories")
        return self._translate_standing(text, Structures(self.streams))

    def _check_name(self, name: str) -> None:
        if name in self.subscriptions:
            raise QueryError(
                f"there is a subscription '{name}' already",
                code="name-taken",
                help="choose another name, or cancel and rename it",
            )

    def statement(self, stream: str, signature: str) -> Statement:
        """The statement of a signature, of a subscription that may have been cancelled since."""
        if (stream, signature) not in self._statements:
            for record in self.subscriptions.values():
                if stream in record.streams and not record.standing:
                    self.registered(record.name)
        if (stream, signature) not in self._statements:
            raise InternalError(f"no subscription of stream '{stream}' has signature {signature}")
        return self._statements[stream, signature]

    def attaches(self, stream: str) -> bool:
        """True when there is, or was, a query that attaches tags to a stream."""
        return any(
            record.attaches and stream in record.streams for record in self.subscriptions.values()
        )

    def compile(self, record: SubscriptionRecord) -> Registered:
        """The algebra and the branches of a subscription."""
        planned = None if record.plan is None else query_from_json(record.plan, self.schema)
        query = planned if planned and record.tap else self._translated(record)
        executed = planned or query
        end = EndRule(record.end) if record.end else None
        branches = tuple(
            compile_branch(branch, end=end, empty=record.empty) for branch in executed.branches
        )
        return Registered(record, query, executed, branches)

    def _translated(self, record: SubscriptionRecord) -> Query:
        words, tagger = self.vocabulary, record.tagger or record.name
        if record.name in self.subscriptions:
            # What was meant when it was registered is still meant.
            words = replace(words, thesaurus=record.thesaurus or EMOTIONS)
        return self._translate(record.text, self, tagger, record.language, words)

    def _keep(self, registered: Registered) -> Registered:
        self._compiled[registered.record.number] = registered
        for branch in registered.branches:
            for stream, statement in branch.statements.items():
                self._statements[stream, branch.signature] = statement
        return registered

    # The ledger.

    def _append(self, event: Json) -> None:
        self._ledger.append(event)
        if self._ledger.due():
            self._ledger.snapshot(self._state())

    def _apply(self, event: Json) -> None:
        match event["event"]:
            case "stream":
                record = StreamRecord.from_json(event)
                self.streams[record.name] = record
                self._schemas.pop(record.name, None)
            case "forgotten":
                del self.streams[event["stream"]]
            case "subscription":
                subscription = SubscriptionRecord.from_json(event)
                self.subscriptions[subscription.name] = subscription
                self._numbered = max(self._numbered, subscription.number + 1)
            case "cancel":
                name = event["name"]
                self.subscriptions[name] = replace(self.subscriptions[name], cancelled=True)

    def follow(self) -> bool:
        """Learn what another process has registered since; whether there was anything."""
        with self.lock:
            return self._ledger.follow(self._restore)

    def _state(self) -> Json:
        return {
            "streams": [each.to_json() for each in self.streams.values()],
            "subscriptions": [each.to_json() for each in self.subscriptions.values()],
        }

    def _restore(self, state: Json) -> None:
        self.streams.clear()
        self.subscriptions.clear()
        for each in state["streams"]:
            self._apply({"event": "stream", **each})
        for each in state["subscriptions"]:
            self._apply({"event": "subscription", **each})


class Structures(Mapping[str, TagStructure]):
    """The tag structures of streams, each made when it is asked for, and some that are known."""

    def __init__(
        self,
        streams: Mapping[str, StreamRecord],
        known: Mapping[str, TagStructure] = MappingProxyType({}),
    ) -> None:
        self._streams = {name: each for name, each in streams.items() if not each.fed}
        self._known = known

    def __getitem__(self, name: str) -> TagStructure:
        found = self._known.get(name)
        return structure_of(self._streams[name]) if found is None else found

    def __iter__(self) -> Iterator[str]:
        return iter({**self._streams, **self._known})

    def __len__(self) -> int:
        return len(self._streams.keys() | self._known.keys())
