from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from millstream.runtime.records import Segment
from millstream.runtime.segments import (
    FAN_IN,
    LARGEST,
    describe_file,
    expired,
    merge,
    mergeable,
    parse_retention,
    read_segment,
)
from millstream.runtime.storage import LocalStorage


def written(storage: LocalStorage, step: int) -> Segment:
    name = f"{step}.parquet"
    pq.write_table(pa.table({"channel": [step % 3], "value": [f"v{step}"]}), storage.address(name))
    return describe_file(storage, name, step)


def segment(
    name: str, *, level: int = 0, size: int = 10, step: int = 1, time: float = 0
) -> Segment:
    return Segment(name, 1, size, step, step, level, time)


def test_merged_segment_holds_all_rows_with_their_steps(tmp_path: Path) -> None:
    storage = LocalStorage(str(tmp_path))
    merged = merge(storage, [written(storage, step) for step in range(1, 5)], "")
    assert read_segment(storage, merged)["step"].to_pylist() == [1, 2, 3, 4]


@pytest.mark.parametrize("dictionary", [[], ["value"]])
def test_columns_have_dictionaries_as_before(tmp_path: Path, dictionary: list[str]) -> None:
    storage = LocalStorage(str(tmp_path))
    segments = [written(storage, step) for step in range(1, 5)]
    for each in segments:
        place = storage.address(each.name)
        pq.write_table(pq.read_table(place), place, use_dictionary=dictionary)
    merged = merge(storage, segments, "")
    group = pq.read_metadata(storage.address(merged.name)).row_group(0)
    columns = map(group.column, range(group.num_columns))
    assert [each.path_in_schema for each in columns if each.has_dictionary_page] == dictionary


def test_rows_of_some_channels_only(tmp_path: Path) -> None:
    storage = LocalStorage(str(tmp_path))
    merged = merge(storage, [written(storage, step) for step in range(1, 5)], "")
    assert read_segment(storage, merged, [1])["value"].to_pylist() == ["v1", "v4"]


def test_a_full_level_is_mergeable() -> None:
    segments = [segment(str(number)) for number in range(FAN_IN)]
    assert mergeable(segments) == tuple(segments)


def test_large_segments_stay() -> None:
    assert mergeable([segment(str(each), size=1 << 30) for each in range(FAN_IN)]) == ()


def test_small_segments_behind_large_ones_are_mergeable() -> None:
    large = [segment(f"large {each}", size=LARGEST) for each in range(FAN_IN)]
    small = [segment(f"small {each}") for each in range(FAN_IN)]
    assert mergeable([*large, *small[:-1]]) == ()
    assert mergeable([*large, *small]) == tuple(small)


def test_only_what_follows_one_another_is_mergeable() -> None:
    few = [segment(f"few {each}") for each in range(FAN_IN - 1)]
    merged = segment("merged", level=1)
    assert mergeable([*few, merged, segment("one more")]) == ()


def test_a_column_that_not_all_have_is_null_elsewhere(tmp_path: Path) -> None:
    storage = LocalStorage(str(tmp_path))
    one, other = written(storage, 1), written(storage, 2)
    wider = pq.read_table(storage.address(other.name)).append_column("more", pa.array([7]))
    pq.write_table(wider, storage.address(other.name))
    for segments in ([one, other], [other, one]):
        found = read_segment(storage, merge(storage, segments, "")).sort_by("step")
        assert found.column("more").to_pylist() == [None, 7]
        assert found.column("value").to_pylist() == ["v1", "v2"]


@pytest.mark.parametrize(
    ("text", "amount"), [("7d", (604800, "seconds")), ("10GB", (10**10, "bytes"))]
)
def test_retention(text: str, amount: tuple[int, str]) -> None:
    assert parse_retention(text) == amount


def test_old_segments_expire() -> None:
    old, new = segment("old", time=0), segment("new", time=90)
    assert expired([old, new], "60s", now=100, current=9) == (old,)


def test_oldest_segments_go_when_there_is_too_much() -> None:
    segments = [segment(str(each), size=400) for each in range(4)]
    assert expired(segments, "1kB", now=0, current=9) == tuple(segments[:2])


def test_the_current_step_never_expires() -> None:
    assert expired([segment("a", step=9)], "none", now=0, current=9) == ()
