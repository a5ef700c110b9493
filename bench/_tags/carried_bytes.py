"""Figure 13: the bytes that tags add to the state of windows, and to what is sent around.

Two questions with windows are asked of the same tuples with and without tags, by the statements
that a mill runs in a step: a join, and an aggregate. What tags add is what the state and the
shuffles of the statement with tags have more than those of the statement without:

TICK-TAG  tags between the tuples. A join carries nothing for them, as tags are looked up when its
          results are read: counted is the table that says where they are, in runs of tuples. An
          aggregate carries the number of a set of tags in each tuple.
TUPLE     eight more attributes of each tuple, all of which are in the question.
XML       one more attribute, with an element that has the eight fields in it.
TABLE     one row for each tag, with a link to tuples, which have nothing. All rows are part of the
          state, and are sent to each of the two places where tuples are. This is the least that it
          can do: tuples are not sent to where their tags are.

State is counted as it lies in files of Parquet, before and after it is compressed, and what is sent
as Spark counts it, before and after.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO

import pyarrow as pa
from rival_tables import RIVALS, rivals_of
from tag_data import ATTRIBUTES, FIELDS, STREAMS, Streams, Tagged, tuples
from tag_meter import NEVER, Measured, Meter, in_file, kept

from millstream.compiler.step_tags import StepTags
from millstream.model.tags import StreamAttribute
from millstream.runtime.tags.storage import file_of
from millstream.runtime.tags.tagged_runs import runs_of

TAGGED = StepTags(now=True, before=True, few=True)
OURS, MEANT = "TICK-TAG", "TICK-TAG and what its tags say"
KINDS = ("bytes", "compressed")
_PLACES = 2
"""Where tuples are, as there are two cores."""
_MARK = "mark"
_ATTRIBUTES = {"TUPLE": tuple(f"said_{each}" for each in FIELDS), "XML": (_MARK,)}


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes as they are, and as they are stored or sent."""

    plain: int
    packed: int

    def __add__(self, other: Size) -> Size:
        return Size(self.plain + other.plain, self.packed + other.packed)

    def __sub__(self, other: Size) -> Size:
        # Where compression does better with more to compress, nothing is added.
        return Size(max(0, self.plain - other.plain), max(0, self.packed - other.packed))

    def times(self, number: int) -> Size:
        return Size(number * self.plain, number * self.packed)


def carried(meter: Meter, share: float, on: int) -> Measured:
    """What tags add to a join and to an aggregate in each way, and ratios to the best rival."""
    streams = [tuples(meter.size.carried, share, on, seed) for seed in (3, 4)]
    joined, grouped = _join(meter, streams), _aggregate(meter, streams[0])
    found = {f"{name} {KINDS[0]}": each.plain for name, each in joined.items()}
    for place, kind in enumerate(KINDS):
        of_join, of_group = (
            {name: (size.plain, size.packed)[place] for name, size in each.items()}
            for each in (joined, grouped)
        )
        best = min(of_join[each] for each in RIVALS)
        found[f"{kind} ÷ best rival"] = of_join[OURS] / best
        found[f"{kind} ÷ TUPLE"] = of_join[OURS] / of_join["TUPLE"]
        found[f"{kind} with all that tags say ÷ best rival"] = of_join[MEANT] / best
        aggregate = of_group[OURS]
        found[f"{kind} of an aggregate ÷ TUPLE"] = aggregate / of_group["TUPLE"]
        found[f"{kind} of an aggregate ÷ TABLE"] = aggregate / of_group["TABLE"]
    return found


def _join(meter: Meter, streams: list[Tagged]) -> dict[str, Size]:
    bare = _join_step(meter, streams, "")
    ours = _join_step(meter, streams, OURS) - bare + _size(_places(streams[0]))
    links = [rivals_of(each).links for each in streams]
    return {
        OURS: ours,
        MEANT: ours + _size(streams[0].sets) + _size(streams[0].tags),
        "TABLE": _size(links[0]) + _sent(meter, links[0]) + _sent(meter, links[1]),
        **{name: _join_step(meter, streams, name) - bare for name in _ATTRIBUTES},
    }


