"""A source into which tests push items."""

from __future__ import annotations

import os
from pathlib import Path

from millstream.testing.memory_source import MemorySource


def test_each_push_is_one_whole_file(tmp_path: Path) -> None:
    source = MemorySource(tmp_path / "in")
    source.push(["<a/>", "<b/>"])
    source.push([])
    source.push(["<c/>"])
    texts = [path.read_text() for path in sorted(Path(source).iterdir())]
    assert texts == ["<a/>\n<b/>\n", "<c/>\n"]


def test_a_source_goes_on_where_another_stopped(tmp_path: Path) -> None:
    MemorySource(tmp_path, ".jsonl").push(["1"])
    MemorySource(tmp_path, ".jsonl").push(["2"])
    assert [path.name for path in sorted(tmp_path.iterdir())] == [
        "000000000.jsonl",
        "000000001.jsonl",
    ]


def test_the_end_is_marked(tmp_path: Path) -> None:
    source = MemorySource(tmp_path)
    source.end()
    assert os.fspath(source) == str(source) == str(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["ended"]
