"""Tags over HTTP: everybody is their own tagger."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from millstream.runtime.session import SparkSession
from millstream.service.context import Service
from tests.service.conftest import client_of


def test_tag_waits_for_the_next_step(client: TestClient) -> None:
    new = {"content": "steep", "applicability": "*,*,{level}", "sign": "-", "lifespan": "30 min"}
    answer = client.post("/v1/streams/readings/tags", json=new)
    assert answer.status_code == 202, answer.text
    tag = answer.json()
    assert (tag["tagger"], tag["content"], tag["number"]) == ("local", "steep", None)
    assert client.get("/v1/streams/readings/tags?live=true").json() == [tag]
    assert client.get("/v1/streams/readings/tags").json() == []
    for path in ("cloud", "opinion", "taggers", "distribution"):
        assert client.get(f"/v1/streams/readings/tags/{path}").json() == []


@pytest.mark.spark
def test_tag_is_told_that_a_step_takes_at_once(
    service: Service, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    mill = service.mill
    mill._given = spark
    attach = mill.attach

    def attach_and_step(*given: Any, **fields: Any) -> Any:
        tag = attach(*given, **fields)
        mill.runner("readings").drain_here()
        return tag

    monkeypatch.setattr(mill, "attach", attach_and_step)
    answer = client_of(service).post("/v1/streams/readings/tags", json={"content": "steep"})
    assert (answer.status_code, answer.json()["content"]) == (202, "steep")
    assert mill.tags("readings").live() == []


def test_nobody_tags_in_the_name_of_others(guarded: Service) -> None:
    bob, olga = client_of(guarded, "bob"), client_of(guarded, "olga")
    new = {"content": "steep", "tagger": "ada"}
    refused = bob.post("/v1/streams/readings/tags", json=new)
    assert (refused.status_code, refused.json()["code"]) == (403, "right")
    own = bob.post("/v1/streams/readings/tags", json={"content": "steep"})
    assert own.json()["tagger"] == "bob"
    assert olga.post("/v1/streams/readings/tags", json=new).json()["tagger"] == "ada"


def test_query_attaches_tags_in_its_owners_name(guarded: Service) -> None:
    text = "ATTACH TAG 'steep' CONTINUOUSLY TO readings.level WHERE level > 2.5"
    new = {"text": text, "name": "ada", "language": "tagql"}
    made = client_of(guarded, "bob").post("/v1/subscriptions", json=new)
    assert made.status_code == 201, made.text
    assert guarded.mill.registry.subscriptions["ada"].tagger == "bob/ada"


def test_bad_tag_is_explained(client: TestClient) -> None:
    for wrong in ({"lifespan": "forever"}, {"applicability": "("}, {"type": "Mood"}, {"time": "x"}):
        answer = client.post("/v1/streams/readings/tags", json={"content": "steep", **wrong})
        assert answer.status_code in (400, 422), answer.text
        assert answer.json()["detail"]


def test_tags_of_streams_that_may_not_be_read_are_not_there(guarded: Service) -> None:
    eve = client_of(guarded, "eve")
    for path in ("", "/cloud", "/opinion", "/taggers", "/distribution"):
        assert eve.get(f"/v1/streams/readings/tags{path}").status_code == 404
    assert eve.post("/v1/streams/readings/tags", json={"content": "x"}).status_code == 404


def test_select_is_asked_once_of_what_is_live(client: TestClient) -> None:
    asked = {"text": "SELECT TAGS FROM readings WHERE levl > 2"}
    wrong = client.post("/v1/query", json=asked)
    assert (wrong.status_code, wrong.json()["span"]["line"]) == (400, 1), wrong.text
    assert "did you mean 'level'" in wrong.json()["help"]
    at = client.post("/v1/query", json={**asked, "now": "2026-01-01"})
    assert (at.status_code, at.json()["code"]) == (400, "live")


@pytest.mark.spark
def test_answer_is_told_with_its_time(service: Service, spark: SparkSession) -> None:
    mill = service.mill
    mill._given = spark
    mill.attach("readings", "deep", tagger="ann", lifespan="1 h", time="0")
    mill.runner("readings").drain_here()
    text = "SELECT TAGGED OBJECTS FROM readings [6 s] WHERE level > 2.5 WITH TAGS"
    answer = client_of(service).post("/v1/query", json={"text": text})
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert (told["now"], told["streams"]) == ("9", ["readings"])
    assert [each[:4] for each in told["items"]] == ["<tag", "<tup"]


def test_select_of_a_stream_that_may_not_be_read_is_refused(guarded: Service) -> None:
    answer = client_of(guarded, "eve").post("/v1/query", json={"text": "SELECT TAGS FROM readings"})
    assert answer.status_code == 403
