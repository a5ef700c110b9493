"""Records of a topic as texts that stand for themselves, or with the reason why they do not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from millstream.runtime.kafka.avro_values import AvroFramer
from millstream.runtime.kafka.json_values import JsonFramer
from millstream.runtime.kafka.record import Framing, Record, Refusal
from millstream.runtime.kafka.xml_values import XmlFramer
from millstream.runtime.parsing.chunk import DEFAULT_MAX_ITEM_BYTES, MAX_RAW_BYTES, too_large
from millstream.runtime.parsing.refused import refused_line

Framer = Callable[[Record], bytes]


@dataclass(frozen=True, slots=True)
class Framed:
    """A record, written down as text or as what was refused."""

    partition: int
    offset: int
    timestamp: int
    text: bytes
    good: bool


def framer(framing: Framing) -> Framer:
    """What writes down the values of a topic."""
    if framing.avro:
        return AvroFramer(framing)
    return XmlFramer(framing) if framing.format == "xml" else JsonFramer(framing)


def framed(records: Iterable[Record], framing: Framing) -> Iterator[Framed]:
    """Each record, written down."""
    write = framer(framing)
    for record in records:
        place = (record.partition, record.offset, record.timestamp)
        try:
            yield Framed(*place, _checked(record, write), True)
        except Refusal as refusal:
            reason = f"{refusal} (partition {record.partition}, offset {record.offset})"
            raw = (record.value or b"")[:MAX_RAW_BYTES]
            yield Framed(*place, refused_line(reason, raw), False)


def _checked(record: Record, write: Framer) -> bytes:
    if record.value is None:
        raise Refusal("the record has no value")
    if len(record.value) > DEFAULT_MAX_ITEM_BYTES:
        raise Refusal(too_large(len(record.value), DEFAULT_MAX_ITEM_BYTES))
    return write(record)


def in_order(records: Iterable[Framed]) -> list[Framed]:
    """Records by their time, those of one partition always as they stand in it."""
    latest: dict[int, int] = {}
    keyed: list[tuple[int, int, int, Framed]] = []
    for each in sorted(records, key=lambda each: (each.partition, each.offset)):
        time = max(latest.get(each.partition, each.timestamp), each.timestamp)
        latest[each.partition] = time
        keyed.append((time, each.partition, each.offset, each))
    return [each for *_, each in sorted(keyed, key=lambda each: each[:3])]
