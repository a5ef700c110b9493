"""Figure 13: what tags take as sets (TICK-TAG), and in the paper's rivals TABLE, TUPLE and XML.

All four read the same tuples from Parquet, ask for the same two groups of emotions by the same
SQL, and give the same results to the same sink. TABLE keeps all tags in one table with a link to
tuples, from one position to another, and looks tuples up by buckets of positions; TUPLE has the
eight fields of the tag in each tuple; XML has an element with these fields in each tuple.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
from tag_data import FIELDS, Tagged, tuples
from tag_meter import NOW, SHARES, Measured, Meter

from millstream.compiler.tags.functions import meaning
from millstream.model.tags import emotions
from millstream.runtime.tags.storage import file_of
from millstream.runtime.tags.tagged_runs import runs_of

QUERY = "SELECT TAGGED OBJECTS FROM A WHERE TAG EQUIVALENT TO 'sad' OR TAG EQUIVALENT TO 'angry'"
BUCKET = 1000
_CARRIED = "numbers in tuples"
_MEANT = "TICK-TAG and what its sets mean"
RIVALS = ("TABLE", "TUPLE", "XML")
_KEPT = "b.position, b.`=@time` AS time, b.item.object_id AS object_id, b.`=speed` AS speed"


@dataclass(frozen=True, slots=True)
class Rivals:
    """The same tags in three other places."""

    wide: pa.Table
    marked: pa.Table
    links: pa.Table


def alternatives(meter: Meter, on: int) -> list[Measured]:
    """Selecting tagged tuples, and what tags take in windows and on the way to others."""
    return [_at(meter, share, on) for share in SHARES[1:]]


def _at(meter: Meter, share: float, on: int) -> Measured:
    data = tuples(meter.size.selected, share, on, 2)
    meter.tagged(data, share)
    rivals = rivals_of(data)
    meter.show("wide", rivals.wide)
    meter.show("marked", rivals.marked)
    meter.show("links", rivals.links)
    names = ("TICK-TAG", *RIVALS)
    taken = dict(zip(names, meter.seconds(*_statements(meter)), strict=True))
    best = min(taken[each] for each in RIVALS)
    return {
        "share": share,
        "tuples on a tag": on,
        **{f"{name} s": each for name, each in taken.items()},
        "statement: rate ÷ best rival": best / taken["TICK-TAG"],
        **_bytes(meter, data, rivals),
    }


def _statements(meter: Meter) -> tuple[str, ...]:
    result = (
        "SELECT 0 AS channel, array(b.position) AS ordering, array(b.item.`@id`,"
        " CAST(CAST(round(b.`=@time` * 1000000D) AS BIGINT) AS STRING), b.item.object_id,"
        " b.item.location, b.item.speed) AS values"
    )
    sought = "IN ('sad', 'angry')"
    inside = "xpath_string(b.tag, 'tag/content')"
    return (
        meter.statement(QUERY, "A", NOW),
        f"{result} FROM batch b JOIN links g ON b.position >= g.first AND b.position <= g.last"
        f" AND b.position div {BUCKET} = g.bucket WHERE"
        f" {meaning('g.content', emotions())} {sought}",
        f"{result} FROM wide b WHERE {meaning('b.content', emotions())} {sought}",
        f"{result} FROM marked b WHERE b.tag IS NOT NULL"
        f" AND {meaning(inside, emotions())} {sought}",
    )


def rivals_of(data: Tagged) -> Rivals:
    """Tags as columns, as XML, and in a table of links."""
    tags = data.tags.to_pandas().set_index("tag")
    frame = data.batch.select(["position", "tagset"]).to_pandas()
    joined = frame.join(tags[list(FIELDS)], on="tagset")
    bare = data.batch.drop_columns("tagset")
    wide = bare
    for name in FIELDS:
        wide = wide.append_column(name, pa.array(joined[name].astype("string"), pa.string()))
    marked = bare.append_column("tag", pa.array(_elements(wide), pa.string()))
    return Rivals(wide, marked, _links(frame, tags))


def _elements(wide: pa.Table) -> list[str | None]:
    rows = zip(*(wide.column(name).to_pylist() for name in FIELDS), strict=True)
    return [None if row[2] is None else _element(row) for row in rows]


def _element(row: tuple[str | None, ...]) -> str:
    fields = zip(FIELDS, row, strict=True)
    return f"<tag>{''.join(f'<{n}>{text or str()}</{n}>' for n, text in fields)}</tag>"


def _links(frame: object, tags: object) -> pa.Table:
    runs = frame.dropna().groupby("tagset")["position"].agg(["min", "max"])  # type: ignore[attr-defined]
    fields = tags[list(FIELDS)].astype("string").to_dict("index")  # type: ignore[index]
    rows = [
        {"first": first, "last": last, "bucket": bucket, **fields[number]}
        for number, first, last in zip(runs.index, runs["min"], runs["max"], strict=True)
        for bucket in range(first // BUCKET, last // BUCKET + 1)
    ]
    schema = pa.schema(
        [
            *((name, pa.int64()) for name in ("first", "last", "bucket")),
            *((name, pa.string()) for name in FIELDS),
        ]
    )
    return pa.Table.from_pylist(rows, schema=schema)


def _bytes(meter: Meter, data: Tagged, rivals: Rivals) -> dict[str, float]:
    """What tags add to the state of a window and to a shuffle, plain and compressed.

    A join that carries tags carries nothing: the tags of its results are looked up by positions,
    in a table of runs of tagged tuples. An aggregate carries the number of a set in each tuple.
    """
    states = {
        "TICK-TAG": _places(data),
        _CARRIED: data.batch.select(["tagset"]),
        "TUPLE": rivals.wide.select(list(FIELDS)),
        "XML": rivals.marked.select(["tag"]),
        "TABLE": rivals.links,
    }
    bare = meter.shuffled(f"SELECT {_KEPT} FROM batch b DISTRIBUTE BY object_id")
    fields = ", ".join(f"b.{name} AS tag_{name}" for name in FIELDS)
    sent = {
        _CARRIED: f"SELECT {_KEPT}, b.tagset FROM batch b DISTRIBUTE BY object_id",
        "TUPLE": f"SELECT {_KEPT}, {fields} FROM wide b DISTRIBUTE BY object_id",
        "XML": f"SELECT {_KEPT}, b.tag FROM marked b DISTRIBUTE BY object_id",
    }
    moved = {name: meter.shuffled(sql) for name, sql in sent.items()}
    added = {
        name: (plain - bare[0], max(0, packed - bare[1])) for name, (plain, packed) in moved.items()
    }
    # Tuples keep their way; the table goes to wherever tuples are, here to two places.
    links = meter.shuffled("SELECT * FROM links DISTRIBUTE BY bucket")
    added["TABLE"] = (2 * links[0], 2 * links[1])
    added["TICK-TAG"] = (0, 0)
    plain = {name: table.nbytes + added[name][0] for name, table in states.items()}
    packed = {name: len(file_of(table)) + added[name][1] for name, table in states.items()}
    meant = (data.sets, data.tags)
    plain[_MEANT] = plain["TICK-TAG"] + sum(each.nbytes for each in meant)
    packed[_MEANT] = packed["TICK-TAG"] + sum(len(file_of(each)) for each in meant)
    found = {f"{name} bytes": each for name, each in plain.items()}
    for kind, sizes in (("bytes", plain), ("compressed", packed)):
        best = min(sizes[each] for each in RIVALS)
        found[f"{kind} ÷ best rival"] = sizes["TICK-TAG"] / best
        found[f"{kind} ÷ TUPLE"] = sizes["TICK-TAG"] / sizes["TUPLE"]
        found[f"{kind} with all that tags say ÷ best rival"] = sizes[_MEANT] / best
        found[f"{kind} of a number in each tuple ÷ best rival"] = sizes[_CARRIED] / best
    return found


def _places(data: Tagged) -> pa.Table:
    """Where tags are, as a step writes it down."""
    positions, sets = (data.batch.column(each) for each in ("position", "tagset"))
    runs = runs_of(positions.to_numpy(), sets.fill_null(-1).to_numpy())
    tagged = data.batch.select(["position", "tagset"]).filter(sets.is_valid())
    return tagged if runs is None else runs.written
