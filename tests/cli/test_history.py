"""millstream fragment and millstream materialize."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call

DTD = """\
<!ELEMENT creditAccounts (account*)>
<!ELEMENT account (customer, creditLimit*, transaction*)>
<!ELEMENT customer (#PCDATA)>
<!ELEMENT creditLimit (#PCDATA)>
<!ELEMENT transaction (vendor)>
<!ELEMENT vendor (#PCDATA)>
"""
DOCUMENT = (
    '<creditAccounts><account id="7"><customer>Smith</customer>'
    "<creditLimit>2000</creditLimit></account></creditAccounts>"
)
RAISED = '<filler id="2" tsid="4" validTime="2003-06-01"><creditLimit>5000</creditLimit></filler>\n'
CUT = ("--schema", "credit.dtd", "--temporal", "account,creditLimit", "--event", "transaction")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "credit.dtd").write_text(DTD)
    (tmp_path / "credit.xml").write_text(DOCUMENT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def fillers(call: Call, files: Path) -> Path:
    """The document cut on the first of January, and a limit that was raised in June."""
    done = call("fragment", "credit.xml", *CUT, "--valid-time", "2003-01-01", "--out", "out")
    assert done.status == 0
    (files / "out" / "fillers-00002.xml").write_text(RAISED)
    return files / "out"


def test_a_document_is_cut(call: Call, files: Path) -> None:
    done = call("fragment", "credit.xml", *CUT, "--out", "out", "--json")
    facts = json.loads(done.stdout)
    assert (done.status, facts["fillers"], facts["quarantined"]) == (0, 3, 0)
    assert sorted(path.name for path in (files / "out").iterdir()) == [
        "fillers-00001.xml",
        "tag-structure.xml",
    ]


def test_the_temporal_view_is_printed(call: Call, fillers: Path) -> None:
    done = call("materialize", "out", *CUT)
    assert done.stdout == (
        '<creditAccounts><account id="7" vtFrom="2003-01-01T00:00:00" vtTo="now">'
        "<customer>Smith</customer>"
        '<creditLimit vtFrom="2003-01-01T00:00:00" vtTo="2003-06-01T00:00:00">2000</creditLimit>'
        '<creditLimit vtFrom="2003-06-01T00:00:00" vtTo="now">5000</creditLimit>'
        "</account></creditAccounts>\n"
    )


@pytest.mark.parametrize(
    ("at", "limit"), [("2003-01-01", "2000"), ("2003-06-01T00:00:00", "5000"), ("now", "5000")]
)
def test_a_snapshot_is_printed(call: Call, fillers: Path, at: str, limit: str) -> None:
    done = call("materialize", "out", "--schema", "out/tag-structure.xml", "--at", at)
    assert done.stdout == DOCUMENT.replace("2000", limit) + "\n"


def test_a_difference_is_printed(call: Call, fillers: Path) -> None:
    done = call("materialize", "out", "--from", "2003-05-01", "--to", "now")
    assert done.stdout.splitlines()[1] == (
        '<changed id="2" tsid="4" validTime="2003-06-01T00:00:00">'
        "<before><creditLimit>2000</creditLimit></before>"
        "<after><creditLimit>5000</creditLimit></after></changed>"
    )


def test_one_file_can_be_materialized(call: Call, fillers: Path) -> None:
    assert call("materialize", "out/fillers-00001.xml", "--at", "now").stdout == DOCUMENT + "\n"


def test_what_was_set_aside_is_told(call: Call, fillers: Path) -> None:
    (fillers / "fillers-00003.xml").write_text(RAISED.replace("2003-06-01", "June"))
    (fillers / "fillers-00004.xml").write_text(RAISED.replace('id="2"', 'id="9"'))
    done = call("materialize", "out", "--json")
    facts = json.loads(done.stdout)
    assert (done.status, facts["quarantined"]) == (0, 2)
    assert [entry["code"] for entry in facts["quarantine"]] == ["bad-valid-time", "no-hole"]
    assert facts["document"].startswith("<creditAccounts>")
    assert "2 quarantined\n  out/fillers-00003.xml:1: validTime: not a date" in done.stderr


def test_holes_that_wait_are_told(call: Call, fillers: Path) -> None:
    (fillers / "fillers-00001.xml").write_text(
        '<filler id="0" tsid="1" validTime="2003-01-01">'
        '<creditAccounts><hole id="1" tsid="2"/></creditAccounts></filler>'
    )
    done = call("materialize", "out", "--json")
    assert json.loads(done.stdout)["unfilled"] == [{"id": 1, "tsid": 2}]
    assert "holes that wait for their filler: 1: 1 (account)" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fragment", "no.xml", *CUT, "--out", "out"), "cannot read the document"),
        (("fragment", "credit.dtd", *CUT, "--out", "out"), "not XML"),
        (
            ("fragment", "credit.xml", "--schema", "no.dtd", "--out", "out"),
            "cannot read the schema",
        ),
        (
            ("fragment", "credit.xml", "--schema", "credit.xml", "--out", "out"),
            "tag structure or a DTD",
        ),
        (
            ("fragment", "credit.xml", "--schema", "credit.dtd", "--temporal", "acount"),
            "Missing option '--out'",
        ),
        (
            ("fragment", "credit.xml", *CUT[:3], "acount", "--out", "out"),
            "did you mean 'account'?",
        ),
        (("fragment", "credit.xml", *CUT, "--out", "out", "--valid-time", "x"), "not a date"),
        (("materialize", "nowhere", *CUT), "no file or folder of fillers"),
        (("materialize", "."), "there is no tag-structure.xml"),
        (("materialize", ".", *CUT, "--from", "2003-01-01"), "--from and --to come together"),
        (("materialize", ".", *CUT, "--at", "noon"), "not a date"),
        (("materialize", ".", *CUT), "has no root"),
    ],
)
def test_mistakes_are_the_callers(call: Call, arguments: tuple[str, ...], message: str) -> None:
    done = call(*arguments)
    assert (done.status, message in done.stderr, done.stdout) == (2, True, "")


def test_a_wrong_tag_structure_is_told_with_its_line(call: Call, files: Path) -> None:
    (files / "wrong.xml").write_text('<structure>\n<tag type="x" id="1" name="a"/></structure>')
    done = call("fragment", "credit.xml", "--schema", "wrong.xml", "--out", "out", "--json")
    assert (done.status, json.loads(done.stdout)["line"]) == (2, 2)


def test_fillers_are_not_mixed(call: Call, fillers: Path) -> None:
    done = call("fragment", "credit.xml", *CUT, "--out", "out")
    assert (done.status, "fillers in 'out' already" in done.stderr) == (2, True)


def test_a_document_that_breaks_off_leaves_no_fillers(call: Call, files: Path) -> None:
    (files / "credit.xml").write_text(DOCUMENT[:-10])
    assert call("fragment", "credit.xml", *CUT, "--out", "out").status == 2
    assert list((files / "out").iterdir()) == []


def test_generated_credit_accounts_have_a_history(call: Call) -> None:
    assert call("generate", "credit", "--out", "c", "--accounts", "3").status == 0
    done = call("materialize", "c", "--json")
    assert json.loads(done.stdout)["quarantined"] == 0


def test_the_example_is_generated(call: Call) -> None:
    assert call("generate", "credit", "--example", "--out", "c").status == 0
    assert "John Smith" in call("materialize", "c", "--at", "now").stdout


def test_a_generated_auction_site_has_a_history(call: Call, files: Path) -> None:
    arguments = ("--factor", "0.0005", "--instants", "2", "--out", "a", "--json")
    done = call("generate", "auctions", *arguments)
    assert (done.status, len(json.loads(done.stdout)["files"])) == (0, 3)
    assert (files / "a" / "snapshot-2001-01-01T020000.xml").exists()
    assert call("materialize", "a", "--at", "2001-01-01T01:00").status == 0


def test_a_generated_auction_site_is_a_file(call: Call, files: Path) -> None:
    assert call("generate", "auctions", "--factor", "0", "--out", "a.xml").status == 0
    assert (files / "a.xml").read_text().startswith('<?xml version="1.0"?>\n<site>')
