"""Selecting tagged tuples by sets (TICK-TAG), and in the paper's rivals TABLE, TUPLE and XML.

All four read the same tuples from Parquet, ask for the same two groups of emotions by the same
SQL, and give the same results to the same sink. TABLE keeps all tags in one table with a link to
tuples, from one position to another, and looks tuples up by buckets of positions; TUPLE has the
eight fields of the tag in each tuple; XML has an element with these fields in each tuple.
"""

from __future__ import annotations

from carried_bytes import carried
from rival_tables import BUCKET, RIVALS, rivals_of
from tag_data import tuples
from tag_meter import NOW, Measured, Meter

from millstream.compiler.tags.functions import meaning
from millstream.model.tags import emotions

QUERY = "SELECT TAGGED OBJECTS FROM A WHERE TAG EQUIVALENT TO 'sad' OR TAG EQUIVALENT TO 'angry'"


def alternatives(meter: Meter, on: int) -> list[Measured]:
    """Selecting tagged tuples, and the bytes that tags take in windows and on the way to others."""
    return [_at(meter, share, on) for share in meter.size.shares[1:]]


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
        **carried(meter, share, on),
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
