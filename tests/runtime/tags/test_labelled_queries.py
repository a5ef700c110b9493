"""Labels of anomalies as tags, asked about in TAG-QL: answers equal what pandas computes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import millstream
from millstream.model.tags import Mode, TickTag, tick_tag
from millstream.model.tags.wire import WireOptions, write_json_lines
from millstream.runtime.session import SparkSession
from tests.runtime.tags.test_labelled_series import (
    HOUR,
    LABELLERS,
    SERIES,
    SHAPE,
    labels,
    microseconds,
    read,
    tagged,
)

pytestmark = [
    pytest.mark.shared_data,
    pytest.mark.spark,
    pytest.mark.long,
    pytest.mark.timeout(900),
]

ANSWERS = Mapping[str, list[tuple[dict[str, Any], set[tuple[str, str]]]]]
WINDOW = pd.Timedelta(hours=6)


@pytest.fixture(autouse=True)
def _series() -> None:
    if not SERIES.exists():
        pytest.skip(f"{SERIES} is missing: point MILLSTREAM_DATA to the folder that holds it")


def answers(
    spark: SparkSession,
    folder: Path,
    frame: pd.DataFrame,
    tags: list[TickTag],
    texts: Mapping[str, str],
) -> ANSWERS:
    """The tuples that queries give, each with the tags sent just before it."""
    lines = write_json_lines(tagged(frame, tags), WireOptions(SHAPE))
    (folder / "series.jsonl").write_text("\n".join(lines))
    with millstream.open(folder / "space", spark=spark) as mill:
        source = folder / "series.jsonl"
        mill.create_stream("Series", source, finite=True, max_items_per_batch=1500)
        for name, text in texts.items():
            mill.subscribe(text, name=name)
        mill.runner("Series").drain_here()
        mill.runner("Series").end()
        return {name: told(each.wire()) for name, each in mill.subscriptions.items()}


def told(lines: Any) -> list[tuple[dict[str, Any], set[tuple[str, str]]]]:
    found: list[tuple[dict[str, Any], set[tuple[str, str]]]] = []
    waiting: set[tuple[str, str]] = set()
    for line in lines:
        ((kind, body),) = json.loads(line).items()
        if kind == "tag":
            waiting.add((body["tagger"], body["content"]))
        elif kind == "tuple":
            found.append((body, waiting))
            waiting = set()
    return found


def rolling(frame: pd.DataFrame, values: pd.Series) -> Any:
    return values.set_axis(pd.to_datetime(frame["timestamp"])).rolling(WINDOW)


def close(found: list[Any], wanted: Any) -> bool:
    return [float(each) for each in found] == pytest.approx(list(wanted), rel=1e-9)


def test_windows_of_known_causes(spark: SparkSession, tmp_path: Path) -> None:
    name = "realKnownCause/ambient_temperature_system_failure"
    frame = read(name)
    windows = json.loads((SERIES / "labels" / "combined_windows.json").read_text())
    spans = [tuple(map(microseconds, each)) for each in windows[f"{name}.csv"]]
    tags = [
        tick_tag(f"anomaly {number}", tagger="nab", timestamp=begin, lifespan=end - begin + 1)
        for number, (begin, end) in enumerate(spans)
    ]
    texts = {
        "tagged": "SELECT TAGGED OBJECTS FROM Series WHERE TAGGER = 'nab'",
        "tags": "SELECT TAGS FROM Series",
        "groups": "SELECT TAG, COUNT(*), AVG(value) FROM Series [6 h] GROUP BY TAGS",
        "means": "SELECT AVG(value), COUNT(*) FROM Series [6 h] WITH TAGS",
    }
    found = answers(spark, tmp_path, frame, tags, texts)
    number = pd.Series(-1, frame.index)
    for which, (begin, end) in enumerate(spans):
        number[frame["time"].between(begin, end)] = which
    inside = frame[number >= 0]
    assert [each["id"] for each, _ in found["tagged"]] == [f"v{row}" for row in inside.index]
    values = frame["value"].astype(float)
    of_group = [
        rolling(frame[number == n], values[number == n]).agg(["count", "mean"])
        for n in range(len(spans))
    ]
    expected = pd.concat(of_group)
    got = [each["attributes"] for each, _ in found["groups"]]
    assert [each["TAG"] for each in got] == [f"anomaly {n}" for n in number[number >= 0]]
    assert close([each["COUNT"] for each in got], expected["count"])
    assert close([each["AVG_value"] for each in got], expected["mean"])
    means = rolling(frame, values).mean()
    assert close([each["attributes"]["AVG_value"] for each, _ in found["means"]], means)
    marked = [
        rolling(frame, (number == n).astype(int)).max().astype(bool) for n in range(len(spans))
    ]
    wanted = [
        {("nab", f"anomaly {n}") for n, each in enumerate(marked) if each.iloc[row]}
        for row in range(len(frame))
    ]
    assert [tags for _, tags in found["means"]] == wanted


@pytest.mark.parametrize(
    "name", ["realTraffic/TravelTime_387", "realAdExchange/exchange-3_cpm_results"]
)
def test_three_labellers(name: str, spark: SparkSession, tmp_path: Path) -> None:
    frame = read(name)
    given = {
        who: sorted(map(microseconds, labels(f"{name}.csv", f"{who}_labels_v1.0.json")))
        for who in LABELLERS
    }
    tags = [
        tick_tag(
            f"label {number}",
            tagger=who,
            timestamp=label - HOUR,
            lifespan=2 * HOUR + 1,
            mode=LABELLERS[who],
        )
        for who, times in given.items()
        for number, label in enumerate(times)
    ]
    texts = {who: f"SELECT TAGGED OBJECTS FROM Series WHERE TAGGER = '{who}'" for who in LABELLERS}
    texts["means"] = "SELECT AVG(value), MAX(value) FROM Series [6 h] WITH TAGS"
    found = answers(spark, tmp_path, frame, tags, texts)
    on: dict[tuple[str, str], pd.Series] = {}
    for who, times in given.items():
        for number, label in enumerate(times):
            near = frame["time"].between(label - HOUR, label + HOUR)
            if LABELLERS[who] is Mode.OVERWRITE and number + 1 < len(times):
                # The next label ends this one, and no other labeller's.
                near &= frame["time"] < times[number + 1] - HOUR
            on[who, f"label {number}"] = near
    for who in LABELLERS:
        any_of = pd.concat(
            [near for (by, _), near in on.items() if by == who] or [frame["time"] < 0], axis=1
        ).any(axis=1)
        assert [each["id"] for each, _ in found[who]] == [f"v{n}" for n in frame.index[any_of]]
    values = frame["value"].astype(float)
    got = [each["attributes"] for each, _ in found["means"]]
    assert close([each["AVG_value"] for each in got], rolling(frame, values).mean())
    assert close([each["MAX_value"] for each in got], rolling(frame, values).max())
    within = {key: rolling(frame, near.astype(int)).max().astype(bool) for key, near in on.items()}
    wanted = [{key for key, each in within.items() if each.iloc[row]} for row in range(len(frame))]
    assert [tags for _, tags in found["means"]] == wanted
