"""Tuples that come in another order: within lateness nothing changes, later they are set aside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import millstream
from millstream.generators.tagged.emotions import Moods, tag_with_emotions
from millstream.generators.tagged.patients import PATIENTS, patient_measurements
from millstream.languages.tagql import parse
from millstream.model.tags import Element, StreamTuple, place
from millstream.model.tags.duration import SECOND
from millstream.model.tags.wire import WireOptions, write_json_lines
from millstream.runtime.session import SparkSession
from millstream.testing.tags import Relation, TaggedStream, answer

pytestmark = [pytest.mark.spark, pytest.mark.timeout(900)]

LATENESS = 6
WINDOWED = {
    "averages": "SELECT pid, AVG(measure) FROM Patients [20 s] GROUP BY pid WITH TAGS",
    "alike": "SELECT TAGGED OBJECTS FROM Patients [20 s] WHERE TAG COOCCURS WITH 'happy' >= 1",
    "groups": "SELECT TAG, COUNT(*) FROM Patients [20 s] GROUP BY TAGS USING JACCARD 0.5",
    "joined": "SELECT A.pid, B.pid FROM Patients A [5 s], Patients B [5 s]"
    " WHERE A.pid = B.pid WITH TAGS",
}
WITHOUT_WINDOW = {"selected": "SELECT pid FROM Patients WHERE measure > 60 WITH TAGS"}


def in_other_order() -> list[Element]:
    """Measurements with moods; every fifth goes back in time, but not by more than lateness."""
    found: list[Element] = []
    for each in tag_with_emotions(patient_measurements(60), Moods(share=0.5)):
        if isinstance(each, StreamTuple) and each.time >= 20 * SECOND and each.id.endswith("2"):
            each = StreamTuple(each.id, each.time - (LATENESS - 1) * SECOND, each.texts)
        found.append(each)
    return found


def too_late(elements: list[Element]) -> list[Element]:
    """With copies of tuples that come long after their time, each right behind a tuple."""
    found: list[Element] = []
    highest = 0
    for each in elements:
        found.append(each)
        if not isinstance(each, StreamTuple):
            continue
        highest = max(highest, each.time)
        if highest > 30 * SECOND and len(found) % 7 == 0:
            found.append(StreamTuple(f"late-{len(found)}", 3 * SECOND, each.texts))
    return found


def ids(relation: object, elements: list[Element]) -> list[str]:
    assert isinstance(relation, Relation)
    known = {each.position: getattr(each.element, "id", "") for each in place(elements)}
    return sorted("+".join(known[position] for _, position in row.origin) for row in relation)


@pytest.mark.parametrize("items", [pytest.param(7, marks=pytest.mark.long), 1000])
def test_what_is_too_late_is_set_aside(items: int, spark: SparkSession, tmp_path: Path) -> None:
    usual = in_other_order()
    elements = too_late(usual)
    lines = write_json_lines(elements, WireOptions(PATIENTS))
    (tmp_path / "patients.jsonl").write_text("\n".join(lines))
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        source = tmp_path / "patients.jsonl"
        stream = mill.create_stream(
            "Patients", source, finite=True, max_items_per_batch=items, lateness=LATENESS
        )
        for name, text in (WINDOWED | WITHOUT_WINDOW).items():
            mill.subscribe(text, name=name)
        mill.runner("Patients").drain_here()
        mill.runner("Patients").end()
        found = {
            name: sorted(
                json.loads(line)["tuple"]["id"]
                for line in each.wire()
                if line.startswith('{"tuple"')
            )
            for name, each in mill.subscriptions.items()
        }
        late = [each for each in stream.quarantine() if "late" in each.reason]
    assert late
    for texts, shown in ((WINDOWED, usual), (WITHOUT_WINDOW, elements)):
        streams = {"Patients": TaggedStream(PATIENTS, tuple(place(shown)))}
        for name, text in texts.items():
            assert found[name] == ids(answer(parse(text), streams), shown), name
