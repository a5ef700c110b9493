"""Labels of anomalies as tags: what people marked, against the same counted with pandas."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pandas as pd
import pytest

from millstream.model.schema import ValueType
from millstream.model.tags import (
    Element,
    Mode,
    StreamAttribute,
    StreamShape,
    StreamTuple,
    TickTag,
    TimeForm,
    tick_tag,
)
from tests.runtime.tags.stepping import TaggedSteps

SERIES = Path(os.environ.get("MILLSTREAM_DATA", "../shared/data")) / "nab"
SHAPE = StreamShape(
    "Series",
    (StreamAttribute("timestamp", ValueType.TIME), StreamAttribute("value", ValueType.DECIMAL)),
    TimeForm.INSTANT,
)
HOUR = 3_600_000_000
LABELLERS = {"AL": Mode.COMBINE, "CB": Mode.OVERWRITE, "SA": Mode.COMBINE}
KNOWN = ("ambient_temperature_system_failure", "nyc_taxi", "machine_temperature_system_failure")
LABELLED = (
    "realTraffic/TravelTime_387",
    "realTraffic/speed_t4013",
    "realAdExchange/exchange-3_cpm_results",
    "realAdExchange/exchange-4_cpc_results",
)

pytestmark = pytest.mark.shared_data


@pytest.fixture(autouse=True)
def _series() -> None:
    if not SERIES.exists():
        pytest.skip(f"{SERIES} is missing: point MILLSTREAM_DATA to the folder that holds it")


def read(name: str) -> pd.DataFrame:
    frame = pd.read_csv(SERIES / "data" / f"{name}.csv", dtype={"value": str})
    frame["time"] = pd.to_datetime(frame["timestamp"], utc=True).astype("int64") // 1000
    return frame


def microseconds(text: str) -> int:
    return int(pd.Timestamp(text, tz="UTC").value // 1000)


def labels(name: str, file: str) -> list[str]:
    found: list[str] = json.loads((SERIES / "labels" / "raw" / file).read_text()).get(name, [])
    return found


def tagged(frame: pd.DataFrame, tags: list[TickTag]) -> list[Element]:
    """A series with each tag before the first value that is not earlier."""
    found: list[Element] = []
    waiting = sorted(tags, key=lambda tag: tag.timestamp)
    rows = zip(frame["timestamp"], frame["value"], frame["time"], strict=True)
    for number, (stamp, value, time) in enumerate(rows):
        while waiting and waiting[0].timestamp <= time:
            found.append(waiting.pop(0))
        found.append(StreamTuple(f"v{number}", time, (stamp, value)))
    return [*found, *waiting]


def marked(folder: Path, elements: list[Element], items: int) -> list[set[tuple[str, str]]]:
    """By value, in order: who has said what of it."""
    steps = TaggedSteps(folder, elements, SHAPE)
    log: list[int] = []
    for parts in steps.chunks(items):
        steps.run(parts)
        for part in parts:
            file = steps.storage.address(f"streams/Series/log/{part['part']}")
            log += pd.read_parquet(file, columns=["position"])["position"].tolist()
    marks = steps.marks()
    return [{(told[2], told[3]) for told in marks.get(position, ())} for position in sorted(log)]


@pytest.mark.parametrize("name", KNOWN)
def test_windows_of_known_causes(name: str, tmp_path: Path) -> None:
    frame = read(f"realKnownCause/{name}")
    windows = json.loads((SERIES / "labels" / "combined_windows.json").read_text())
    spans = [tuple(map(microseconds, each)) for each in windows[f"realKnownCause/{name}.csv"]]
    tags = [
        tick_tag(f"anomaly {number}", tagger="nab", timestamp=begin, lifespan=end - begin + 1)
        for number, (begin, end) in enumerate(spans)
    ]
    found = marked(tmp_path, tagged(frame, tags), 3000)
    expected: list[set[tuple[str, str]]] = [set() for _ in range(len(frame))]
    for number, (begin, end) in enumerate(spans):
        for row in frame.index[frame["time"].between(begin, end)]:
            expected[row].add(("nab", f"anomaly {number}"))
    assert found == expected
    assert any(found)


@pytest.mark.parametrize("name", LABELLED)
def test_three_labellers(name: str, tmp_path: Path) -> None:
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
    found = marked(tmp_path, tagged(frame, tags), 400)
    expected: list[set[tuple[str, str]]] = [set() for _ in range(len(frame))]
    for who, times in given.items():
        for number, label in enumerate(times):
            near = frame["time"].between(label - HOUR, label + HOUR)
            if LABELLERS[who] is Mode.OVERWRITE and number + 1 < len(times):
                # The next label ends this one, and no other labeller's.
                near &= frame["time"] < times[number + 1] - HOUR
            for row in frame.index[near]:
                expected[row].add((who, f"label {number}"))
    assert found == expected
    assert {who for marks in found for who, _ in marks} == {w for w, t in given.items() if t}
