"""Reading tags: opinions, clouds, distributions, live tags, and who tagged what."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from millstream.errors import QueryError
from millstream.generators.tagged.auctions import AUCTION, OPINIONS, offer_with_opinions
from millstream.generators.tagged.patients import PATIENTS
from millstream.model.tags import Element, Mode, StreamShape, StreamTuple, TickTag, tick_tag
from millstream.model.tags.duration import SECOND
from millstream.runtime.tags.known_tags import CloudWord, Deed, Opinion, Spell
from millstream.runtime.tags.tag_book import TagBook
from tests.runtime.tags.stepping import TaggedSteps


def offer(id: str, time: int) -> StreamTuple:
    return StreamTuple(id, time * SECOND, ("p1", "80", "0 0", str(time)))


def book(
    folder: Path, elements: Sequence[Element], items: int = 1000, shape: StreamShape = PATIENTS
) -> TagBook:
    steps = TaggedSteps(folder, elements, shape)
    for parts in steps.chunks(items):
        steps.run(parts)
    return TagBook(steps.storage, steps.record, steps.journal, threading.RLock())


def moods() -> list[Element]:
    def mood(content: str, tagger: str, time: int, **rest: object) -> TickTag:
        return tick_tag(content, tagger=tagger, timestamp=time * SECOND, **rest)  # type: ignore[arg-type]

    return [
        mood("happy", "ann", 1),
        offer("a1", 1),
        mood("happy", "bob", 30, lifespan=100 * SECOND),
        offer("a2", 30),
        offer("a3", 31),
        mood("sad", "ann", 70, lifespan=10 * SECOND),
        offer("a4", 75),
        mood("", "bob", 76, mode=Mode.OVERWRITE),
        mood("sorry", "ann", 77, lifespan=1000 * SECOND),
        offer("a5", 90),
    ]


def test_the_opinion_of_an_auction(tmp_path: Path) -> None:
    read = book(tmp_path, offer_with_opinions(), items=50, shape=AUCTION)
    assert read.opinion() == [Opinion(name, *counts, 0) for name, counts in OPINIONS.items()]


def test_the_opinion_of_one_tuple(tmp_path: Path) -> None:
    read = book(tmp_path, moods())
    assert read.opinion("a3") == [Opinion(None, 0, 0, 1)]
    with pytest.raises(QueryError, match="no tuple 'a9'"):
        read.opinion("a9")


def test_a_tag_on_many_tuples_is_one_tag(tmp_path: Path) -> None:
    assert book(tmp_path, moods()).opinion() == [Opinion(None, 0, 0, 4)]


def test_a_cloud_has_the_most_frequent_first(tmp_path: Path) -> None:
    words = book(tmp_path, moods()).cloud()
    assert words == [CloudWord("happy", 2, 9), CloudWord("sad", 1, 6), CloudWord("sorry", 1, 6)]
    assert book(tmp_path, moods()).cloud(1) == words[:1]


def test_a_distribution_over_time(tmp_path: Path) -> None:
    found = book(tmp_path, moods()).distribution("1 min")
    assert found == [Spell("0", "happy", 2), Spell("60", "sad", 1), Spell("60", "sorry", 1)]
    with pytest.raises(QueryError, match="above 0"):
        book(tmp_path, moods()).distribution("0 s")


def test_live_tags_are_those_that_the_next_tuple_can_have(tmp_path: Path) -> None:
    read = book(tmp_path, moods(), items=3)
    assert [tag.content for tag in read.live()] == ["sorry"]
    read.attach("by hand", tagger="eve")
    waiting = read.live()[-1]
    assert (waiting.content, waiting.number, waiting.time) == ("by hand", None, None)


def test_who_tagged_what(tmp_path: Path) -> None:
    assert book(tmp_path, moods(), items=2).taggers() == [
        Deed("ann", None, "happy", 1, 1),
        Deed("ann", None, "sad", 1, 1),
        Deed("ann", None, "sorry", 1, 1),
        Deed("bob", None, "happy", 1, 3),
    ]


def test_tuples_with_the_same_content_twice_count_once(tmp_path: Path) -> None:
    spells = [
        tick_tag("happy", tagger="ann", timestamp=time * SECOND, lifespan=100 * SECOND)
        for time in (1, 2)
    ]
    found = book(tmp_path, [*spells, offer("a1", 3), offer("a2", 4)]).taggers()
    assert found == [Deed("ann", None, "happy", 2, 2)]


def test_all_tags_that_came(tmp_path: Path) -> None:
    found = book(tmp_path, moods()).all()
    assert [tag.content for tag in found] == ["happy", "happy", "sad", "", "sorry"]
    assert (found[1].lifespan, found[1].mode, found[1].time) == ("100 s", "Combine", "30")


def test_a_stream_without_tags_has_nothing_to_tell(tmp_path: Path) -> None:
    read = book(tmp_path, [offer("a1", 1)])
    assert (read.opinion(), read.cloud(), read.distribution(), read.taggers()) == ([], [], [], [])
    assert (read.live(), read.all()) == ([], [])
