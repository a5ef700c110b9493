"""Fillers as typed rows: what stands where, when it holds, and in which order."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from millstream.history.evaluation import Evaluator
from millstream.history.filler_store import FillerStore, canonical
from millstream.history.filler_tables import placed_tables, stored_batch
from millstream.model.filler import FillerKey, hole_text
from millstream.model.filler_layout import HOLE_MARK, OPEN, START, layouts, microseconds
from tests.history.credit import STRUCTURE, filler, time
from tests.history.test_laws import Author, authors

ACCOUNT = (
    '<account id="1" x="&lt;&quot;"><!-- c --><customer>Ann</customer> a<hole id="2" tsid="4"/>b'
    '<hole id="3" tsid="5"/></account>'
)


def test_columns_hold_what_stands_inside_a_filler() -> None:
    layout = layouts(STRUCTURE)[2]
    given = filler(1, 2, "2003-01-01", ACCOUNT)
    row = stored_batch(layout, [(given, 7)]).to_pylist()[0]
    body = row["body"]
    assert row["arrival"] == 7
    assert row["#attributes"] == [("id", "1"), ("x", '<"')]
    assert row["#text"] == " a\x02b"
    assert row["customer#text"] == ["Ann"]
    begin, end = row["customer#from"][0], row["customer#to"][0]
    assert body[begin:end] == "<customer>Ann</customer>"
    assert row["creditLimit#hole"] == [2]
    assert body[row["transaction#from"][0]] == HOLE_MARK
    assert (row["hole_ids"], row["hole_tags"]) == ([2, 3], [4, 5])


def test_lifespans_and_order_follow_from_all_fillers() -> None:
    store = FillerStore(
        STRUCTURE,
        [
            filler(2, 4, "2003-01-03", "<creditLimit>2</creditLimit>"),
            filler(2, 4, "2003-01-02", "<creditLimit>1</creditLimit>"),
            filler(9, 4, "2003-01-02", "<creditLimit>lost</creditLimit>"),
            filler(1, 2, "2003-01-01", ACCOUNT),
            filler(0, 1, "2003-01-01", '<creditAccounts><hole id="1" tsid="2"/></creditAccounts>'),
        ],
    )
    tables = placed_tables(store)
    columns = ("version", "begin", "until", "rank", "#text")
    limits = [tuple(row[name] for name in columns) for row in tables[4].to_pylist()]
    second, third = (microseconds(time(f"2003-01-0{day}")) for day in (2, 3))
    assert limits == [(1, second, third, 2, "1"), (2, third, OPEN, 3, "2")]
    assert tables[1].to_pylist()[0]["begin"] == START


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(authors())
def test_every_filler_of_the_view_is_there_as_it_was(author: Author) -> None:
    store = FillerStore(author.structure, author.fillers)
    rows = [row for table in placed_tables(store).values() for row in table.to_pylist()]
    rows.sort(key=lambda row: row["rank"])
    ordered = Evaluator({"s": store}).run(
        "declare namespace xcql = 'urn:millstream:xcql'; declare variable $xcql:fragments external;"
        "declare variable $xcql:now external; $xcql:fragments//filler/@arrival/string()"
    )
    assert [str(row["arrival"]) for row in rows] == ordered
    contents = {
        version.arrival: version.filler.content for key in store for version in store.versions(key)
    }
    for row in rows:
        assert canonical(_content(row)) == canonical(contents[row["arrival"]])


def _content(row: dict) -> str:
    first, *pieces = row["body"].split(HOLE_MARK)
    holes = zip(row["hole_ids"], row["hole_tags"], pieces, strict=True)
    return first + "".join(hole_text(FillerKey(id, tag)) + piece for id, tag, piece in holes)
