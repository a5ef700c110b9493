"""Subscriptions in TAG-QL on a real mill: they equal the reference, also after crashes."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

import millstream
from millstream.generators.tagged.emotions import Moods, tag_with_emotions
from millstream.generators.tagged.moving_objects import MOVING_OBJECTS, moving_objects
from millstream.generators.tagged.patients import PATIENTS, patient_measurements
from millstream.languages.tagql import parse
from millstream.mill import Mill
from millstream.model.tags import Element, PlacedTag, StreamShape, place
from millstream.model.tags.wire import WireOptions, write_json_lines
from millstream.runtime import crash
from millstream.runtime.session import SparkSession
from millstream.runtime.small_source import ReadChunks, batches
from millstream.testing.tags import Relation, TaggedStream, answer

pytestmark = [pytest.mark.spark, pytest.mark.timeout(900)]

SOURCES: dict[str, tuple[StreamShape, list[Element]]] = {
    "Patients": (PATIENTS, list(tag_with_emotions(patient_measurements(60), Moods(share=0.4)))),
    "MovingObjects": (
        MOVING_OBJECTS,
        list(tag_with_emotions(moving_objects(40), Moods(seed=1, share=0.4))),
    ),
}
STREAMS = {
    name: TaggedStream(shape, tuple(place(elements))) for name, (shape, elements) in SOURCES.items()
}
BOTH = "Patients A [20 s], MovingObjects B [30 s]"
QUERIES = {
    "tags": "SELECT TAGS FROM Patients WHERE TAG EQUIVALENT TO 'sad' OR TAG EQUIVALENT TO 'happy'",
    "tagged": "SELECT TAGGED OBJECTS FROM Patients WHERE TAG EQUIVALENT TO 'happy'",
    "alike": "SELECT TAGGED OBJECTS FROM Patients [20 s] WHERE TAG COOCCURS WITH 'happy' >= 1",
    "selected": "SELECT pid, loc FROM Patients WHERE measure > 65 WITH TAGS",
    "joined": f"SELECT A.pid, B.object_id FROM {BOTH} WHERE Dist(A.loc, B.location) < 0.5"
    " WITH TAGS",
    "by tags": f"SELECT TAGGED OBJECTS FROM {BOTH} WHERE TAG(A) EQUIVALENT TO TAG(B)",
    "by likeness": f"SELECT TAGGED OBJECTS FROM {BOTH} WHERE TAG(A) COOCCURS WITH TAG(B) >= 1",
    "averages": "SELECT pid, AVG(measure) FROM Patients [30 s] GROUP BY pid WITH TAGS",
    "of all": "SELECT COUNT(*), MAX(measure) FROM Patients",
    "groups": "SELECT TAG, COUNT(*) FROM Patients [20 s] GROUP BY TAGS USING DICTIONARY",
    "shares": "SELECT TAG, COUNT(*) FROM Patients [20 s] GROUP BY TAGS USING JACCARD 0.5",
}
ATTACHED = {
    "once": "ATTACH TAG 'First' TO Patients WHERE measure > 70",
    "always": "ATTACH TAG 'High' CONTINUOUSLY TO Patients.measure WHERE measure > 70",
}
ITEMS = 'stream("Patients")/Patients/tuple'
OTHERS = 'stream("MovingObjects")/MovingObjects/tuple'
IN_XQUERY = {
    "windows": f"<o>{{ for $w in {ITEMS}|@time diff 20| where tags($w) = 'happy'"
    " return <a>{ avg($w/measure) }</a> }</o> with tags",
    "contents": f"<o>{{ for $w in {ITEMS}|@time diff 20| return <a>{{ $w/pid }}</a> }}"
    "</o> with tags",
    "pairs": f"<o>{{ for $p in {ITEMS} for $m in {OTHERS}"
    " where tags($p) = tags($m) return <a>{ $m/object_id }</a> }</o> with tags",
}

ALL = {**QUERIES, **ATTACHED, **IN_XQUERY}
KINDS = {
    "selections": ("tags", "tagged", "alike", "selected", "once", "always"),
    "joins": ("joined", "by tags", "by likeness", "pairs"),
    "groups": ("averages", "of all", "groups", "shares"),
    "windows": ("windows", "contents", "always"),
}
"""All of them, a few at a time: the plan of a step with very many of them takes long."""


def opened(
    folder: Path, spark: SparkSession, texts: Mapping[str, str] = MappingProxyType(ALL)
) -> Mill:
    mill = millstream.open(folder / "space", spark=spark)
    for name, (shape, elements) in SOURCES.items():
        if name in mill.streams:
            continue
        lines = write_json_lines(elements, WireOptions(shape))
        (folder / f"{name}.jsonl").write_text("\n".join(lines))
        mill.create_stream(
            name, folder / f"{name}.jsonl", finite=True, max_items_per_batch=20, lateness=5
        )
    for name, text in texts.items():
        if name not in mill.subscriptions:
            mill.subscribe(text, name=name)
    return mill


def outcome(mill: Mill) -> dict[str, list[str]]:
    return {
        name: list(each.wire() if each.tagged else each.results())
        for name, each in mill.subscriptions.items()
    }


def run(folder: Path, spark: SparkSession, texts: Mapping[str, str]) -> dict[str, list[str]]:
    with opened(folder, spark, texts) as mill:
        for name in SOURCES:
            mill.runner(name).drain_here()
            mill.runner(name).end()
        return outcome(mill)


@pytest.fixture(scope="module")
def answers(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return run(tmp_path_factory.mktemp("answers"), spark, QUERIES)


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def texts(kind: str) -> dict[str, str]:
    return {name: ALL[name] for name in KINDS[kind]}


@pytest.fixture(scope="module")
def unbroken(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, texts: dict[str, str]
) -> dict[str, list[str]]:
    return run(tmp_path_factory.mktemp("unbroken"), spark, texts)


def tuples(lines: list[str]) -> Iterator[tuple[Any, ...]]:
    for line in lines:
        found = json.loads(line).get("tuple")
        if found is not None:
            yield found["id"], *(_plain(each) for each in found["attributes"].values())


def _plain(value: Any) -> Any:
    try:
        return round(float(value), 6)
    except (TypeError, ValueError):
        return value


def expected_tuples(relation: Relation) -> Iterator[tuple[Any, ...]]:
    shapes = {name: stream.elements for name, stream in STREAMS.items()}
    for row in relation:
        ids = [
            next(e.element.id for e in shapes[stream] if e.position == position)  # type: ignore[union-attr]
            for stream, position in row.origin
        ]
        yield "+".join(ids), *(_plain(each) for each in row.values if each is not None)


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["tagged", "alike", "selected", "joined", "averages", "of all", "groups", "shares"]
)
def test_results_equal_the_reference(name: str, answers: dict[str, list[str]]) -> None:
    relation = answer(parse(QUERIES[name]), STREAMS)
    assert isinstance(relation, Relation)
    assert sorted(tuples(answers[name])) == sorted(expected_tuples(relation))


@pytest.mark.long
def test_tags_equal_the_reference(answers: dict[str, list[str]]) -> None:
    found = answer(parse(QUERIES["tags"]), STREAMS)
    wanted = [each.tag.content for each in found if isinstance(each, PlacedTag)]
    assert [json.loads(line)["tag"]["content"] for line in answers["tags"]] == wanted


@pytest.mark.long
@pytest.mark.parametrize("name", ["by tags", "by likeness"])
def test_pairs_equal_the_reference(name: str, answers: dict[str, list[str]]) -> None:
    pairs = answer(parse(QUERIES[name]), STREAMS)
    sent = sum(line.startswith('{"stix"') for line in answers[name])
    assert pairs and 0 < sent <= len(pairs)
    assert len(list(tuples(answers[name]))) >= sent * 2


def test_attached_tags_are_on_what_they_are_attached_to(
    spark: SparkSession, tmp_path: Path
) -> None:
    texts = {
        **ATTACHED,
        "high": "SELECT TAGGED OBJECTS FROM Patients WHERE TAG = 'High'",
        "first": "SELECT TAGGED OBJECTS FROM Patients WHERE TAG = 'First'",
    }
    with opened(tmp_path, spark, texts) as mill:
        mill.runner("Patients").drain_here()
        found = {name: [each[0] for each in tuples(lines)] for name, lines in outcome(mill).items()}
    wanted = [each.id for each in SOURCES["Patients"][1] if _measure(each) > 70]  # type: ignore[union-attr]
    assert (found["high"], found["first"]) == (wanted, wanted[:1])


def _measure(element: Element) -> int:
    texts = getattr(element, "texts", None)
    return int(texts[1]) if texts else -1


class Broken(Exception):
    """What the test raises where a crash would be."""


def test_all_kinds_are_broken() -> None:
    assert {each for names in KINDS.values() for each in names} == ALL.keys()


@pytest.mark.long
@pytest.mark.parametrize("point", ["begun", "evaluated", "committed"])
def test_broken_steps_run_again(
    point: str,
    spark: SparkSession,
    texts: dict[str, str],
    unbroken: dict[str, list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def breaks(reached: str) -> None:
        if reached == point:
            raise Broken

    def broken_and_again(step: Callable[[Mill], None]) -> None:
        with opened(tmp_path, spark, texts) as mill, monkeypatch.context() as patched:
            patched.setattr(crash, "reach", breaks)
            with pytest.raises(Broken):
                step(mill)
        with opened(tmp_path, spark, texts) as mill:
            for name in SOURCES:
                mill.runner(name).shared_batch.resume()
            step(mill)

    for name in SOURCES:
        with opened(tmp_path, spark, texts) as mill:
            count = len(list(parsed(mill, tmp_path, name)))
        for number in range(count):
            broken_and_again(partial(run_batch, folder=tmp_path, name=name, number=number))
        broken_and_again(lambda mill, name=name: mill.runner(name).end())  # type: ignore[misc]
    with opened(tmp_path, spark, texts) as mill:
        assert outcome(mill) == unbroken


def run_batch(mill: Mill, *, folder: Path, name: str, number: int) -> None:
    chunks = next(islice(parsed(mill, folder, name), number, None))
    mill.runner(name).shared_batch.run_batch(chunks, number)


def parsed(mill: Mill, folder: Path, name: str) -> Iterator[ReadChunks]:
    """The batches of a source, read as if for the first time."""
    spec = mill.runner(name).intake_spec(f"streams/{name}")
    with tempfile.TemporaryDirectory(dir=folder) as fresh:
        yield from batches(replace(spec, journal_directory=fresh))


def test_queries_with_tags_in_xquery(spark: SparkSession, tmp_path: Path) -> None:
    texts = {
        "items": f"<o>{{ for $p in {ITEMS} where tags($p) = 'happy' return $p/pid }}</o> with tags",
        "windows": f"<o>{{ for $w in {ITEMS}|@time diff 20| return <a>{{ avg($w/measure) }}</a> }}"
        "</o> with tags",
    }
    with opened(tmp_path, spark, texts) as mill:
        found = mill.subscriptions
        mill.runner("Patients").drain_here()
        mill.runner("Patients").end()
        results = {name: list(each.results()) for name, each in found.items()}
    happy = answer(parse("SELECT TAGGED OBJECTS FROM Patients WHERE TAG = 'happy'"), STREAMS)
    assert isinstance(happy, Relation)
    marked = [each for each in results["items"] if each.startswith("<pid>")]
    assert len(marked) == len(happy.rows)
    assert any(">happy</tag>" in each for each in results["items"])
    tags = [each for each in results["windows"] if each.startswith("<tag")]
    everything = answer(parse("SELECT TAGS FROM Patients"), STREAMS)
    assert len(tags) == len(everything)  # type: ignore[arg-type]
