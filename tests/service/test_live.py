"""A service that is killed and started again goes on: streams, subscriptions, readers."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from tests.service.live import Live, eventually, free_port, serving

ALL = """<all>
  { for $r in stream("readings")/readings/reading
    where $r/level >= 0
    return <r> { $r/minute } </r> }
</all>"""
COPIED = ALL.replace('"readings"', '"copy"')


def reading(minute: int) -> str:
    return f"<reading><minute>{minute}</minute><level>2.{minute}</level></reading>"


def put(folder: Path, first: int, last: int, more: str = "") -> None:
    items = "\n".join(reading(each) for each in range(first, last))
    temporary = folder / f".{first}"
    temporary.write_text(f"<readings>\n{items}\n{more}\n</readings>\n")
    temporary.rename(folder / f"{first:04d}.xml")


def expected(first: int, last: int) -> list[str]:
    return [f"<r><minute>{each}</minute></r>" for each in range(first, last)]


def results(live: Live, name: str) -> list[str]:
    page = live.get(f"/v1/subscriptions/{name}/results?limit=10000")
    return [each["value"] for each in page["items"]]


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(600)
def test_killed_service_goes_on_where_it_was(tmp_path: Path) -> None:
    source, space, port = tmp_path / "readings", tmp_path / "space", free_port()
    source.mkdir()
    put(source, 0, 20)
    here = f"http://127.0.0.1:{port}"
    arguments = (space, "--source", tmp_path, "--source", here)

    with serving(*arguments, port=port) as live:
        live.post("/v1/streams", {"name": "readings", "source": "readings", "order_by": "minute"})
        live.post("/v1/subscriptions", {"text": ALL, "name": "all"})
        # The service tunes in to itself, as another one would.
        live.post("/v1/streams", {"name": "copy", "source": f"{here}/v1/streams/readings"})
        live.post("/v1/subscriptions", {"text": COPIED, "name": "copied"})
        reader = live.events("/v1/subscriptions/all/events")
        got = list(islice(reader, 10))
        eventually(lambda: len(results(live, "copied")) == 20)
        put(source, 20, 40)
        live.kill()
    put(source, 40, 60, "<reading><minute>99</reading>")

    with serving(*arguments, port=port) as live:
        got += islice(live.events("/v1/subscriptions/all/events", got[-1][0]), 50)
        assert [value for _, value in got] == expected(0, 60)
        items = list(islice(live.events("/v1/streams/readings/events"), 60))
        assert [value for _, value in items] == [reading(each) for each in range(60)]
        eventually(lambda: len(results(live, "copied")) == 60)
        assert results(live, "copied") == expected(0, 60)
        _replay_what_was_set_aside(live)
        _look_around(live)


def _replay_what_was_set_aside(live: Live) -> None:
    page = live.get("/v1/streams/readings/quarantine")
    assert [each["number"] for each in page["entries"]] == [0]
    assert "<minute>99" in page["entries"][0]["raw"]
    live.post("/v1/streams/readings/quarantine/0/replay", {"text": reading(60)})
    eventually(lambda: len(results(live, "copied")) == 61)
    assert results(live, "all") == expected(0, 61)
    status, problem = live.ask("POST", "/v1/streams/readings/quarantine/0/replay", {})
    assert (status, problem["code"]) == (409, "replayed")
    assert '"replayed": true' in live.get("/v1/streams/readings/quarantine/download")


def _look_around(live: Live) -> None:
    """What is told of streams that have flowed."""
    page = live.get("/v1/streams/readings?sample=2")
    assert (page["items"], page["quarantined"]) == (61, 1)
    assert [each["value"] for each in page["sample"]] == [reading(59), reading(60)]
    assert [each["tags"] for each in page["sample"]] == [[], []]
    assert 'millstream_stream_items_total{stream="readings"} 61.0' in live.get("/metrics")
    streams = live.get("/v1/health")["streams"]
    assert {each["state"] for each in streams.values()} == {"running"}
    # The past is answered at once, though nothing new comes.
    live.post("/v1/subscriptions", {"text": ALL, "name": "late", "start": "log"})
    eventually(lambda: results(live, "late") == expected(0, 61))
    first = live.get("/v1/subscriptions/late/results?limit=7")
    assert first["more"]
    second = live.get(f"/v1/subscriptions/late/results?limit=7&after={first['next']}")
    shown = [each["value"] for page in (first, second) for each in page["items"]]
    assert shown == expected(0, 14)
