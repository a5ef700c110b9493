"""The service itself: its health, its figures, and the network."""

from __future__ import annotations

import time

from starlette.testclient import TestClient

from millstream.errors import StateError
from millstream.runtime.shared_batch import StepReport
from millstream.service.context import Service
from millstream.service.rates import Rates
from millstream.service.running import Failure
from tests.service.conftest import HIGH, client_of


def test_health_tells_of_a_stream_that_has_stopped(service: Service) -> None:
    client = client_of(service)
    assert client.get("/health").json()["status"] == "ok"
    service.running.failures["readings"] = Failure(StateError("the disk is full"), time.time())
    answer = client.get("/health")
    assert (answer.status_code, answer.json()["streams"]) == (503, {})
    told = client.get("/v1/health").json()["streams"]["readings"]
    assert told == {"state": "failed", "failure": "the disk is full"}
    assert client.get("/v1/streams/readings").json()["failure"] == "the disk is full"
    assert 'millstream_stream_failed{stream="readings"} 1.0' in client.get("/metrics").text
    service.running._stepped(StepReport("readings", 1, 3, 0, 2, 0.1))
    assert client.get("/health").status_code == 200


def test_totals_and_metrics_count_steps(service: Service) -> None:
    service.mill.subscribe(HIGH, name="high")
    service.running._stepped(StepReport("readings", 1, 30, 0, 2, 0.1))
    client = client_of(service)
    assert client.get("/v1/statistics").json()["subscriptions"] == 1
    assert client.get("/v1/statistics").json()["rate"] > 0
    text = client.get("/metrics").text
    for line in ("millstream_steps_total 1.0", "millstream_results_total 2.0"):
        assert line in text
    assert "millstream_subscriptions 1.0" in text


def test_rates_look_back_a_minute() -> None:
    now = [0.0]
    rates = Rates(lambda: now[0])
    now[0] = 30.0
    rates.note("readings", 300)
    assert rates.of("readings") == 10
    now[0] = 91.0
    assert rates.of("readings") == 0


def test_network_is_told_and_drawn_by_any_strategy(client: TestClient) -> None:
    client.post("/v1/subscriptions", json={"text": HIGH, "name": "high"})
    page = client.get("/v1/network").json()
    assert (page["strategy"], page["actual"]) == ("sharing", True)
    assert page["peers"][0]["load"] > 0
    other = client.get("/v1/network?strategy=data-shipping").json()
    assert (other["strategy"], other["actual"]) == ("data-shipping", False)
    answer = client.get("/v1/network.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert "<circle" in answer.text
