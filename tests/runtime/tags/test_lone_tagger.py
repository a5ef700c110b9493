"""A tagger in a stream without other tags attaches what it attaches among others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

import millstream
from millstream.generators.tagged.patients import PATIENTS, patient_measurements
from millstream.mill import Mill
from millstream.model.tags import Element, TickTag
from millstream.model.tags.wire import WireOptions, write_json_lines
from millstream.runtime import crash
from millstream.runtime.evaluator import Evaluator
from millstream.runtime.session import SparkSession
from tests.runtime.tags.test_tag_queries import parsed, run_batch

pytestmark = [pytest.mark.spark, pytest.mark.timeout(600)]

ELEMENTS: list[Element] = [
    each for each in patient_measurements(90) if not isinstance(each, TickTag)
]
HIGH = "ATTACH TAG 'High' CONTINUOUSLY TO Patients WHERE measure > 65 WITH TAG_SIGN = '-'"
DRAWN = "ATTACH TAG ONE OF ('a', 'b') CONTINUOUSLY TO Patients WHERE pid <> 'p1'"
CARRIED = "SELECT pid, AVG(measure) FROM Patients [20 s] GROUP BY pid WITH TAGS"
ASKED = "SELECT TAGS FROM Patients"


def opened(folder: Path, spark: SparkSession, texts: Mapping[str, str]) -> Mill:
    mill = millstream.open(folder / "space", spark=spark)
    if "Patients" not in mill.streams:
        lines = write_json_lines(ELEMENTS, WireOptions(PATIENTS))
        (folder / "patients.jsonl").write_text("\n".join(lines))
        source = folder / "patients.jsonl"
        mill.create_stream("Patients", source, finite=True, max_items_per_batch=40, lateness=5)
        for name, text in texts.items():
            mill.subscribe(text, name=name)
    return mill


def run(folder: Path, spark: SparkSession, texts: Mapping[str, str]) -> dict[str, list[str]]:
    folder.mkdir()
    with opened(folder, spark, texts) as mill:
        mill.runner("Patients").drain_here()
        mill.runner("Patients").end()
        tags = [str(replace(each, number=0)) for each in mill.tags("Patients").all()]
        found = {name: list(each.wire()) for name, each in mill.subscriptions.items()}
    return {**found, "tags": tags}


@pytest.mark.parametrize("text", [HIGH, DRAWN])
def test_tags_are_the_same_where_others_ask_for_them(
    text: str, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"tagger": text, "carried": CARRIED}
    found = []
    lone = Evaluator.lone_tagger

    def noted(self: Evaluator, *given: object) -> object:
        found.append(lone(self, *given))  # type: ignore[arg-type]
        return found[-1]

    monkeypatch.setattr(Evaluator, "lone_tagger", noted)
    alone = run(tmp_path / "alone", spark, texts)
    assert any(each is not None for each in found)
    found.clear()
    asked = run(tmp_path / "asked", spark, {**texts, "asked": ASKED})
    assert found and all(each is None for each in found)
    del asked["asked"]
    assert alone == asked
    assert alone["tags"]


class Broken(Exception):
    """What the test raises where a crash would be."""


def test_broken_steps_run_again(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"tagger": HIGH, "carried": CARRIED}
    unbroken = run(tmp_path / "unbroken", spark, texts)
    folder = tmp_path / "broken"
    folder.mkdir()

    def breaks(reached: str) -> None:
        if reached == "evaluated":
            raise Broken

    with opened(folder, spark, texts) as mill:
        count = len(list(parsed(mill, folder, "Patients")))
    for number in range(count):
        with opened(folder, spark, texts) as mill, monkeypatch.context() as patched:
            patched.setattr(crash, "reach", breaks)
            with pytest.raises(Broken):
                run_batch(mill, folder=folder, name="Patients", number=number)
        with opened(folder, spark, texts) as mill:
            mill.runner("Patients").shared_batch.resume()
            run_batch(mill, folder=folder, name="Patients", number=number)
    with opened(folder, spark, texts) as mill:
        mill.runner("Patients").end()
        found = {name: list(each.wire()) for name, each in mill.subscriptions.items()}
    assert {**found, "tags": unbroken["tags"]} == unbroken
