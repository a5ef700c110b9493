"""The flows of a space, and what streams that are gone have used."""

from __future__ import annotations

from dataclasses import replace

from millstream.runtime.ledger import Json, Ledger
from millstream.runtime.records import FlowRecord
from millstream.runtime.storage import Storage
from millstream.runtime.use import Use


class Flows:
    """Every flow that is installed, remembered in the space."""

    def __init__(self, storage: Storage) -> None:
        self.records: dict[str, FlowRecord] = {}
        self._by_source: dict[str, dict[str, FlowRecord]] = {}
        self.past: dict[str, Use] = {}
        """What streams have used that were let go, by their names."""
        self._ledger = Ledger(storage, "network", self._apply)
        self._ledger.open(self._restore)

    def install(self, record: FlowRecord) -> None:
        self._append({"event": "flow", **record.to_json()})

    def reroute(self, name: str, route: tuple[str, ...]) -> None:
        """Let a flow take another way."""
        self._append({"event": "rerouted", "name": name, "route": route})

    def remove(self, name: str) -> None:
        self._append({"event": "removed", "name": name})

    def remember(self, stream: str, use: Use) -> None:
        """Keep in mind what a stream has used that is let go."""
        self._append({"event": "used", "stream": stream, **use.to_json()})

    def tapping(self, stream: str) -> tuple[FlowRecord, ...]:
        """The flows that are made from a stream of the space."""
        return tuple(self._by_source.get(stream, {}).values())

    def follow(self) -> bool:
        """Learn what another process has installed since; whether there was anything."""
        return self._ledger.follow(self._restore)

    def _append(self, event: Json) -> None:
        self._ledger.append(event)
        if self._ledger.due():
            self._ledger.snapshot(
                {
                    "flows": [each.to_json() for each in self.records.values()],
                    "past": {name: use.to_json() for name, use in self.past.items()},
                }
            )

    def _apply(self, event: Json) -> None:
        match event["event"]:
            case "flow":
                self._keep(FlowRecord.from_json(event))
            case "rerouted":
                self._keep(replace(self.records[event["name"]], route=event["route"]))
            case "removed":
                gone = self.records.pop(event["name"])
                del self._by_source[gone.source][gone.name]
            case "used":
                self.past[event["stream"]] = Use.from_json(event)

    def _keep(self, read: FlowRecord) -> None:
        record = replace(read, route=tuple(read.route))
        self.records[record.name] = record
        self._by_source.setdefault(record.source, {})[record.name] = record

    def _restore(self, state: Json) -> None:
        self.records.clear()
        self._by_source.clear()
        for each in state["flows"]:
            self._apply({"event": "flow", **each})
        self.past = {name: Use.from_json(use) for name, use in state["past"].items()}
