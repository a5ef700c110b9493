"""The tags on items as XML, for whoever asks of items when they were there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from millstream.model.tags import StreamAttribute, StreamShape
from millstream.model.tags.marks import in_arrival_order
from millstream.runtime.journal import StateAlone, StreamState
from millstream.runtime.records import Segment, StreamRecord
from millstream.runtime.storage import Storage
from millstream.runtime.tags.result_elements import written
from millstream.runtime.tags.set_reading import SetReading
from millstream.runtime.tags.storage import TAGGED


@dataclass(frozen=True, slots=True)
class ItemTags:
    """Looks up the tags on the items of one stream."""

    record: StreamRecord
    sets: SetReading

    @staticmethod
    def of(
        storage: Storage,
        state: StreamState,
        record: StreamRecord,
        added: Mapping[str, Sequence[Segment]] | None = None,
    ) -> ItemTags | None:
        """The tags of a stream, with what a step adds to its tables; None if it has none."""
        more = added or {}
        tables = {name: [*known, *more.get(name, ())] for name, known in state.tables.items()}
        if record.structure is not None or not tables[TAGGED]:
            return None
        known = {record.name: StateAlone(replace(state, tables=tables))}
        return ItemTags(record, SetReading(storage, known))

    def texts(self, positions: Iterable[int]) -> dict[int, str]:
        """The tags on the items at some positions, for each in the order of their arrival."""
        found = self.sets.sets_at(self.record.name, positions)
        self.sets.learn(set(found.values()))
        texts = {number: self._text(number) for number in set(found.values())}
        return {position: texts[number] for position, number in found.items()}

    def _text(self, number: int) -> str:
        tags = in_arrival_order({each.tag for each in self.sets.members(number)})
        shape = StreamShape(self.record.name, (StreamAttribute("tag"),), self.record.shape.time)
        return "".join(written(each.tag, shape, "xml") for each in tags)
