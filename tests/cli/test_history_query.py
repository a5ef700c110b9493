"""millstream query over histories, and millstream translate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call
from tests.cli.fake_door import FakeMill

LIMITS = 'for $c in stream("credit")//creditLimit return <limit>{ $c/text() }</limit>'
STRATEGIES = ("caq", "qac", "qac+")


@pytest.fixture(autouse=True)
def smith(call: Call, folder: Path) -> Path:
    """The account of John Smith, beside a file of photons."""
    assert call("generate", "credit", "--example", "--out", "smith").status == 0
    return folder / "smith"


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_history_is_asked(call: Call, mill: FakeMill, strategy: str) -> None:
    outcome = call(
        "query", LIMITS, "--stream", "credit=smith",
        "--schema", "credit=smith/tag-structure.xml", "--strategy", strategy,
    )  # fmt: skip
    assert (outcome.status, mill.opened) == (0, None)
    assert outcome.stdout == "<limit> 2000 </limit>\n<limit> 5000 </limit>\n"
    assert f"2 results by {strategy}" in outcome.stderr


def test_the_structure_may_stand_beside_the_fillers(call: Call) -> None:
    outcome = call("query", LIMITS, "--stream", "credit=smith")
    assert outcome.stdout.count("<limit>") == 2


def test_one_file_of_fillers_is_a_stream(call: Call) -> None:
    outcome = call(
        "query", LIMITS, "--stream", "credit=smith/fillers*",
        "--schema", "credit=smith/tag-structure.xml",
    )  # fmt: skip
    assert outcome.stdout.count("<limit>") == 2


@pytest.mark.parametrize(
    ("now", "limit"), [("2000-01-01", "2000"), ("2001-04-23T23:11:08.5", "5000"), ("now", "5000")]
)
def test_now_is_given(call: Call, now: str, limit: str) -> None:
    query = 'stream("credit")//creditLimit?[now]/text()'
    outcome = call("query", query, "--stream", "credit=smith", "--now", now)
    assert outcome.stdout.strip() == limit


def test_answer_as_json(call: Call) -> None:
    facts = json.loads(call("query", LIMITS, "--stream", "credit=smith", "--json").stdout)
    assert facts["items"] == ["<limit> 2000 </limit>", "<limit> 5000 </limit>"]
    assert (facts["strategy"], facts["now"]) == ("qac+", "2003-11-01T10:12:56")
    assert facts["streams"]["credit"]["fillers"] == 9


@pytest.mark.parametrize(("format", "line"), [("json", '{"item": "<limit> 2000 </limit>"}'),
                                              ("table", "│ 2000  │")])  # fmt: skip
def test_answer_in_other_formats(call: Call, format: str, line: str) -> None:
    outcome = call("query", LIMITS, "--stream", "credit=smith", "--format", format)
    assert line in outcome.stdout.splitlines()


def test_what_was_set_aside_is_told(call: Call, smith: Path) -> None:
    (smith / "fillers-00002.xml").write_text('<filler id="1" tsid="99" validTime="2003"/>')
    outcome = call("query", LIMITS, "--stream", "credit=smith")
    assert outcome.status == 0
    assert "1 quarantined" in outcome.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("stream('credit')//limit", "--stream", "credit=smith"), "did you mean 'creditLimit'"),
        (("1 +", "--stream", "credit=smith"), "expected an expression"),
        (("'a' + 1", "--stream", "credit=smith"), "the query failed: Arithmetic operator"),
        (
            ("exactly-one(stream('credit')//creditLimit)", "--stream", "credit=smith"),
            "the query failed",
        ),
        ((LIMITS, "--stream", "credit=smith", "--now", "soon"), "--now: not a date or time"),
        ((LIMITS, "--stream", "credit=smith", "--strategy", "best"), "best"),
        ((LIMITS, "--stream", "credit=smith", "--order", "credit=a"), "which has no order by"),
        ((LIMITS, "--stream", "credit=nowhere"), "there is nothing at 'nowhere'"),
        ((LIMITS, "--stream", "credit=smith", "--stream", "p=p.xml"), "(credit) and streams of"),
        ((LIMITS, "--stream", "p=p.xml", "--strategy", "qac"), "--strategy is for histories"),
    ],
)
def test_wrong_questions_are_the_callers_fault(
    call: Call, mill: FakeMill, arguments: tuple[str, ...], message: str
) -> None:
    outcome = call("query", *arguments)
    assert (outcome.status, mill.opened) == (2, None)
    assert message in outcome.stderr


def test_a_history_without_a_root_is_the_callers_fault(call: Call, smith: Path) -> None:
    (smith / "fillers-00001.xml").write_text("<fragments/>")
    outcome = call("query", LIMITS, "--stream", "credit=smith")
    assert outcome.status == 2
    assert "stream 'credit' has no root" in outcome.stderr


@pytest.mark.parametrize(
    ("strategy", "start"),
    [
        ("caq", 'xcql:once(xcql:view("credit")//creditLimit)'),
        ("qac", "/account/hole[@tsid = 4])/creditLimit"),
        ("qac+", 'xcql:fillers_of("credit", 4)/creditLimit'),
    ],
)
def test_a_query_is_translated(call: Call, strategy: str, start: str) -> None:
    outcome = call(
        "translate", LIMITS, "--schema", "credit=smith/tag-structure.xml", "--strategy", strategy
    )
    assert outcome.status == 0
    assert outcome.stdout.startswith('xquery version "3.1";')
    assert start in outcome.stdout


def test_a_translation_as_json(call: Call, folder: Path) -> None:
    (folder / "q.xq").write_text(LIMITS)
    outcome = call("translate", "@q.xq", "--schema", "credit=smith/tag-structure.xml", "--json")
    facts = json.loads(outcome.stdout)
    assert (facts["strategy"], facts["streams"]) == ("qac+", ["credit"])
    assert facts["xquery"] == f"{facts['prolog']}\n\n{facts['query']}\n"


def test_only_histories_are_translated(call: Call, folder: Path) -> None:
    (folder / "a.json").write_text("{}")
    outcome = call("translate", LIMITS, "--schema", "credit=a.json")
    assert outcome.status == 2
    assert "a history is described by a tag structure" in outcome.stderr


@pytest.mark.parametrize(
    ("kind", "streams"),
    [
        ("packets", ["gsyn", "ack"]),
        ("radars", ["radar1", "radar2"]),
        ("roads", ["vehicle", "road_sensor", "traffic_light"]),
    ],
)
def test_streams_of_events_are_generated(call: Call, kind: str, streams: list[str]) -> None:
    outcome = call("generate", kind, "--out", "made", "--json")
    assert list(json.loads(outcome.stdout)["streams"]) == streams
    for name in streams:
        counted = call("query", f'count(stream("{name}")/*/*)', "--stream", f"{name}=made/{name}")
        assert int(counted.stdout) > 10


def test_functions_of_python_are_called(call: Call, folder: Path) -> None:
    (folder / "tripled.py").write_text(
        "import millstream\n\n@millstream.function\n"
        "def tripled(value: float) -> float:\n    return 3 * value\n",
        encoding="utf-8",
    )
    query = 'for $c in stream("credit")//creditLimit return tripled($c)'
    outcome = call("query", query, "--stream", "credit=smith", "--functions", "tripled.py")
    assert outcome.stdout.split() == ["6000", "15000"]


def test_a_file_of_functions_that_fails_is_the_callers_fault(call: Call, folder: Path) -> None:
    (folder / "broken.py").write_text("1 / 0\n", encoding="utf-8")
    outcome = call("query", LIMITS, "--stream", "credit=smith", "--functions", "broken.py")
    assert outcome.status != 0
    assert "'broken.py' failed: ZeroDivisionError" in outcome.stderr
