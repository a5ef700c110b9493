"""Cutting documents: ids, times, holes for events to come, and what cannot be cut."""

from __future__ import annotations

import gzip
from io import BytesIO
from pathlib import Path

import pytest

from millstream.errors import ItemError, MillstreamError, StateError
from millstream.history.filler_store import FillerStore, canonical
from millstream.history.fragmenter import fragment
from millstream.history.quarantine import Quarantine
from millstream.history.temporal_view import materialize, snapshot
from millstream.model.filler import Filler, filler_text
from millstream.model.reading import read_structure
from tests.history.credit import STRUCTURE, time

AT = time("2003-12-01")


def cut(document: str, quarantine: Quarantine | None = None, **options: int) -> list[Filler]:
    reject = quarantine if quarantine is not None else Quarantine()
    source = BytesIO(document.encode())
    return list(fragment(source, STRUCTURE, valid_time=AT, reject=reject, **options))  # type: ignore[arg-type]


def accounts(*inside: str) -> str:
    return f"<creditAccounts>{''.join(inside)}</creditAccounts>"


def test_temporal_elements_and_events_become_fillers() -> None:
    document = accounts(
        '<account id="7"><customer>A &amp; B</customer><creditLimit>1</creditLimit> '
        "<transaction><status>charged</status></transaction></account>"
    )
    assert [filler_text(filler) for filler in cut(document)] == [
        '<filler id="2" tsid="4" validTime="2003-12-01T00:00:00">'
        "<creditLimit>1</creditLimit></filler>",
        '<filler id="4" tsid="7" validTime="2003-12-01T00:00:00"><status>charged</status></filler>',
        '<filler id="3" tsid="5" validTime="2003-12-01T00:00:00">'
        '<transaction><hole id="4" tsid="7"/></transaction></filler>',
        '<filler id="1" tsid="2" validTime="2003-12-01T00:00:00"><account id="7">'
        '<customer>A &amp; B</customer><hole id="2" tsid="4"/> <hole id="3" tsid="5"/>'
        "</account></filler>",
        '<filler id="0" tsid="1" validTime="2003-12-01T00:00:00">'
        '<creditAccounts><hole id="1" tsid="2"/></creditAccounts></filler>',
    ]


def test_a_hole_is_kept_for_events_to_come() -> None:
    account = cut(accounts("<account><customer/></account>"))[0]
    assert account.content == '<account><customer/><hole id="2" tsid="5"/></account>'


def test_the_times_of_a_temporal_view_are_taken() -> None:
    view = accounts(
        '<account vtFrom="1998-10-10T12:20:22" vtTo="2003-11-10T09:30:45">'
        '<customer/><creditLimit vtFrom="1998-10-10T12:20:22" vtTo="2001-04-23T23:11:08">2'
        '</creditLimit><creditLimit vtFrom="2001-04-23T23:11:08" vtTo="now">5</creditLimit>'
        "</account>"
    )
    store = FillerStore(STRUCTURE, cut(view))
    states = [
        snapshot(store, time(at)) for at in ("1998-01-01", "2000-01-01", "2003-01-01", "2003-12-01")
    ]
    assert states == [
        accounts(),
        accounts("<account><customer/><creditLimit>2</creditLimit></account>"),
        accounts("<account><customer/><creditLimit>5</creditLimit></account>"),
        accounts().replace("></creditAccounts>", "/>"),
    ]


def test_versions_that_adjoin_share_a_hole() -> None:
    view = (
        "<creditAccounts><account><customer/>"
        '<creditLimit vtFrom="2001-01-01" vtTo="2002-01-01">1</creditLimit>\n'
        '<creditLimit vtFrom="2002-01-01" vtTo="now">2</creditLimit>\n'
        '<creditLimit vtFrom="2002-01-01" vtTo="now">3</creditLimit></account></creditAccounts>'
    )
    ids = [filler.id for filler in cut(view) if filler.tsid == 4]
    assert ids == [2, 2, 3]


def test_versions_with_something_between_do_not_share_a_hole() -> None:
    view = accounts(
        '<account><creditLimit vtFrom="2001-01-01" vtTo="2002-01-01">1</creditLimit><customer/>'
        '<creditLimit vtFrom="2002-01-01" vtTo="now">2</creditLimit></account>'
    )
    assert [filler.id for filler in cut(view) if filler.tsid == 4] == [2, 3]


