"""A stream between peers as it runs: its journal, and its steps, which others bring."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from millstream.runtime.journal import Journal
from millstream.runtime.ledger import Json
from millstream.runtime.network.clock import Clock
from millstream.runtime.records import StreamRecord
from millstream.runtime.registry import Registry
from millstream.runtime.session import SparkSession, prepared
from millstream.runtime.shared_batch import SharedBatch, StepReport
from millstream.runtime.space import Space


class FedStream:
    """A flow where it is read: at one peer."""

    def __init__(
        self,
        space: Space,
        registry: Registry,
        record: StreamRecord,
        spark: Callable[[], SparkSession],
        journals: Callable[[], Mapping[str, Journal]],
        report: Callable[[StepReport], None],
        before: Callable[[str], None],
    ) -> None:
        self.record = record
        self.journal = Journal(space.storage, f"streams/{record.name}/journal")
        self._space = space
        self._registry = registry
        self._spark = spark
        self._journals = journals
        self._report = report
        self._before = before
        self._batch: SharedBatch | None = None

    @property
    def shared_batch(self) -> SharedBatch:
        if self._batch is None:
            self._batch = SharedBatch(
                self._space,
                self._registry,
                self.record,
                self.journal,
                prepared(self._spark()),
                self._journals,
                self._report,
                self._before,
            )
            self._batch.resume()
        return self._batch

    def folder(self, name: str) -> str:
        """The address of a folder of the stream."""
        return self._space.folder(f"streams/{self.record.name}/{name}")

    def set_clock(self, clock: Clock, batch: int, *, ended: bool) -> None:
        """Tell the stream how far its source is; whatever came before is not for its readers."""
        step = 1 + max(each.state.last_number for each in self._journals().values())
        inputs: Json = {"parts": [], "batch": batch, "clock": clock.to_json(), "ended": ended}
        channels: Json = {"active": [], "retired": [], "channels": [], "readings": {}}
        self.journal.begin({**inputs, **channels, "step": step, "full": False})
        self.journal.commit(
            {
                "step": step,
                "items": 0,
                "rejected": 0,
                "bytes": 0,
                "ended": ended,
                "retired": [],
                "watermarks": [each.to_json() for each in clock.marks],
                "replaced": [],
                "tables": {},
            }
        )

    def delete(self) -> None:
        """Remove all that the space keeps of the stream."""
        self._space.storage.delete(f"streams/{self.record.name}")
