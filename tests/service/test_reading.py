"""Logs over HTTP: pages and events, from any position, at the pace that somebody may have."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from millstream.service.access import Identity
from millstream.service.context import Service
from millstream.service.limits import Limits, Pace
from millstream.service.logs import ResultLog
from millstream.service.reading import page_of
from tests.service.conftest import client_of
from tests.service.growing_log import GrowingLog


@pytest.fixture
def log(service: Service, guarded: Service, monkeypatch: pytest.MonkeyPatch) -> GrowingLog:
    """Ten items, in place of those of a stream."""
    made = GrowingLog(10)
    for each in (service, guarded):
        monkeypatch.setattr(each.running, "items_of", lambda stream: made)
    return made


def ids(text: str) -> list[int]:
    return [int(each) for each in re.findall(r"^id: (\d+)$", text, re.MULTILINE)]


def test_pages_follow_each_other(client: TestClient, log: GrowingLog) -> None:
    found, after = [], ""
    while True:
        page = client.get(f"/v1/streams/readings/items?limit=4{after}").json()
        found += [each["position"] for each in page["items"]]
        after = f"&after={page['next']}"
        if not page["more"]:
            break
    assert found == [str(each) for each in range(10)]
    assert page["finished"] is False
    log.ended = True
    last = client.get(f"/v1/streams/readings/items?limit=4{after}").json()
    assert last == {"items": [], "next": "9", "more": False, "finished": True}


def test_events_have_ids_and_an_end(client: TestClient, log: GrowingLog) -> None:
    log.ended = True
    answer = client.get("/v1/streams/readings/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert ids(answer.text) == list(range(10))
    assert 'data: {"position": "3", "value": "<n>3</n>"}\n\n' in answer.text
    assert answer.text.endswith("event: end\ndata: {}\n\n")


@pytest.mark.parametrize(
    ("path", "headers", "first"),
    [
        ("?after=4", {}, 5),
        ("", {"Last-Event-ID": "6"}, 7),
        ("?after=1", {"Last-Event-ID": "6"}, 7),
        ("?from=now", {}, 10),
        ("?from=now&after=8", {}, 9),
    ],
)
def test_events_resume(
    client: TestClient, log: GrowingLog, path: str, headers: dict[str, str], first: int
) -> None:
    log.ended = True
    answer = client.get(f"/v1/streams/readings/events{path}", headers=headers)
    assert ids(answer.text) == list(range(first, 10))


@pytest.mark.parametrize("position", ["x", "1.2", "", "1.", "9" * 30, "١"])
def test_what_is_no_position_is_told(client: TestClient, log: GrowingLog, position: str) -> None:
    answer = client.get("/v1/streams/readings/items", params={"after": position})
    assert (answer.status_code, answer.json()["code"]) == (400, "position")


def test_items_that_are_not_kept_are_told(
    client: TestClient, log: GrowingLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "lost", lambda position: position[0] < 5)
    for path in ("items", "events"):
        answer = client.get(f"/v1/streams/readings/{path}?after=2")
        assert (answer.status_code, answer.json()["code"]) == (410, "position-gone")
    assert client.get("/v1/streams/readings/items?after=7").status_code == 200


def test_more_than_ones_pace_is_refused_for_a_while(guarded: Service, log: GrowingLog) -> None:
    slow = Identity("slow", limits=Limits(results_per_second=4))
    now = [0.0]
    guarded.use_of(slow).pace = Pace(4, lambda: now[0])
    asyncio.run(page_of(guarded, slow, log, None, 10, 0))
    with pytest.raises(Exception, match="more items a second") as refused:
        asyncio.run(page_of(guarded, slow, log, None, 10, 0))
    assert getattr(refused.value, "retry_after", None) == 1.5
    now[0] = 1.6
    assert len(asyncio.run(page_of(guarded, slow, log, None, 10, 0)).items) == 10


def test_event_streams_of_one_user_are_counted(guarded: Service, log: GrowingLog) -> None:
    bob = guarded.access.identify("Bearer bob-token")
    with guarded.reading(bob), guarded.reading(bob):
        refused = client_of(guarded, "bob").get("/v1/streams/readings/events")
        assert (refused.status_code, refused.json()["code"]) == (429, "readers")
    log.ended = True
    assert client_of(guarded, "bob").get("/v1/streams/readings/events").status_code == 200


def test_page_waits_for_an_item(service: Service, log: GrowingLog) -> None:
    me = service.access.identify(None)

    def late() -> bool:
        log.items = 11
        return False

    log.finished = late  # type: ignore[method-assign]
    page = asyncio.run(page_of(service, me, log, "9", 5, wait=5.0))
    assert [each.position for each in page.items] == ["10"]


def test_whoever_waits_is_let_go_when_the_service_closes(service: Service, log: GrowingLog) -> None:
    me = service.access.identify(None)

    async def scene() -> tuple[int, float]:
        began = time.monotonic()
        asked = asyncio.create_task(page_of(service, me, log, "9", 5, wait=30.0))
        await asyncio.sleep(0.05)
        service.running.tails.close()
        return len((await asked).items), time.monotonic() - began

    items, seconds = asyncio.run(scene())
    assert (items, seconds < 5) == (0, True)


class Subscribed:
    """Results of steps 2 and 3, of which the later may not be known to be committed."""

    streams = ("a",)
    cancelled = False

    def log(self, after_step: int) -> Iterator[object]:
        from millstream.runtime.results import Result

        found = [Result(step, (n,), f"<r>{step}{n}</r>") for step in (2, 3) for n in range(3)]
        return iter(each for each in found if each.step > after_step)


@pytest.mark.parametrize(
    ("committed", "after", "expected"),
    [
        (3, (0, -1), [(2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2)]),
        (2, (0, -1), [(2, 0), (2, 1), (2, 2)]),
        (3, (2, 1), [(2, 2), (3, 0), (3, 1), (3, 2)]),
        (3, (2, 2), [(3, 0), (3, 1), (3, 2)]),
        (3, (3, 2), []),
    ],
)
def test_results_stand_at_a_step_and_a_place(
    committed: int, after: tuple[int, int], expected: list[tuple[int, int]]
) -> None:
    subscription = Subscribed()
    log = ResultLog(subscription, lambda: committed, lambda stream: True)  # type: ignore[arg-type]
    assert [each.position for each in log.after(after)] == expected
    assert log.finished()
