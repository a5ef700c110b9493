"""SELECTs that are asked once of a space: what is live in it, equal to the reference."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import millstream
from millstream.errors import MillstreamError, QueryError
from millstream.languages.tagql import parse
from millstream.mill import Mill
from millstream.model.tags import Element, PlacedTag
from millstream.model.tags.wire import WireOptions, write_json_lines
from millstream.runtime.session import SparkSession
from millstream.testing.tags import Relation, answer
from tests.runtime.tags.test_tag_queries import (
    QUERIES,
    SOURCES,
    STREAMS,
    expected_tuples,
    opened,
    tuples,
)
from tests.testing.tags.timelines import SHAPE, item, tag

pytestmark = [pytest.mark.spark, pytest.mark.timeout(900)]

MORE = {
    "living": "SELECT TAGS FROM Patients",
    "in a window": "SELECT TAGS FROM Patients [20 s]",
    "carried": "SELECT pid, measure FROM Patients [20 s] WITH TAGS",
    "by pid": "SELECT pid, COUNT(*), AVG(measure) FROM Patients GROUP BY pid WITH TAGS",
    "untagged": "SELECT TAG, COUNT(*) FROM Patients GROUP BY TAGS INCLUDING UNTAGGED WITH TAGS",
}
# Objects have long stopped moving when the last patient is measured.
ASKED = {
    name: text.replace("MovingObjects B [30 s]", "MovingObjects B [900 s]")
    for name, text in (QUERIES | MORE).items()
}


@pytest.fixture(scope="module")
def mill(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mill]:
    """A mill whose streams have come as far as they go, in several steps."""
    with opened(tmp_path_factory.mktemp("live"), spark, {}) as mill:
        for name in SOURCES:
            mill.runner(name).drain_here()
        yield mill


@pytest.mark.parametrize("name", ASKED)
def test_answers_equal_the_reference(name: str, mill: Mill) -> None:
    given = mill.select(ASKED[name])
    lines = list(given.wire())
    wanted = answer(parse(ASKED[name]), STREAMS, once=True)
    if isinstance(wanted, Relation):
        assert sorted(tuples(lines)) == sorted(expected_tuples(wanted))
        tags = {each.tag for row in wanted for each in row.tags}
        assert contents(lines) == {each.content for each in tags if each.content}
    elif name in ("by tags", "by likeness"):
        sent = sum(line.startswith('{"stix"') for line in lines)
        assert 0 < sent <= len(wanted)
        assert len(list(tuples(lines))) >= 2 * sent
    else:
        found = [json.loads(line)["tag"]["content"] for line in lines]
        assert found == [each.tag.content for each in wanted if isinstance(each, PlacedTag)]
        assert found


def contents(lines: list[str]) -> set[str]:
    """What the tags among some lines say, but those that say nothing."""
    found = (json.loads(line).get("tag", {}).get("content") for line in lines)
    return {each for each in found if each}


def test_a_question_leaves_nothing_behind(mill: Mill) -> None:
    before = (mill.step, mill.runner("Patients").journal.state.to_json())
    mill.select(QUERIES["joined"])
    with pytest.raises(MillstreamError):
        mill.select("SELECT TAGS FROM Patients WHERE measur > 3")
    assert (mill.step, mill.runner("Patients").journal.state.to_json()) == before
    folders = mill.space.storage.names("streams/Patients/steps")
    assert not [each for each in folders if each.startswith("asked")]
    assert not mill.subscriptions


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SELECT TAGS FROM Patient", "there is no stream 'Patient'"),
        ("SELECT AVG(mesure) FROM Patients", "there is no attribute 'mesure'"),
        ("ATTACH TAG 'High' CONTINUOUSLY TO Patients", "ATTACH TAG is no question"),
    ],
)
def test_what_cannot_be_asked_is_told_at_its_place(text: str, reason: str, mill: Mill) -> None:
    with pytest.raises(QueryError, match=reason) as caught:
        mill.query(text)
    assert caught.value.text == text


def test_a_select_is_asked_of_no_other_time(mill: Mill) -> None:
    with pytest.raises(QueryError, match="what is live now"):
        mill.query("SELECT TAGS FROM Patients", strategy="qac")


# As a stream goes on.

PATIENT = "SELECT TAGS FROM Patients"
AVERAGE = "SELECT pid, AVG(measure) FROM Patients [5 s] GROUP BY pid WITH TAGS"


def sent(folder: Path, number: int, *elements: Element) -> None:
    """A file of elements for the stream to come upon."""
    (folder / "in").mkdir(exist_ok=True)
    lines = write_json_lines(elements, WireOptions(SHAPE))
    (folder / "in" / f"{number}.jsonl").write_text("\n".join([*lines, ""]))


def test_what_is_live_changes_with_what_comes(spark: SparkSession, tmp_path: Path) -> None:
    sent(tmp_path, 0, tag(0, "Running", "*,*,{measure}", lives=60), item(1), item(2, measure="90"))
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        mill.create_stream("Patients", tmp_path / "in", format="tagged-json")
        assert mill.select(PATIENT).flow == () and mill.select(PATIENT).now is None
        mill.run()
        assert contents(list(mill.select(PATIENT).wire())) == {"Running"}
        assert list(tuples(list(mill.select(AVERAGE).wire()))) == [("p1", "p1", 80.0)]
        # The tag goes on for those who come later, but says no more than that it is gone.
        mill.attach("Patients", "", tagger="ann", applicability="*,*,{measure}", mode="Overwrite")
        sent(tmp_path, 1, item(6, measure="100"))
        mill.run()
        assert mill.select(PATIENT).flow == ()
        late = mill.select(AVERAGE)
        assert late.now == "6"
        assert list(tuples(list(late.wire()))) == [("p1", "p1", 95.0)]
        assert contents(list(late.wire())) == {"Running"}


def test_the_stream_of_a_tagger_is_asked(spark: SparkSession, tmp_path: Path) -> None:
    sent(tmp_path, 0, item(1), item(2, "p2", measure="90"))
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        mill.create_stream("Patients", tmp_path / "in", format="tagged-json")
        mill.subscribe("ATTACH TAG 'High' CONTINUOUSLY TO Patients WHERE measure > 80", name="high")
        mill.run()
        found = list(mill.select("SELECT TAGGED OBJECTS FROM high WITH TAGS").wire())
    assert [each[0] for each in tuples(found)] == ["p2"] and contents(found) == {"High"}


@pytest.mark.parametrize("instants", [False, True])
def test_a_window_goes_back_as_far_as_it_says(
    instants: bool, spark: SparkSession, tmp_path: Path
) -> None:
    def at(second: float) -> str:
        return f"2026-11-01T12:00:{second:09.6f}+01:00" if instants else f"{second:.6f}"

    for number, times in enumerate([(1, 1.9), (2, 2.000001), (1.8, 2.9, 3)]):
        (tmp_path / "in").mkdir(exist_ok=True)
        lines = [json.dumps({"v": str(time), "t": at(time)}) for time in times]
        (tmp_path / "in" / f"{number}.jsonl").write_text("\n".join([*lines, ""]))
    types = {"t": "time" if instants else "decimal", "v": "decimal"}
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        mill.create_stream("a", tmp_path / "in", types=types, order_by="t", lateness=2)
        mill.run()
        found = list(mill.select("SELECT v FROM a [1 s]").wire())
        everything = list(mill.select("SELECT v FROM a [5000 d]").wire())
    assert sorted(values for _, *values in tuples(found)) == [[2.000001], [2.9], [3]]
    assert len(list(tuples(everything))) == 7
