"""Histories over HTTP: asked once, or for as long as one listens."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from millstream.service.context import Service
from tests.service.conftest import client_of

STRUCTURE = """<stream:structure>
<tag type="snapshot" id="1" name="levels">
  <tag type="temporal" id="2" name="weir"><tag type="snapshot" id="3" name="level"/></tag>
</tag>
</stream:structure>"""
WEIRS = """for $w in stream("levels")//weir?[now] return <now>{ $w/level/text() }</now>"""


@pytest.fixture
def history(service: Service, sources: Path) -> TestClient:
    """A service with a history of which nothing has come yet."""
    client = client_of(service)
    new = {"name": "levels", "source": "levels", "schema": STRUCTURE}
    answer = client.post("/v1/streams", json=new)
    assert (answer.status_code, answer.json()["kind"]) == (201, "fillers"), answer.text
    return client


def test_history_without_a_root_is_told(history: TestClient) -> None:
    answer = history.post("/v1/query", json={"text": WEIRS})
    assert (answer.status_code, answer.json()["code"]) == (409, "no-root")


def test_wrong_question_is_told_at_its_place(history: TestClient) -> None:
    answer = history.post("/v1/query", json={"text": WEIRS.replace("//weir", "//wier")})
    assert (answer.status_code, answer.json()["status"]) == (400, 400), answer.text
    assert answer.json()["span"]["line"] == 1


def test_instant_must_be_one(history: TestClient) -> None:
    answer = history.post("/v1/query", json={"text": WEIRS, "now": "yesterday"})
    assert (answer.status_code, answer.json()["code"]) == (400, "instant")


def test_subscription_to_a_history_is_tried_and_registered(history: TestClient) -> None:
    dry = history.post("/v1/subscriptions?dry_run=true", json={"text": WEIRS}).json()
    assert (dry["kind"], dry["streams"]) == ("history", ["levels"])
    made = history.post("/v1/subscriptions", json={"text": WEIRS, "name": "weirs"})
    assert made.status_code == 201, made.text
    assert history.get("/v1/subscriptions/weirs").json()["owner"] == "local"
    assert history.get("/v1/subscriptions/weirs/results").json()["items"] == []
    assert history.get("/v1/subscriptions/weirs/costs").json()["code"] == "no-plan"
    assert history.get("/v1/network?strategy=data-shipping").status_code == 200
