"""Values of every kind, keys, headers, partitions and offsets, with a real broker."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import fastavro
import pytest

from millstream.model.filler import filler_text
from tests.history.credit import ALL
from tests.runtime.kafka.broker import Broker, connector
from tests.runtime.kafka.test_framing import AVRO_SCHEMA

ROOT = Path(__file__).parents[3]
SCRIPT = Path(__file__).with_name("value_process.py")


def avro(sensor: str, value: float | None, at: int) -> bytes:
    data = io.BytesIO()
    record = {"sensor": sensor, "value": value, "at": at}
    fastavro.schemaless_writer(data, fastavro.parse_schema(json.loads(AVRO_SCHEMA)), record)
    return data.getvalue()


def reading(sensor: str, value: float) -> bytes:
    return json.dumps({"sensor": sensor, "value": value}, indent=1).encode()


@pytest.fixture(scope="module")
def found(broker: Broker) -> dict[str, Any]:
    """What a mill gives of topics with values of every kind."""
    for topic, partitions in (("readings", 1), ("measures", 1), ("posts", 1), ("ticks", 2)):
        broker.create(topic, partitions)
    broker.create("credit")
    broker.send("readings", [reading("a", 5), reading("b", 20.50), b"[1]"], key=b"north")
    broker.send("readings", [reading("c", 30)])
    measures = [avro("x", 0.5, 1000), avro("y", 2.5, 2000), b"\xff\xff", avro("z", None, 3000)]
    broker.send("measures", [*measures, avro("w", 7.0, 4000)])
    post = "<post><at>{}</at><text>{}</text></post>"
    broker.send("posts", [post.format(1, "quiet").encode()])
    broker.send("posts", [post.format(2, "loud").encode()], headers={"priority": b"high"})
    broker.send("posts", [post.format(3, "plain").encode()], headers={"priority": b"low"})
    for n in range(40):
        tick = f"<tick><n>{n}</n><v>1</v></tick>".encode()
        broker.send("ticks", [tick], partition=n % 2)
    broker.send("credit", [filler_text(each).encode() for each in ALL])
    environment = {
        **os.environ,
        "MILLSTREAM_PACKAGES": connector(),
        "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}",
    }
    command = [sys.executable, str(SCRIPT), f"kafka://{broker.address}"]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    content: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return content


pytestmark = [pytest.mark.spark, pytest.mark.long, pytest.mark.timeout(600)]


def test_json_with_keys(found: dict[str, Any]) -> None:
    assert found["above"] == [
        '<r kafka_key="north"><sensor>b</sensor><value>20.5</value></r>',
        "<r><sensor>c</sensor><value>30</value></r>",
    ]


def test_avro(found: dict[str, Any]) -> None:
    times = ["1970-01-01T00:00:02Z", "1970-01-01T00:00:04Z"]
    items = [f"<m><sensor>{s}</sensor><at>{t}</at></m>" for s, t in zip("yw", times, strict=True)]
    assert found["measured"] == items


def test_headers_are_tags(found: dict[str, Any]) -> None:
    (item,) = [each for each in found["urgent"] if each.startswith("<tuple")]
    assert "<text>loud</text>" in item


def test_partitions_are_read_in_time(found: dict[str, Any]) -> None:
    assert found["sums"] == ["<s>10</s>"] * 4


def test_offsets_say_where_to_start(found: dict[str, Any]) -> None:
    assert len(found["later"]) == 34


def test_fillers_make_a_history(found: dict[str, Any]) -> None:
    assert found["limits"] == ["<l>2000</l>", "<l>5000</l>"]


def test_bad_values_are_set_aside_alone(found: dict[str, Any]) -> None:
    assert [each.partition(":")[0] for each in found["aside"]] == ["readings", "measures"]
    assert "no JSON object (partition 0, offset 2)" in found["aside"][0]
