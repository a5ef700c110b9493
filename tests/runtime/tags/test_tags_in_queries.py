"""What queries ask of tags beside TAG-QL's own: tags() and with tags everywhere, words of users."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

import millstream
from millstream.languages.tagql import parse
from millstream.model.tags import PlacedTag, TagType, read_thesaurus, tag_vocabulary
from millstream.model.tags.wire import WireOptions, write_json_lines
from millstream.runtime.session import SparkSession
from millstream.testing.tags import Relation, TaggedStream, answer
from tests.runtime.tags.test_tag_queries import SOURCES, STREAMS

pytestmark = [pytest.mark.spark, pytest.mark.timeout(900)]

WORDS = "bright: happy, content\ndark: sad, angry\n"
PATIENTS = 'stream("Patients")/Patients/tuple'
OBJECTS = 'stream("MovingObjects")/MovingObjects/tuple'
WINDOW = f"for $w in {PATIENTS}|@time diff 20|"
TEXTS = {
    "join": f"<o>{{ for $p in {PATIENTS} for $m in {OBJECTS}"
    " where tags($m) = tags($p)"
    " return <pair>{ $p/@id }{ $m/object_id }</pair> }</o>",
    "windows": f"<o>{{ {WINDOW} where tags($w) = 'happy' return <n>{{ count($w) }}</n> }}</o>",
    "all windows": f"<o>{{ {WINDOW} return <n>{{ count($w) }}</n> }}</o>",
    "contents": f"<o>{{ {WINDOW} return <w>{{ $w/pid }}</w> }}</o> with tags",
    "fast": "ATTACH TAG 'Fast' CONTINUOUSLY TO MovingObjects WHERE speed > 0",
    "from tagger": "SELECT TAGGED OBJECTS FROM fast WHERE TAG = 'Fast'",
    "from stream": "SELECT TAGGED OBJECTS FROM MovingObjects WHERE TAG = 'Fast'",
    "bright": "SELECT TAGS FROM Patients WHERE TAG EQUIVALENT TO 'happy'",
    "long": "SELECT TAGGED OBJECTS FROM Patients WHERE LENGTHS(TAG, 'sad') >= 0.7",
    "lengths": "SELECT TAG, COUNT(*) FROM Patients [20 s] GROUP BY TAGS USING LENGTHS 0.7",
    "pairs": "SELECT A.pid FROM Patients A [5 s], Patients B [5 s]"
    " WHERE LENGTHS(TAG(A), TAG(B)) > 0.9 AND A.pid = B.pid",
    "typed": "SELECT TAGS FROM Patients WHERE TAG_TYPE = 'acronym'",
}


def lengths(one: str, other: str) -> float:
    """Contents are alike that are as long."""
    return min(len(one), len(other)) / max(len(one), len(other), 1)


FUNCTIONS = {"LENGTHS": lengths}
ALONE = {name: STREAMS[name] for name in ("Patients",)}


def lines_of(name: str) -> Iterator[str]:
    """The elements of a source as lines, without the types of tags."""
    shape, elements = SOURCES[name]
    for line in write_json_lines(elements, WireOptions(shape)):
        found = json.loads(line)
        found.get("tag", {}).pop("type", None)
        yield json.dumps(found)


@pytest.fixture(scope="module")
def found(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, list[str]]]:
    folder = tmp_path_factory.mktemp("queries")
    (folder / "words.txt").write_text(WORDS)
    words = tag_vocabulary(folder / "words.txt", FUNCTIONS, lambda content: TagType.ACRONYM)
    with millstream.open(folder / "space", spark=spark, vocabulary=words) as mill:
        for name in SOURCES:
            (folder / f"{name}.jsonl").write_text("\n".join(lines_of(name)))
            source = folder / f"{name}.jsonl"
            mill.create_stream(name, source, finite=True, max_items_per_batch=45, lateness=5)
        for name, text in TEXTS.items():
            mill.subscribe(text, name=name)
        for name in SOURCES:
            mill.runner(name).drain_here()
            mill.runner(name).end()
        yield {
            name: list(each.wire() if each.tagged else each.results())
            for name, each in mill.subscriptions.items()
        }


def tuple_ids(lines: list[str]) -> list[str]:
    return [json.loads(each)["tuple"]["id"] for each in lines if each.startswith('{"tuple"')]


def test_items_of_joins_know_their_tags(found: dict[str, list[str]]) -> None:
    pairs = answer(
        parse(
            "SELECT A.pid FROM Patients A [1000000 s], MovingObjects B [1000000 s]"
            " WHERE TAG(A) = TAG(B)"
        ),
        STREAMS,
    )
    assert isinstance(pairs, Relation)
    assert len(found["join"]) == len(pairs.rows) > 0


def test_windows_know_the_tags_of_their_items(found: dict[str, list[str]]) -> None:
    assert 0 < len(found["windows"]) < len(found["all windows"])
    relation = answer(parse("SELECT * FROM Patients WITH TAGS"), STREAMS)
    assert isinstance(relation, Relation)
    with_happy = {
        row.time // 20_000_000
        for row in relation
        if any(mark.tag.tag.content == "happy" for mark in row.marks)
    }
    assert len(found["windows"]) == len(with_happy)


def test_windows_of_items_have_their_tags(found: dict[str, list[str]]) -> None:
    everything = answer(parse("SELECT TAGS FROM Patients"), STREAMS)
    tags = [each for each in found["contents"] if each.startswith("<tag")]
    items = [each for each in found["contents"] if each.startswith("<w>")]
    assert len(items) == len(found["all windows"])
    assert len(tags) == len(everything)  # type: ignore[arg-type]


def test_a_tagger_is_a_stream(found: dict[str, list[str]]) -> None:
    assert found["from tagger"] == found["from stream"] != []


def test_a_thesaurus_of_ones_own(found: dict[str, list[str]]) -> None:
    statement = parse(TEXTS["bright"])
    wanted = answer(statement, ALONE, read_thesaurus(WORDS))
    contents = [each.tag.content for each in wanted if isinstance(each, PlacedTag)]
    assert [json.loads(each)["tag"]["content"] for each in found["bright"]] == contents != []


@pytest.mark.parametrize("name", ["long", "lengths", "pairs"])
def test_functions_of_users(name: str, found: dict[str, list[str]]) -> None:
    statement = parse(TEXTS[name], FUNCTIONS)
    streams: dict[str, TaggedStream] = dict(STREAMS)
    relation = answer(statement, streams, functions=FUNCTIONS)
    assert isinstance(relation, Relation)
    ids = {
        placed.position: getattr(placed.element, "id", "")
        for placed in STREAMS["Patients"].elements
    }
    wanted = ["+".join(ids[position] for _, position in row.origin) for row in relation]
    assert sorted(tuple_ids(found[name])) == sorted(wanted) != []


def test_a_classifier_of_ones_own_tells_the_types_of_a_source(
    found: dict[str, list[str]],
) -> None:
    everything = answer(parse("SELECT TAGS FROM Patients"), STREAMS)
    assert len(found["typed"]) == len(everything)  # type: ignore[arg-type]
