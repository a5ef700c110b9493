"""millstream query: what it asks of the mill, and how it writes the answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call
from tests.cli.fake_door import FakeEntry, FakeMill, FakeStream

QUERY = 'for $p in stream("photons")/photons/photon return $p/en'

pytestmark = pytest.mark.usefixtures("folder")


def test_options_reach_the_stream(call: Call, mill: FakeMill) -> None:
    call(
        "query", QUERY, "--stream", "photons=*.xml", "--schema", "photons=p.dtd",
        "--order", "photons=det_time", "--item", "photons=photon", "--key", "photons=phc",
        "--set", "photons.anchor=first", "--set", "photons.lateness=2",
        "--set", "photons.max_items_per_batch=100", "--set", "photons.type.coord/cel/ra=decimal",
    )  # fmt: skip
    stream = mill.streams["photons"]
    assert stream.source == "*.xml"
    assert stream.options == {
        "finite": True,
        "schema": "p.dtd",
        "order_by": "det_time",
        "item": "photon",
        "key": "phc",
        "anchor": "first",
        "lateness": 2,
        "max_items_per_batch": 100,
        "types": {"coord/cel/ra": "decimal"},
    }


def test_choices_reach_the_subscription(call: Call, mill: FakeMill) -> None:
    call("query", QUERY, "--stream", "photons=p.xml", "--set", "photons.end=cut",
         "--set", "photons.empty=true")  # fmt: skip
    chosen = {"end": "cut", "empty": True, "language": "auto", "tagger": None}
    assert mill.subscriptions["subscription1"].options == chosen
    assert mill.until == "drained"
    assert mill.opened is not None and mill.opened[0] is None


def test_text_comes_from_a_file(call: Call, mill: FakeMill, tmp_path: Path) -> None:
    (tmp_path / "q.xq").write_text(QUERY)
    outcome = call("query", f"@{tmp_path / 'q.xq'}", "--stream", "photons=p.xml")
    assert outcome.status == 0
    assert mill.subscriptions["subscription1"].text == QUERY


def test_xml_is_a_document(call: Call, mill: FakeMill) -> None:
    outcome = call("query", QUERY, "--stream", "photons=p.xml")
    expected = "<photons>\n<p><en>1.5</en></p>\n<p><en>2.50</en></p>\n</photons>\n"
    assert outcome.stdout == expected


def test_json_format_is_one_object_a_line(call: Call, mill: FakeMill) -> None:
    outcome = call("query", QUERY, "--stream", "photons=p.xml", "--format", "json")
    lines = [json.loads(line) for line in outcome.stdout.splitlines()]
    assert lines == [{"item": "<p><en>1.5</en></p>"}, {"item": "<p><en>2.50</en></p>"}]


def test_table_has_the_leaves(call: Call, mill: FakeMill) -> None:
    outcome = call("query", QUERY, "--stream", "photons=p.xml", "--format", "table")
    assert "en" in outcome.stdout
    assert "2.50" in outcome.stdout


def test_json_report_is_one_object(call: Call, mill: FakeMill) -> None:
    facts = json.loads(call("query", QUERY, "--stream", "photons=p.xml", "--json").stdout)
    assert facts["items"] == ["<p><en>1.5</en></p>", "<p><en>2.50</en></p>"]
    assert facts["streams"] == {
        "photons": {"inferred": ["det_time is integer"], "items": 3, "quarantined": 0}
    }
    assert (facts["run"]["items"], facts["run"]["steps"]) == (3, 1)


def test_inferred_schema_is_told_on_stderr(call: Call, mill: FakeMill) -> None:
    outcome = call("query", QUERY, "--stream", "photons=p.xml")
    assert "photons: det_time is integer" in outcome.stderr
    assert "integer" not in outcome.stdout


def test_quarantine_is_told_on_stderr(
    call: Call, mill: FakeMill, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [FakeEntry(7, "bad number", "<photon/>")]
    monkeypatch.setattr(FakeStream, "quarantine", lambda self: entries)
    outcome = call("query", QUERY, "--stream", "photons=p.xml")
    assert "photons: 1 in quarantine, the first: bad number" in outcome.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "a query needs --stream"),
        (("--stream", "photons"), "'photons' is not NAME=VALUE"),
        (("--stream", "p=a", "--stream", "p=b"), "'p' is given twice"),
        (("--stream", "photons=a", "--schema", "photon=b"), "did you mean 'photons'"),
        (("--stream", "p=a", "--set", "p.achor=1"), "did you mean 'anchor'"),
        (("--stream", "p=a", "--set", "p.anchor=soon"), "not a number"),
        (("--stream", "p=a", "--set", "anchor=1"), "not NAME.OPTION=VALUE"),
        (("--stream", "p=a", "--set", "p.end=never"), "known: cut, gather, run"),
        (("--stream", "p=a", "--set", "p.empty=maybe"), "known: true, false"),
        (("--stream", "p=a", "--set", "p.type.en=float"), "known: integer, decimal"),
        (("--stream", "p=a", "--set", "p.max_items_per_batch=0"), "above 0"),
        (("--stream", "p=a", "--stream", "q=b", "--set", "p.end=cut", "--set", "q.end=run"),
         "two different values"),
        (("--stream", "p=a", "--format", "yaml"), "yaml"),
        (("--stream", "p=a", "--language", "sql"), "sql"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_the_callers_fault(
    call: Call, mill: FakeMill, arguments: tuple[str, ...], message: str
) -> None:
    outcome = call("query", QUERY, *arguments)
    assert outcome.status == 2
    assert message in outcome.stderr
    assert mill.opened is None


@pytest.mark.parametrize("source", ["nowhere.xml", "*.json"])
def test_missing_source_is_the_callers_fault(call: Call, mill: FakeMill, source: str) -> None:
    outcome = call("query", QUERY, "--stream", f"photons={source}")
    assert outcome.status == 2
    assert f"there is nothing at '{source}'" in outcome.stderr
    assert mill.opened is None


def test_missing_query_file_is_the_callers_fault(call: Call, mill: FakeMill) -> None:
    outcome = call("query", "@nowhere.xq", "--stream", "photons=p.xml")
    assert outcome.status == 2
    assert "cannot read the query file 'nowhere.xq': No such file" in outcome.stderr
