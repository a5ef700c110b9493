"""Whatever lies between good files, every good item arrives, in order, once."""

from __future__ import annotations

import gzip
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.runtime.intake.driving import Intake, document, number

FRAGMENTS = st.sampled_from(
    [
        b"<number>",
        b"</number>",
        b"<number ",
        b"<num",
        b"</numbers>",
        b"<numbers>",
        b"<!--",
        b"-->",
        b"<![CDATA[",
        b"]]>",
        b"<?xml ",
        b"?>",
        b"<!DOCTYPE numbers [",
        b'"',
        b"'",
        b">",
        b"<",
        b"text",
        b"\n",
        b"\x00\x01",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\x1f\x8b",
        b"{",
        b"[",
        b"encoding='utf-16'",
    ]
)
JUNK = st.lists(FRAGMENTS | st.binary(max_size=5), max_size=12).map(b"".join)
LIMITS = st.fixed_dictionaries(
    {
        "chunk_bytes": st.sampled_from([1, 100, 1 << 20]),
        "max_bytes_per_batch": st.sampled_from([1, 300, 1 << 20]),
        "max_item_bytes": st.sampled_from([60, 1 << 20]),
    }
)
SUFFIXES = st.sampled_from([".xml", ".jsonl", ".csv", ".parquet", ".xml.gz", ".json"])


def good_file(intake: Intake, index: int, kind: str) -> None:
    """Write a good file with one item."""
    name = f"{index:03d}-good{kind}"
    if kind == ".jsonl":
        intake.put(name, json.dumps({"n": index, "note": "good"}) + "\n")
    elif kind == ".csv":
        intake.put(name, f"n,note\n{index},good\n")
    elif kind == ".xml.gz":
        intake.zip(name, document(number(index, "good")))
    else:
        intake.put(name, document(number(index, "good")))


def check(data: st.DataObject, junks: list[bytes], limits: dict[str, int]) -> None:
    """Mix good files with junk, restart now and then."""
    with tempfile.TemporaryDirectory() as directory:
        intake = Intake(Path(directory), limits)
        for index, junk in enumerate(junks):
            packed = data.draw(st.booleans())
            content = gzip.compress(junk)[: data.draw(st.integers(0, 60))] if packed else junk
            intake.put(f"{index:03d}-bad{data.draw(SUFFIXES)}", content)
            if data.draw(st.booleans()):
                intake.step()
            good_file(
                intake, index, data.draw(st.sampled_from([".xml", ".jsonl", ".csv", ".xml.gz"]))
            )
            if data.draw(st.booleans()):
                intake.step()
            if data.draw(st.integers(0, 3)) == 0:
                intake.restart()
        intake.put("ended", "")
        intake.drain()
        positions = [position for position, _ in intake.items()]
        assert positions == sorted(set(positions))
        table = intake.table()
        found = [
            n
            for n, item in zip(table["=n"].to_pylist(), table.to_pylist(), strict=True)
            if item["item"]["note"] == "good"
        ]
        assert found == list(range(len(junks)))


@settings(max_examples=40)
@given(data=st.data(), junks=st.lists(JUNK, min_size=1, max_size=4), limits=LIMITS)
def test_good_items_arrive(data: st.DataObject, junks: list[bytes], limits: dict[str, int]) -> None:
    check(data, junks, limits)


@pytest.mark.long
@settings(max_examples=1500)
@given(data=st.data(), junks=st.lists(JUNK, min_size=1, max_size=4), limits=LIMITS)
def test_good_items_arrive_always(
    data: st.DataObject, junks: list[bytes], limits: dict[str, int]
) -> None:
    check(data, junks, limits)
