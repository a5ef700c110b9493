from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from millstream.errors import UnsupportedError
from millstream.runtime.results import Result
from millstream.runtime.sinks import Delivery, Sink, deliver
from millstream.runtime.storage import LocalStorage

LOG = [Result(1, (1,), "<a>1</a>"), Result(1, (2,), "<a>2</a>"), Result(3, (3,), "<a>3</a>")]


def delivery(step: int, *, ended: bool = False) -> Delivery:
    def results(after: int) -> Iterable[Result]:
        return [each for each in LOG if after < each.step <= step]

    return Delivery("<o>", "</o>", step, ended, results)


def delivered(tmp_path: Path, sink: Sink, *deliveries: Delivery) -> None:
    for each in deliveries:
        deliver(LocalStorage(str(tmp_path / "space")), "s", sink, each)


def test_xml_file_is_a_whole_document_when_the_stream_has_ended(tmp_path: Path) -> None:
    file = tmp_path / "out.xml"
    delivered(tmp_path, Sink("xml", str(file)), delivery(2), delivery(3), delivery(3, ended=True))
    assert file.read_text() == "<o>\n<a>1</a>\n<a>2</a>\n<a>3</a>\n</o>\n"


def test_json_lines_hold_step_and_item(tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    delivered(tmp_path, Sink("json", str(file)), delivery(3))
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert lines == [{"step": each.step, "item": each.value} for each in LOG]


def test_parquet_files_hold_each_result_once(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    delivered(tmp_path, Sink("parquet", str(folder)), delivery(2), delivery(3), delivery(3))
    assert pq.read_table(folder)["value"].to_pylist() == [each.value for each in LOG]


def test_console_prints_each_result_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    delivered(tmp_path, Sink("console"), delivery(2), delivery(2), delivery(3))
    assert capsys.readouterr().out == "<a>1</a>\n<a>2</a>\n<a>3</a>\n"


def test_files_with_names_that_are_alike_have_all_results(tmp_path: Path) -> None:
    files = [tmp_path / "out-1.xml", tmp_path / "out_1.xml"]
    for file in files:
        delivered(tmp_path, Sink("xml", str(file)), delivery(3))
    assert files[0].read_text() == files[1].read_text() == "<o>\n<a>1</a>\n<a>2</a>\n<a>3</a>\n"


def test_delivery_that_was_cut_off_is_made_again(tmp_path: Path) -> None:
    file = tmp_path / "out.xml"
    delivered(tmp_path, Sink("xml", str(file)), delivery(2))
    with file.open("a") as torn:
        torn.write("<a>3</")
    delivered(tmp_path, Sink("xml", str(file)), delivery(3))
    assert file.read_text() == "<o>\n<a>1</a>\n<a>2</a>\n<a>3</a>\n"


def test_unknown_format_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="no sink writes 'carrier pigeon'"):
        Sink("carrier pigeon", "out")
