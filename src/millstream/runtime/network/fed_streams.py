"""All streams between peers of a space: opened, created where a flow is read, let go."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from millstream.runtime.journal import Journal
from millstream.runtime.network.fed_stream import FedStream
from millstream.runtime.network.flows import Flows
from millstream.runtime.records import FlowRecord, StreamRecord
from millstream.runtime.registry import Registry

_UNSAFE = re.compile(r"[^\w.-]+")


class FedStreams:
    """The streams between peers, by name."""

    def __init__(
        self, registry: Registry, flows: Flows, opened: Callable[[StreamRecord], FedStream]
    ) -> None:
        self._registry = registry
        self._flows = flows
        self._opened = opened
        self._streams: dict[str, FedStream] = {}
        self._by_tap: dict[str, list[FedStream]] = {}
        for record in registry.streams.values():
            if record.fed:
                self._add(record)

    def __getitem__(self, name: str) -> FedStream:
        return self._streams[name]

    @property
    def all(self) -> Mapping[str, FedStream]:
        return self._streams

    def journals(self) -> Mapping[str, Journal]:
        return {name: each.journal for name, each in self._streams.items()}

    def of(self, flow: FlowRecord) -> tuple[FedStream, ...]:
        """The streams that a flow feeds, in the order of its route."""
        fed = self._by_tap.get(flow.tap, ())
        return tuple(sorted(fed, key=lambda each: flow.route.index(each.record.peer)))

    def find(self, flow: FlowRecord, peer: str, origin: int) -> FedStream | None:
        """The stream at which a flow is read at a peer, if there is one."""
        for each in self.of(flow):
            if each.record.peer == peer and each.record.origin == origin:
                return each
        return None

    def create(
        self, flow: FlowRecord, peer: str, like: StreamRecord, origin: int, lateness: int
    ) -> FedStream:
        """A stream at which a flow is read at a peer, much like the one it is made from."""
        record = replace(
            like,
            name=self._name(flow.name, peer),
            source="",
            format="xml",
            layout=flow.layout,
            order_by=None,
            key=None,
            notes=(),
            lateness=lateness,
            peer=peer,
            fed_by=flow.tap,
            origin=origin,
        )
        self._registry.create(record)
        return self._add(record)

    def let_go(self, name: str) -> None:
        """Forget a stream that nobody reads; what it used is remembered."""
        self._flows.remember(name, self._streams[name].journal.state.use)
        self._registry.forget(name)
        gone = self._streams.pop(name)
        self._by_tap[str(gone.record.fed_by)].remove(gone)
        gone.delete()

    def _add(self, record: StreamRecord) -> FedStream:
        fed = self._streams[record.name] = self._opened(record)
        self._by_tap.setdefault(str(record.fed_by), []).append(fed)
        return fed

    def _name(self, flow: str, peer: str) -> str:
        name = f"{_UNSAFE.sub('-', flow)}@{_UNSAFE.sub('-', peer)}"
        taken = self._registry.streams.keys() | self._flows.past.keys()
        number, candidate = 1, name
        while candidate in taken:
            number += 1
            candidate = f"{name}.{number}"
        return candidate