def _join_step(meter: Meter, streams: list[Tagged], way: str) -> Size:
    """The state and the shuffles of a step of A, when B has been there."""
    asked = "".join(f", {side}.{name}" for side in STREAMS for name in _ATTRIBUTES.get(way, ()))
    text = (
        f"SELECT A.object_id, B.object_id{asked} FROM A [2 s], B [2 s]"
        " WHERE A.object_id = B.object_id"
    )
    meter.forget()
    of_a, of_b = streams
    meter.keep("B", meter.session.sql(_shown(meter, text, "B", of_b, way)).toArrow())
    return _step(meter, _shown(meter, text, "A", of_a, way))


def _aggregate(meter: Meter, tagged: Tagged) -> dict[str, Size]:
    bare = _aggregate_step(meter, tagged, "")
    links = rivals_of(tagged).links
    return {
        OURS: _aggregate_step(meter, tagged, OURS) - bare,
        "TABLE": _size(links) + _sent(meter, links),
        **{name: _aggregate_step(meter, tagged, name) - bare for name in _ATTRIBUTES},
    }


def _aggregate_step(meter: Meter, tagged: Tagged, way: str) -> Size:
    # Who wants to tell tags with the answer must carry their texts along. If attributes were only
    # counted, Spark would leave them where they are; their values and texts are both sent.
    asked = "".join(f", MAX({name})" for name in _ATTRIBUTES.get(way, ()))
    meter.forget()
    text = f"SELECT object_id, AVG(speed){asked} FROM A [5 s] GROUP BY object_id"
    return _step(meter, _shown(meter, text, "A", tagged, way))


def _shown(meter: Meter, text: str, stream: str, tagged: Tagged, way: str) -> str:
    """A statement over a stream in which tags travel in some way, or are not there."""
    if way == OURS:
        meter.tagged(tagged, 1.0)
        return meter.statement(f"{text} WITH TAGS", stream, TAGGED)
    more = _ATTRIBUTES.get(way, ())
    attributes = (*ATTRIBUTES, *(StreamAttribute(each) for each in more))
    meter.show("batch", _wider(tagged, way))
    return meter.statement(text, stream, NEVER, Streams(attributes))


def _wider(tagged: Tagged, way: str) -> pa.Table:
    """Tuples that have their tags in them, if so wished."""
    bare = tagged.batch.drop_columns("tagset")
    if not way:
        return bare
    rivals = rivals_of(tagged)
    found = {"TUPLE": rivals.wide.select(list(FIELDS)), "XML": rivals.marked.select(["tag"])}[way]
    item = bare.column("item").combine_chunks()
    arrays = [*item.flatten(), *(each.combine_chunks() for each in found.columns)]
    names = [*(each.name for each in item.type), *_ATTRIBUTES[way]]
    place = bare.column_names.index("item")
    return bare.set_column(place, "item", pa.StructArray.from_arrays(arrays, names))


def _step(meter: Meter, sql: str) -> Size:
    """The state that a statement leaves, and what it sends around."""
    state = kept(meter.session.sql(sql).toArrow())
    return Size(*meter.stored(state)) + Size(*meter.shuffled(sql))


def _size(table: pa.Table) -> Size:
    return Size(*in_file(BytesIO(file_of(table))))


def _sent(meter: Meter, links: pa.Table) -> Size:
    """Links that go to wherever tuples are."""
    meter.show("links", links)
    once = Size(*meter.shuffled("SELECT * FROM links DISTRIBUTE BY bucket"))
    return once.times(_PLACES)


def _places(tagged: Tagged) -> pa.Table:
    """Where tags are, as a step writes it down."""
    positions, sets = (tagged.batch.column(each) for each in ("position", "tagset"))
    runs = runs_of(positions.to_numpy(), sets.fill_null(-1).to_numpy())
    alone = tagged.batch.select(["position", "tagset"]).filter(sets.is_valid())
    return alone if runs is None else runs.written
