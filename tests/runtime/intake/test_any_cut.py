"""However a stream is cut into files, batches, chunks and runs, its items and positions are one."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.runtime.intake.driving import Intake, number

NOTES = st.sampled_from(
    [
        "",
        "plain",
        "a &lt; b &gt; c",
        "é ü 漢",
        "<!-- </number> <number> -->",
        "<![CDATA[</number><number><n>9</n>]]>",
        "<?skip </number> ?>",
        "! ? > ]]&gt;",
    ]
)
GAPS = st.sampled_from(["", "\n", "  \n\t", "<!-- </number> -->", "<?p <number> ?>\n"])
PROLOGS = st.sampled_from(
    [
        "",
        "<numbers>",
        '<?xml version="1.0"?>\n<numbers>\n',
        "<!DOCTYPE numbers [<!ELEMENT number (n,note)> <!-- <number> -->]>\n<numbers >",
    ]
)


@dataclass(frozen=True)
class Text:
    """A stream's text and where its items begin."""

    text: bytes
    positions: tuple[int, ...]


@st.composite
def texts(draw: st.DrawFn) -> Text:
    """A stream with some items, comments and sections that look like items."""
    text = draw(PROLOGS).encode()
    closed = bool(text)
    positions = []
    for index in range(draw(st.integers(0, 12))):
        text += draw(GAPS).encode()
        positions.append(len(text))
        text += number(index, draw(NOTES)).encode()
    text += draw(GAPS).encode() + (b"</numbers>\n" if closed else b"")
    return Text(text, tuple(positions))


def cuts(text: bytes) -> st.SearchStrategy[list[bytes]]:
    """The text in pieces, cut at any bytes."""
    places = st.lists(st.integers(0, len(text)), max_size=8)
    return places.map(lambda found: _pieces(text, sorted(found)))


def _pieces(text: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *places, len(text)]
    return [text[low:high] for low, high in pairwise(edges)]


LIMITS = st.fixed_dictionaries(
    {
        "chunk_bytes": st.sampled_from([1, 40, 100, 1000, 1 << 20]),
        "max_bytes_per_batch": st.sampled_from([1, 60, 300, 1 << 20]),
        "max_items_per_batch": st.sampled_from([None, 1, 3]),
    }
)


def check_cut(data: st.DataObject, text: Text, limits: dict[str, int | None]) -> None:
    """Cut a stream over files that arrive in any rhythm, some of them packed."""
    with tempfile.TemporaryDirectory() as directory:
        intake = Intake(Path(directory), limits)
        for index, piece in enumerate(data.draw(cuts(text.text))):
            name = f"part-{index}.xml"
            if data.draw(st.booleans()):
                intake.zip(name + ".gz", piece)
            else:
                intake.put(name, piece)
            run_a_while(data, intake)
        intake.put("ended", "")
        intake.drain()
        assert intake.items() == list(zip(text.positions, range(len(text.positions)), strict=True))
        assert intake.reasons() == [] or not text.positions


def check_growth(data: st.DataObject, text: Text, limits: dict[str, int | None]) -> None:
    """Write a stream to one file that grows."""
    with tempfile.TemporaryDirectory() as directory:
        intake = Intake(Path(directory), limits)
        for piece in data.draw(cuts(text.text)):
            intake.grow("all.xml", piece)
            run_a_while(data, intake)
        intake.put("ended", "")
        intake.drain()
        assert intake.items() == list(zip(text.positions, range(len(text.positions)), strict=True))
        assert intake.reasons() == [] or not text.positions


def check_replay(data: st.DataObject, text: Text, limits: dict[str, int | None]) -> None:
    """Read every batch again, in a new process with other limits."""
    with tempfile.TemporaryDirectory() as directory:
        intake = Intake(Path(directory), limits | {"finite": True})
        for index, piece in enumerate(data.draw(cuts(text.text))):
            intake.put(f"part-{index}.xml", piece)
        offsets = [intake.offset]
        while intake.step():
            offsets.append(intake.offset)
        first = intake.items()
        intake.spec = replace(intake.spec, chunk_bytes=7, max_bytes_per_batch=11, finite=False)
        intake.restart()
        again = []
        for start, end in pairwise(offsets):
            again += intake.read(start, end)
        assert intake.items(again) == first
        assert [_without_names(row) for row in again] == [_without_names(r) for r in intake.rows]