def test_what_ended_before_its_parent_began_is_not_in_it() -> None:
    view = accounts(
        '<account vtFrom="2002-01-01" vtTo="now"><customer/>'
        '<creditLimit vtFrom="2000-01-01" vtTo="2001-01-01">1</creditLimit></account>'
    )
    store = FillerStore(STRUCTURE, cut(view))
    assert snapshot(store, AT) == accounts("<account><customer/></account>")


def test_an_end_inside_an_event_cannot_be_kept() -> None:
    quarantine = Quarantine()
    status = '<status vtFrom="2003-01-02" vtTo="2003-01-03">charged</status>'
    cut(accounts(f"<account><transaction>{status}</transaction></account>"), quarantine)
    assert [entry.code for entry in quarantine] == ["lost-end"]


@pytest.mark.parametrize(
    ("bad", "code", "line"),
    [
        ("<account>\n<nickname/></account>", "breaks-structure", 2),
        ("<account>\n<customer><account/></customer></account>", "too-deep", 2),
        ('\n<account vtFrom="soon"/>', "bad-valid-time", 2),
        (f"\n<account><customer>{'x' * 600}</customer></account>", "too-large", 2),
    ],
)
def test_an_element_that_cannot_be_cut_leaves_its_hole(bad: str, code: str, line: int) -> None:
    quarantine = Quarantine()
    fillers = cut(accounts(bad, '<account id="8"/>'), quarantine, max_filler=500)
    assert [(entry.code, entry.line) for entry in quarantine] == [(code, line)]
    store = FillerStore(STRUCTURE, fillers)
    assert '<account id="8" vtFrom' in materialize(store)
    assert [hole.tsid for hole in store.unfilled()] == [2]


@pytest.mark.parametrize(
    ("document", "error", "message"),
    [
        ("<accounts/>", ItemError, "begins with <accounts>, not with <creditAccounts>"),
        ("<creditAccounts>\n<acount/></creditAccounts>", ItemError, "line 2: element acount"),
        ("<creditAccounts>\n<account></creditAccounts>", ItemError, "line 2"),
        ("", ItemError, "not XML"),
        (accounts("<hole/>"), ItemError, "hole cannot stand"),
        ("<!DOCTYPE creditAccounts [<!ENTITY e 'x'>]>" + accounts("&e;"), ItemError, "entity"),
        (accounts("x" * 600), ItemError, "larger than 500"),
    ],
)
def test_a_document_without_a_good_root_is_refused(
    document: str, error: type[MillstreamError], message: str
) -> None:
    with pytest.raises(error, match=message):
        cut(document, max_filler=500)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(StateError, match="cannot read"):
        list(fragment(tmp_path / "no.xml", STRUCTURE, valid_time=AT, reject=Quarantine()))


def test_a_compressed_document_is_cut(tmp_path: Path) -> None:
    packed = gzip.compress(accounts("<account/>").encode())
    (tmp_path / "a.xml.gz").write_bytes(packed)
    (tmp_path / "b.xml.gz").write_bytes(packed[:-9])
    found = fragment(tmp_path / "a.xml.gz", STRUCTURE, valid_time=AT, reject=Quarantine())
    assert len(list(found)) == 2
    with pytest.raises(StateError, match="cannot read"):
        list(fragment(tmp_path / "b.xml.gz", STRUCTURE, valid_time=AT, reject=Quarantine()))


def test_prefixes_and_namespaces_stay() -> None:
    structure = read_structure(
        "<!ELEMENT a:r (a:b*)><!ELEMENT a:b (c)><!ELEMENT c (#PCDATA)>", temporal=["a:b", "c"]
    )
    document = '<a:r xmlns:a="urn:a" xmlns="urn:c"><a:b a:x="1"><c>1</c></a:b></a:r>'
    source = BytesIO(document.encode())
    fillers = fragment(source, structure, valid_time=AT, reject=Quarantine())
    assert canonical(snapshot(FillerStore(structure, fillers))) == canonical(document)


def test_several_chunks_of_the_parser_make_no_difference() -> None:
    # The parser reads 32 kB at a time; texts after elements are cut at every place.
    inside = "".join(
        f"<account><customer/>{'y' * (n % 97)}<creditLimit>{n}</creditLimit>{'z' * (n % 89)}"
        "</account>\n" + " " * (n % 71)
        for n in range(3_000)
    )
    document = accounts(inside)
    assert snapshot(FillerStore(STRUCTURE, cut(document)), AT) == document
