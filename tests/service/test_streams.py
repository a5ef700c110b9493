"""Streams over HTTP: listed, made, looked at; and what was set aside of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from millstream.service.context import Service
from tests.service.conftest import READINGS, client_of


def test_stream_is_told_with_schema_and_statistics(client: TestClient) -> None:
    assert [each["name"] for each in client.get("/v1/streams").json()] == ["readings"]
    page = client.get("/v1/streams/readings").json()
    types = {each["path"]: each["type"] for each in page["leaves"]}
    assert types == {"minute": "integer", "place": "text", "level": "decimal"}
    assert (page["kind"], page["order_by"], page["rate"]) == ("items", "minute", 0)
    statistics = client.get("/v1/streams/readings/statistics").json()
    assert statistics["increments"]["minute"] == 4


def test_stream_is_made_of_a_file_below_the_sources(client: TestClient, sources: Path) -> None:
    (sources / "more.xml").write_text(READINGS)
    new = {"name": "more", "source": "more.xml", "types": {"minute": "decimal"}}
    answer = client.post("/v1/streams", json=new)
    assert answer.status_code == 201, answer.text
    page = answer.json()
    assert page["source"] == str(sources.resolve() / "more.xml")
    assert {"path": "minute", "type": "decimal", "repeated": False} in page["leaves"]
    again = client.post("/v1/streams", json=new)
    assert (again.status_code, again.json()["code"]) == (409, "name-taken")


def test_stream_may_be_made_by_its_schema_alone(client: TestClient) -> None:
    dtd = "<!ELEMENT ticks (tick*)><!ELEMENT tick (n)><!ELEMENT n (#PCDATA)>"
    new = {"name": "ticks", "source": "ticks/*.xml", "schema": dtd, "anchor": 5}
    answer = client.post("/v1/streams", json=new)
    assert (answer.status_code, answer.json()["anchor"]) == (201, "5")


def test_schema_is_never_a_file_of_the_service(client: TestClient) -> None:
    new = {"name": "ticks", "source": "ticks", "schema": "/etc/hostname"}
    answer = client.post("/v1/streams", json=new)
    assert answer.status_code == 422
    assert "cannot read schema" not in answer.text


@pytest.mark.parametrize(
    "source",
    [
        "/etc/passwd",
        "../secret.xml",
        "*/../../x",
        "https://elsewhere/x",
        "file:///etc/passwd",
        "\0",
    ],
)
def test_sources_elsewhere_are_refused(client: TestClient, source: str) -> None:
    answer = client.post("/v1/streams", json={"name": "other", "source": source})
    assert (answer.status_code, answer.json()["code"]) == (403, "source")


def test_link_out_of_the_sources_is_refused(
    client: TestClient, sources: Path, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (sources / "link").symlink_to(tmp_path / "elsewhere")
    answer = client.post("/v1/streams", json={"name": "other", "source": "link/*.xml"})
    assert answer.status_code == 403


def test_making_streams_is_a_right(guarded: Service) -> None:
    new = {"name": "more", "source": "readings.xml"}
    assert client_of(guarded, "bob").post("/v1/streams", json=new).status_code == 403
    assert client_of(guarded, "ada").post("/v1/streams", json=new).json()["owner"] == "ada"


def test_streams_that_may_not_be_read_are_not_there(guarded: Service) -> None:
    eve, bob = client_of(guarded, "eve"), client_of(guarded, "bob")
    assert eve.get("/v1/streams").json() == []
    for path in ("", "/items", "/events", "/statistics", "/quarantine", "/quarantine/download"):
        assert eve.get(f"/v1/streams/readings{path}").status_code == 404
    assert bob.get("/v1/streams/readings").json()["source"] is None


def test_quarantine_of_a_new_stream_is_empty(client: TestClient) -> None:
    page = client.get("/v1/streams/readings/quarantine").json()
    assert page == {"entries": [], "total": 0, "next": 0}
    assert client.get("/v1/streams/readings/quarantine/download").text == ""
    missing = client.post("/v1/streams/readings/quarantine/0/replay", json={})
    assert (missing.status_code, missing.json()["code"]) == (404, "unknown-entry")


def test_replaying_is_for_the_owner(guarded: Service) -> None:
    refused = client_of(guarded, "bob").post("/v1/streams/readings/quarantine/0/replay", json={})
    assert (refused.status_code, refused.json()["code"]) == (403, "owner")
