"""Bad fillers of a running stream are set aside with the reason, and the rest goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from millstream.errors import QueryError, SchemaError
from millstream.generators.credit import CREDIT_STRUCTURE
from millstream.mill import Mill
from millstream.model.filler import filler_text
from millstream.runtime.intake.spec import IntakeSpec
from millstream.runtime.small_source import batches
from tests.history.credit import ALL, STRUCTURE
from tests.runtime.history.without_spark import Feeds, current, opened

GOOD = "\n".join(map(filler_text, ALL))
BAD = {
    "unknown-tsid": '<filler id="9" tsid="99" validTime="2003-01-01"><x/></filler>',
    "bad-id": '<filler id="x" tsid="5" validTime="2003-01-01"><transaction/></filler>',
    "missing-valid-time": '<filler id="3" tsid="5"><transaction/></filler>',
    "bad-valid-time": '<filler id="3" tsid="5" validTime="noon"><transaction/></filler>',
    "breaks-structure": '<filler id="3" tsid="5" validTime="2003-01-01"><account/></filler>',
    "cyclic-hole": (
        '<filler id="2" tsid="4" validTime="2003-01-01">'
        '<creditLimit><hole id="1" tsid="2"/></creditLimit></filler>'
    ),
    "too-deep": (
        '<filler id="3" tsid="5" validTime="2003-01-01">'
        "<transaction><vendor><transaction/></vendor></transaction></filler>"
    ),
    "malformed": '<filler id="3" tsid="5" validTime="2003-01-01"><transaction></filler>',
    "stray-text": "nonsense",
}


def drained(mill: Mill, text: bytes, folder: Path, **limits: int) -> None:
    """Take a file in as a source would bring it."""
    folder.mkdir()
    (folder / "fillers-1.xml").write_bytes(text)
    runner = mill.runner("credit")
    spec = runner.intake_spec("streams/credit").to_json()
    read = IntakeSpec.from_json(spec)
    chosen = {**{name: getattr(read, name) for name in read.__slots__}, **limits}
    chosen |= {"location": str(folder), "finite": True}
    for number, chunks in enumerate(batches(IntakeSpec(**chosen))):
        runner.shared_batch.run_batch(chunks, number)


@pytest.mark.parametrize("code", BAD)
def test_bad_filler_is_set_aside(code: str, tmp_path: Path) -> None:
    text = f"<fragments>{BAD[code]}\n{GOOD}</fragments>".encode()
    limits = {"all": 'for $t in stream("credit")//creditLimit return $t/text()'}
    with opened(tmp_path / "space", {"credit": STRUCTURE}, limits) as mill:
        drained(mill, text, tmp_path / "source")
        (entry,) = mill.streams["credit"].quarantine()
        assert entry.reason.startswith(f"{code}: ")
        assert entry.raw.decode() in BAD[code]
        assert sorted(current(mill, "all")) == ["2000", "5000"]


def test_filler_of_a_hundred_megabytes_is_set_aside_unread(tmp_path: Path) -> None:
    large = filler_text(ALL[-1]).encode().replace(b"charged", b"x" * 100_000_000)
    text = b"<fragments>" + large + GOOD.encode() + b"</fragments>"
    limits = {"all": 'for $t in stream("credit")//creditLimit return $t/text()'}
    with opened(tmp_path / "space", {"credit": STRUCTURE}, limits) as mill:
        drained(mill, text, tmp_path / "source")
        (entry,) = mill.streams["credit"].quarantine()
        assert entry.kind == "oversized"
        assert len(entry.raw) <= 1 << 16
        assert sorted(current(mill, "all")) == ["2000", "5000"]


def test_filler_without_a_hole_is_set_aside_when_the_stream_ends(tmp_path: Path) -> None:
    with opened(tmp_path / "space", {"credit": STRUCTURE}, {}) as mill:
        feeds = Feeds(mill)
        feeds.push(("credit", [each for each in ALL if each.id != 1]))
        assert not mill.streams["credit"].quarantine()
        mill.streams["credit"].end()
        reasons = sorted(each.reason for each in mill.streams["credit"].quarantine())
    assert len(reasons) == 3
    assert all(each.startswith("no-hole: ") for each in reasons)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ('stream("credit")//creditLimit?[2003-02-01, 2003-01-01]', "begin"),
        ('stream("credit")//creditLimit#[0]', "version"),
        ('for $a in stream("credit")//acount return $a', "acount"),
        ('for $a in stream("debit")//account?[now] return $a', "debit"),
    ],
)
def test_bad_queries_are_refused_with_their_place(query: str, words: str, tmp_path: Path) -> None:
    with opened(tmp_path / "space", {"credit": STRUCTURE}, {}) as mill:
        with pytest.raises(QueryError, match=words) as raised:
            mill.subscribe(query)
        assert raised.value.span is not None
        assert not mill.subscriptions


@pytest.mark.parametrize("option", [{"order_by": "t"}, {"key": "t"}, {"format": "json"}])
def test_histories_have_no_options_of_items(option: dict[str, str], tmp_path: Path) -> None:
    with opened(tmp_path / "space", {}, {}) as mill, pytest.raises(SchemaError, match="history"):
        mill.create_stream("credit", "nowhere", schema=CREDIT_STRUCTURE, **option)  # type: ignore[arg-type]


def test_a_query_that_fails_on_some_data_goes_on_with_the_rest(tmp_path: Path) -> None:
    wild = ALL[4].content.replace("38.20", "lots")
    queries = {
        "doubled": 'for $t in stream("credit")//transaction return <d>{ $t/amount * 2 }</d>',
        "total": 'sum(stream("credit")//amount)',
    }
    with opened(tmp_path / "space", {"credit": STRUCTURE}, queries) as mill:
        feeds = Feeds(mill)
        feeds.push(("credit", list(ALL)))
        feeds.push(("credit", [replace(ALL[4], content=wild)]))
        reasons = sorted(each.reason for each in mill.streams["credit"].quarantine())
        assert list(current(mill, "doubled")) == ["<d>76.4</d>"]
        assert list(current(mill, "total")) == ["38.2"]
    assert [each.split(": ")[:2] for each in reasons] == [
        ["query-failed", "doubled"],
        ["query-failed", "total"],
    ]