def check_oversized(data: st.DataObject, text: Text, limits: dict[str, int | None]) -> None:
    """Give up the items that are too large, and no others."""
    assume(b"<!DOCTYPE" not in text.text)  # which may be too large itself
    largest = data.draw(st.integers(38, 70))
    items = _items(text)
    with tempfile.TemporaryDirectory() as directory:
        intake = Intake(Path(directory), limits | {"max_item_bytes": largest})
        for piece in data.draw(cuts(text.text)):
            intake.grow("all.xml", piece)
            run_a_while(data, intake)
        intake.put("ended", "")
        intake.drain()
        small = [(at, n) for n, (at, item) in enumerate(items) if len(item) <= largest]
        assert intake.items() == small
        given_up = [entry["offset"] for entry in intake.quarantine()]
        assert [at for at, item in items if len(item) > largest] == given_up or not items


def _items(text: Text) -> list[tuple[int, bytes]]:
    """Where each item begins, and its text."""
    ends = [*text.positions[1:], len(text.text)][: len(text.positions)]
    parts = [text.text[at:end] for at, end in zip(text.positions, ends, strict=True)]
    close = b"</note></number>"
    return [
        (at, part[: part.rindex(close) + len(close)])
        for at, part in zip(text.positions, parts, strict=True)
    ]


def run_a_while(data: st.DataObject, intake: Intake) -> None:
    """Some batches, and now and then a new process."""
    for _ in range(data.draw(st.integers(0, 2))):
        intake.step()
    if data.draw(st.integers(0, 3)) == 0:
        intake.restart()


def _without_names(row: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in row.items() if name not in ("part", "quarantine")}


@settings(max_examples=40)
@given(
    data=st.data(),
    files=st.lists(st.lists(st.integers(0, 99), max_size=5), max_size=5),
    suffix=st.sampled_from(["jsonl", "csv"]),
    limits=LIMITS,
)
def test_lines_stay(
    data: st.DataObject, files: list[list[int]], suffix: str, limits: dict[str, int | None]
) -> None:
    expected: list[tuple[int, int]] = []
    position = 0
    with tempfile.TemporaryDirectory() as directory:
        intake = Intake(Path(directory), limits)
        for index, numbers in enumerate(files):
            text = 'note,"n"\n' if suffix == "csv" else ""
            for n in numbers:
                expected.append((position + len(text), n))
                note = data.draw(st.sampled_from(["x", '"a\n""b"']))
                text += f"{note},{n}\n" if suffix == "csv" else f'{{"n": {n}, "note": "\\n"}}\n'
            text = text.removesuffix("\n") if data.draw(st.booleans()) else text
            position += len(text)
            intake.put(f"{index}.{suffix}", text)
            run_a_while(data, intake)
        intake.put("ended", "")
        intake.drain()
        assert intake.reasons() == []
        assert intake.items() == expected


CHECKS = [check_cut, check_growth, check_replay, check_oversized]
Check = Callable[[st.DataObject, Text, dict[str, int | None]], None]


@pytest.mark.parametrize("check", CHECKS)
@settings(max_examples=40)
@given(data=st.data(), text=texts(), limits=LIMITS)
def test_items_and_positions_stay(
    check: Check, data: st.DataObject, text: Text, limits: dict[str, int | None]
) -> None:
    check(data, text, limits)


@pytest.mark.long
@pytest.mark.parametrize("check", CHECKS)
@settings(max_examples=1000)
@given(data=st.data(), text=texts(), limits=LIMITS)
def test_items_and_positions_stay_always(
    check: Check, data: st.DataObject, text: Text, limits: dict[str, int | None]
) -> None:
    check(data, text, limits)
