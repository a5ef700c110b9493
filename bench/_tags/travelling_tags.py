"""Tuples and tags on the way: drawn at random, and written in the ways in which tags travel.

All lines of a stream are made side by side, a column at a time, as there are millions of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import tag_data
from tag_data import WORDS

FIELDS = (*tag_data.FIELDS[:-1], "tag_time")
"""What a tag says, as attributes of a tuple."""
SLOT = 1000
"""Tuples in a slot, by which a table of tags looks its links up."""
Column = pa.Array
Columns = Mapping[str, Column]


@dataclass(frozen=True, slots=True)
class Traffic:
    """Tuples, for each the number of its tag, or -1, and the tags, each on tuples in a row."""

    attributes: Columns
    """Of the tuples."""
    owners: np.ndarray
    starts: np.ndarray
    """For each tag the first tuple that it is on."""
    on: int
    """How many tuples a tag is on."""
    fields: Columns
    """Of the tags."""

    def __len__(self) -> int:
        return len(self.owners)

    @property
    def ids(self) -> Column:
        kinds = pa.array(np.where(self.owners < 0, "u", "o"))
        return _joined(kinds, _texts(np.arange(len(self))))

    def owned(self, texts: Column) -> Column:
        """For each tuple the text of its tag, or an empty one."""
        return _filled(texts.take(pa.array(self.owners, mask=self.owners < 0)))

    def first_owned(self, texts: Column) -> Column:
        """For each tuple the text of the tag that begins with it, or an empty one."""
        begun = np.full(len(self), -1)
        begun[self.starts] = np.arange(len(self.starts))
        return _filled(texts.take(pa.array(begun, mask=begun < 0)))


def traffic(count: int, share: float, on: int, seed: int = 6) -> Traffic:
    """Random tuples, ten milliseconds apart; of each so many, the first ones share a tag."""
    draw = np.random.default_rng(seed)
    owners = tag_data.owners(count, share, on)
    _, first = np.unique(owners[owners >= 0], return_index=True)
    starts = np.flatnonzero(owners >= 0)[first]
    number = len(starts)
    words, signs = draw.choice(WORDS, number), draw.choice(("+", "-"), number)
    taggers = draw.integers(0, 500, number)
    said = {
        "tagger": _joined("user", _texts(taggers)),
        "applicability": pa.repeat("*,*,{}" if on == 1 else "*,o.*,{}", number),
        "content": pa.array(words, pa.string()),
        "type": pa.repeat("subjective", number),
        "sign": pa.array(signs, pa.string()),
        "lifespan": pa.repeat("I", number),
        "mode": pa.repeat("C", number),
        "tag_time": _seconds(starts),
    }
    places = draw.random((count, 2))
    attributes = {
        "object_id": _joined("o", _texts(np.arange(count) % 997)),
        "location": _joined(_decimals(places[:, 0], 5), " ", _decimals(places[:, 1], 5)),
        "speed": _decimals(draw.random(count) * 5, 3),
        "stamp": _seconds(np.arange(count)),
    }
    return Traffic(attributes, owners, starts, on, {name: said[name] for name in FIELDS})


def written(folder: Path, name: str, found: Traffic) -> dict[str, Path]:
    """The files of the streams for one way in which tags travel."""
    streams: dict[str, Callable[[Traffic], Column]] = {"A": _LINES[name]}
    if name == "TABLE":
        streams["T"] = _links
    places = {}
    for stream, lines in streams.items():
        places[stream] = folder / f"{name}-{stream}.xml"
        with places[stream].open("wb") as file:
            file.write(b"<stream>\n")
            file.write(_bytes(lines(found)))
            file.write(b"</stream>\n")
    return places


def _tick_tags(found: Traffic) -> Column:
    attributes = [
        part
        for name in FIELDS
        if name not in ("content", "tag_time")
        for part in (f' {name}="', found.fields[name], '"')
    ]
    time, content = found.fields["tag_time"], found.fields["content"]
    tags = _joined("<tag", *attributes, ' time="', time, '">', content, "</tag>\n")
    return _joined(found.first_owned(tags), _tuples(found, _children(found.attributes)))


def _slotted(found: Traffic) -> Column:
    slots = _children({"slot": _texts(np.arange(len(found)) // SLOT)})
    return _tuples(found, _joined(_children(found.attributes), slots))


def _links(found: Traffic) -> Column:
    """A tag for each slot that it touches."""
    last = found.starts + found.on - 1
    slots = found.starts // SLOT
    touched = last // SLOT - slots + 1
    owners = np.repeat(np.arange(len(slots)), touched)
    slot = slots[owners] + np.arange(len(owners)) - np.repeat(np.cumsum(touched) - touched, touched)
    link = {
        **{name: each.take(pa.array(owners)) for name, each in found.fields.items()},
        "from": _seconds(found.starts[owners]),
        "to": _seconds(last[owners]),
        "slot": _texts(slot),
    }
    ids = _joined("t", _texts(owners), "-", _texts(slot))
    return _tuple(ids, _seconds(found.starts[owners]), _children(link))


def _wide(found: Traffic) -> Column:
    fields = found.owned(_children(found.fields))
    return _tuples(found, _joined(_children(found.attributes), fields))


def _elements(found: Traffic) -> Column:
    marks = found.owned(_joined("<mark>", _children(found.fields), "</mark>"))
    return _tuples(found, _joined(_children(found.attributes), marks))


_LINES = {"TICK-TAG": _tick_tags, "TABLE": _slotted, "TUPLE": _wide, "XML": _elements}


def _tuples(found: Traffic, inside: Column) -> Column:
    return _tuple(found.ids, found.attributes["stamp"], inside)


def _tuple(ids: Column, times: Column, inside: Column) -> Column:
    return _joined('<tuple id="', ids, '" time="', times, '">', inside, "</tuple>\n")


def _children(fields: Columns) -> Column:
    parts = [part for name, each in fields.items() for part in (f"<{name}>", each, f"</{name}>")]
    return _joined(*parts)


def _seconds(numbers: np.ndarray) -> Column:
    hundredths = pc.utf8_lpad(_texts(numbers % 100), 2, "0")
    return _joined(_texts(numbers // 100), ".", hundredths)


def _decimals(values: np.ndarray, places: int) -> Column:
    """Numbers below ten, or so, with so many digits behind the point."""
    units = np.round(values * 10**places).astype(np.int64)
    rest = pc.utf8_lpad(_texts(units % 10**places), places, "0")
    return _joined(_texts(units // 10**places), ".", rest)


def _texts(numbers: np.ndarray) -> Column:
    return pc.cast(pa.array(numbers), pa.string())


def _filled(texts: Column) -> Column:
    return pc.fill_null(texts, "")


def _joined(*parts: Column | str) -> Column:
    """Texts behind one another; what is given once is the same for all."""
    large = [
        pa.scalar(each, pa.large_string())
        if isinstance(each, str)
        else each.cast(pa.large_string())
        for each in parts
    ]
    return pc.binary_join_element_wise(*large, pa.scalar("", pa.large_string()))


def _bytes(texts: Column) -> pa.Buffer:
    """All texts, as one: so they lie in memory."""
    _, offsets, data = texts.buffers()
    edges = np.frombuffer(offsets, np.int64)
    first, end = (int(edges[texts.offset + each]) for each in (0, len(texts)))
    return data.slice(first, end - first)
