"""Subscriptions over HTTP: tried, registered, looked at, ended."""

from __future__ import annotations

from starlette.testclient import TestClient

from millstream.service.context import Service
from tests.service.conftest import HIGH, HIGHER, client_of


def registered(client: TestClient, name: str = "high", text: str = HIGH) -> None:
    answer = client.post("/v1/subscriptions", json={"text": text, "name": name})
    assert answer.status_code == 201, answer.text


def test_dry_run_tells_how_and_registers_nothing(client: TestClient) -> None:
    answer = client.post("/v1/subscriptions?dry_run=true", json={"text": HIGH})
    assert answer.status_code == 200
    assert "Scan readings" in answer.json()["algebra"]
    assert client.get("/v1/subscriptions").json() == []


def test_dry_run_tells_what_would_be_reused(client: TestClient) -> None:
    registered(client)
    told = client.post("/v1/subscriptions?dry_run=true", json={"text": HIGHER}).json()
    assert "tap stream high" in told["sharing"]


def test_subscription_is_registered_and_looked_at(client: TestClient) -> None:
    answer = client.post("/v1/subscriptions", json={"text": HIGH, "name": "high"})
    assert answer.headers["location"] == "/v1/subscriptions/high"
    page = client.get("/v1/subscriptions/high").json()
    assert (page["streams"], page["opening"], page["text"]) == (["readings"], "<high>", HIGH)


def test_error_is_told_at_its_place(client: TestClient) -> None:
    wrong = HIGH.replace("$r/level >=", "$r/levle >=")
    answer = client.post("/v1/subscriptions", json={"text": wrong})
    problem = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.status_code, problem["status"]) == (400, 400)
    assert wrong[problem["span"]["start"] : problem["span"]["end"]].endswith("levle")
    assert problem["span"]["line"] == 3
    assert "level" in problem["help"]


def test_name_is_taken_once(client: TestClient) -> None:
    registered(client)
    answer = client.post("/v1/subscriptions", json={"text": HIGHER, "name": "high"})
    assert (answer.status_code, answer.json()["code"]) == (409, "name-taken")


def test_cancelled_subscription_stays_readable(client: TestClient) -> None:
    registered(client)
    assert client.delete("/v1/subscriptions/high").status_code == 204
    assert client.get("/v1/subscriptions").json() == []
    assert client.get("/v1/subscriptions?cancelled=true").json()[0]["cancelled"]
    assert client.get("/v1/subscriptions/high/results").json()["finished"]


def test_costs_tell_who_depends(client: TestClient) -> None:
    registered(client)
    registered(client, "higher", HIGHER)
    costs = client.get("/v1/subscriptions/high/costs").json()
    assert costs["dependents"] == ["higher"]
    savings = client.get("/v1/savings").json()
    assert savings["subscriptions"] == 2


def test_plans_and_dependencies_are_told_and_drawn(client: TestClient) -> None:
    registered(client)
    registered(client, "higher", HIGHER)
    assert client.get("/v1/plans/higher").json()["inputs"][0]["shared_with"] == "high"
    assert client.get("/v1/plans/higher/xml").text.startswith("<?xml")
    assert {"shared": "high", "by": "higher"} in client.get("/v1/dependencies").json()["edges"]
    assert client.get("/v1/dependencies.svg").text.startswith("<svg")
    assert len(client.get("/v1/plans").json()) == 2


def test_nobody_touches_what_is_not_theirs(guarded: Service) -> None:
    ada, bob, olga = (client_of(guarded, each) for each in ("ada", "bob", "olga"))
    registered(ada)
    paths = ("", "/results", "/events", "/costs")
    for path in paths:
        refused = bob.get(f"/v1/subscriptions/high{path}")
        assert (refused.status_code, refused.json()["code"]) == (403, "owner")
    assert bob.get("/v1/plans/high").status_code == 403
    assert bob.delete("/v1/subscriptions/high").status_code == 403
    assert bob.get("/v1/subscriptions").json() == []
    assert bob.get("/v1/plans").json() == []
    assert ada.get("/v1/subscriptions").json()[0]["owner"] == "ada"
    assert olga.delete("/v1/subscriptions/high").status_code == 204


def test_sharing_does_not_tell_what_others_ask(guarded: Service) -> None:
    ada, bob, olga = (client_of(guarded, each) for each in ("ada", "bob", "olga"))
    registered(ada, "high")
    registered(ada, "secret", HIGH.replace("2.5", "2.9"))
    dry = "/v1/subscriptions?dry_run=true"
    told = bob.post(dry, json={"text": HIGHER}).json()["sharing"]
    assert "tap stream high" in told
    assert "2.9" not in told
    assert "2.9" in olga.post(dry, json={"text": HIGHER}).json()["sharing"]
    registered(bob, "higher", HIGHER)
    part = bob.get("/v1/plans/higher").json()["inputs"][0]
    assert part["shared_with"] == "high"
    assert not any("2.5" in each for each in part["conditions"])


def test_streams_that_may_not_be_read_may_not_be_asked(guarded: Service) -> None:
    refused = client_of(guarded, "eve").post("/v1/subscriptions", json={"text": HIGH})
    assert (refused.status_code, refused.json()["code"]) == (403, "stream")


def test_limits_of_a_user_are_kept(guarded: Service) -> None:
    bob = client_of(guarded, "bob")
    registered(bob)
    more = bob.post("/v1/subscriptions", json={"text": HIGHER})
    assert (more.status_code, more.json()["code"]) == (429, "subscriptions")
    long = bob.post("/v1/subscriptions?dry_run=true", json={"text": HIGH + " " * 1000})
    assert (long.status_code, long.json()["code"]) == (413, "query-size")
    bob.delete("/v1/subscriptions/high")
    registered(bob, "another")
