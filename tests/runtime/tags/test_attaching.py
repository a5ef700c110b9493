"""Tags attached from outside: what is refused, and what is set aside."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

import millstream
from millstream.errors import ItemError, MillstreamError, QueryError, SchemaError
from millstream.generators.tagged.patients import PATIENTS, patient_measurements
from millstream.model.tags import Element, Mode, StreamTuple, tick_tag
from millstream.model.tags.duration import SECOND
from millstream.model.tags.wire import WireOptions, write_json_lines
from millstream.runtime.tags.attached import AttachedTags
from millstream.runtime.tags.tag_book import TagBook
from tests.runtime.tags.stepping import TaggedSteps

ANN = {"tagger": "ann"}
REFUSED: dict[str, tuple[dict[str, str], str]] = {
    "an attribute that there is not": (ANN | {"applicability": "*,*,{hight}"}, "'hight'"),
    "another stream": (ANN | {"applicability": "Cars,*,{}"}, "for streams 'Cars'"),
    "a pattern that is none": (ANN | {"applicability": "*,[p,{}"}, "not a pattern"),
    "a pattern that would look back": (ANN | {"applicability": r"*,(p)\1,{}"}, "not a pattern"),
    "a lifespan below 0": (ANN | {"lifespan": "-1 min"}, "not negative"),
    "no lifespan at all": (ANN | {"lifespan": "0 s"}, "cannot live"),
    "a mode that there is not": (ANN | {"mode": "Erase"}, "not a mode"),
    "a sign that there is not": (ANN | {"sign": "?"}, "not a sign"),
    "a type that there is not": (ANN | {"type": "nice"}, "not a type"),
    "a time that is none": (ANN | {"time": "soon"}, "time"),
    "nobody": ({}, "no tagger"),
    "somebody without a name": ({"tagger": " "}, "has a tagger"),
}


def plain(count: int = 30) -> list[Element]:
    return [each for each in patient_measurements(count) if isinstance(each, StreamTuple)]


@pytest.fixture
def mill(tmp_path: Path) -> Any:
    lines = write_json_lines(plain(), WireOptions(PATIENTS))
    (tmp_path / "p.jsonl").write_text("\n".join(lines))
    (tmp_path / "r.csv").write_text("t,v\n1,a\n2,b\n")
    with millstream.open(tmp_path / "space") as opened:
        opened.create_stream("Patients", tmp_path / "p.jsonl")
        opened.create_stream("Ordered", tmp_path / "r.csv", order_by="t")
        opened.create_stream("Timeless", tmp_path / "r.csv")
        yield opened


@pytest.mark.parametrize(("fields", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_a_tag_that_is_none_is_refused(mill: Any, fields: dict[str, str], reason: str) -> None:
    with pytest.raises(ItemError, match=reason.replace("'", ".")):
        mill.attach("Patients", "Nice", **fields)
    assert mill.tags("Patients").live() == []


def test_a_tag_says_something_unless_it_retracts(mill: Any) -> None:
    with pytest.raises(ItemError, match="has a content"):
        mill.attach("Patients", " ", tagger="ann")
    mill.attach("Patients", "", tagger="ann", mode="Overwrite")


def test_a_tag_is_told_as_it_waits(mill: Any) -> None:
    told = mill.attach("Patients", "Nice", tagger="ann", applicability="*,*,{measure}", sign="+")
    assert (told.number, told.time) == (None, None)
    assert (told.applicability, told.sign, told.lifespan) == ("*,*,{measure}", "+", "I")
    timed = mill.attach("Patients", "Nicer", tagger="ann", lifespan="1 h", time="2.5")
    assert timed.time == "2.5"
    assert mill.tags("Patients").live() == [told, timed]


def test_a_stream_that_there_is_not(mill: Any) -> None:
    with pytest.raises(QueryError, match="no stream 'Patient'") as raised:
        mill.attach("Patient", "Nice", tagger="ann")
    assert "Patients" in str(raised.value.help)


def test_tuples_without_ids_have_no_names(mill: Any) -> None:
    mill.attach("Ordered", "Nice", tagger="ann", applicability="*,*,{v}")
    with pytest.raises(ItemError, match="have no ids"):
        mill.attach("Ordered", "Nice", tagger="ann", applicability="*,a,{}")


def test_a_stream_without_an_order_has_no_time_for_tags(mill: Any) -> None:
    with pytest.raises(SchemaError, match="has no order"):
        mill.attach("Timeless", "Nice", tagger="ann")


def test_a_stream_that_has_ended(tmp_path: Path) -> None:
    steps, book = stepped(tmp_path, plain())
    for parts in steps.chunks(50):
        steps.run(parts)
    steps.journal.state.ended = True
    with pytest.raises(QueryError, match="has ended"):
        book.attach("Nice", tagger="ann")


def stepped(
    folder: Path, elements: list[Element], lateness: int = 0
) -> tuple[TaggedSteps, TagBook]:
    steps = TaggedSteps(folder, elements, PATIENTS, lateness)
    return steps, TagBook(steps.storage, steps.record, steps.journal, threading.RLock())


def test_a_book_that_is_kept_sees_later_steps(tmp_path: Path) -> None:
    steps, book = stepped(tmp_path, plain())
    begun = []
    for number, parts in enumerate(steps.chunks(10)):
        book.attach(f"tag {number}", tagger="ann", lifespan="1 h")
        begun.append(f"tag {number}")
        assert {tag.content for tag in book.live()} == set(begun)
        steps.run(parts)
        assert [(tag.content, tag.number is None) for tag in book.live()] == [
            (each, False) for each in begun
        ]
    assert len(begun) > 2
    last = steps.marks()[max(steps.marks())]
    assert {told[3] for told in last} == set(begun)


def test_what_is_live_while_a_step_takes_what_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps, book = stepped(tmp_path, plain())
    parts = steps.chunks(10)
    steps.run(next(parts))
    book.attach("soon", tagger="ann", lifespan="1 h")
    waiting = AttachedTags.waiting

    def waiting_and_step(self: AttachedTags, taken: int) -> list[int]:
        found = waiting(self, taken)
        monkeypatch.setattr(AttachedTags, "waiting", waiting)
        steps.run(next(parts))
        return found

    monkeypatch.setattr(AttachedTags, "waiting", waiting_and_step)
    assert [(tag.content, tag.number is None) for tag in book.live()] == [("soon", False)]


def test_ten_thousand_tags_on_one_tuple(tmp_path: Path) -> None:
    tags = [tick_tag(f"t{n}", tagger=f"u{n % 7}", timestamp=0) for n in range(10_000)]
    steps, _ = stepped(tmp_path, [*tags, *plain(3)])
    for parts in steps.chunks(4_000):
        steps.run(parts)
    (marks,) = steps.marks().values()
    assert len({told[3] for told in marks}) == 10_000


def test_a_lifespan_that_began_before_the_data(tmp_path: Path) -> None:
    first = 1_000_000 * SECOND
    later = [StreamTuple(f"p{n}", first + n * SECOND, ("p", "1", "0 0", "1")) for n in range(9)]
    tag = tick_tag("x", tagger="ann", timestamp=0, lifespan=first + 3 * SECOND)
    steps, _ = stepped(tmp_path, [tag, *later])
    for parts in steps.chunks(4):
        steps.run(parts)
    assert len(steps.marks()) == 3


def late_elements() -> list[Element]:
    """Ann overwrites at 20; what she says for 10 afterwards comes too late to be sure of it."""

    def said(content: str, tagger: str, time: int, mode: Mode = Mode.COMBINE) -> Element:
        return tick_tag(
            content, tagger=tagger, timestamp=time * SECOND, lifespan=100 * SECOND, mode=mode
        )

    def at(time: int) -> Element:
        return StreamTuple(f"p{time}", time * SECOND, ("p", "1", "0 0", "1"))

    return [
        at(10),
        said("new", "ann", 20, Mode.OVERWRITE),
        at(20),
        at(30),
        said("late", "ann", 10),
        said("late as well", "bob", 10),
        at(31),
    ]


@pytest.mark.parametrize("items", [1, 2, 100])
def test_a_tag_that_may_have_been_overwritten_is_set_aside(items: int, tmp_path: Path) -> None:
    steps, _ = stepped(tmp_path, late_elements())
    taggings = [steps.run(parts) for parts in steps.chunks(items)]
    assert sum(each.late for each in taggings if each is not None) == 1
    last = steps.marks()[max(steps.marks())]
    assert {told[3] for told in last} == {"new", "late as well"}


@pytest.mark.parametrize("items", [1, 2, 100])
def test_lateness_lets_it_in(items: int, tmp_path: Path) -> None:
    steps, _ = stepped(tmp_path, late_elements(), lateness=60)
    taggings = [steps.run(parts) for parts in steps.chunks(items)]
    assert sum(each.late for each in taggings if each is not None) == 0
    last = steps.marks()[max(steps.marks())]
    # It was let in, and ended by what was overwritten.
    assert {told[3] for told in last} == {"new", "late as well"}


def test_attaching_a_late_tag_is_refused(tmp_path: Path) -> None:
    steps, book = stepped(tmp_path, late_elements())
    for parts in steps.chunks(100):
        steps.run(parts)
    book.attach("in time", tagger="ann", time="31")
    with pytest.raises(MillstreamError, match="'ann' has overwritten tags at 20") as raised:
        book.attach("late", tagger="ann", time="10")
    assert raised.value.code == "late-tag"
