"""The OpenAPI description is true: requests made up from it get the answers that it tells."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import positive_data_acceptance
from starlette.testclient import TestClient

from millstream.service.app import make_app
from millstream.service.context import Service
from tests.service.conftest import HIGH

EXAMPLES = settings(
    max_examples=15,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)


@pytest.fixture
def api(service: Service) -> Any:
    """The description of a service, with something in it."""
    service.mill.subscribe(HIGH, name="high")
    app = make_app(service, turning=False)
    found = schemathesis.openapi.from_asgi("/openapi.json", app, headers={"Host": "localhost"})
    return found.exclude(path_regex="/events$")


@schemathesis.hook
def map_query(context: Any, query: dict[str, Any] | None) -> dict[str, Any] | None:
    """Nobody waits for items: none will come."""
    return {**query, "wait": 0} if query and "wait" in query else query


def check(api: Any, examples: settings) -> None:
    """Ask made-up questions of every operation, and hold the answers against what is told."""
    for found in api.get_all_operations():

        @given(case=found.ok().as_strategy())
        @examples
        def ask(case: Any) -> None:
            # That a text is a query or a schema cannot be said in JSON Schema, and what is legal
            # but not supported is told with 501.
            answer = case.call_and_validate(
                headers={"Host": "localhost"},
                excluded_checks=[positive_data_acceptance, not_a_server_error],
            )
            assert answer.status_code < 500 or answer.status_code == 501, answer.text

        ask()


def test_every_answer_is_as_described(api: Any) -> None:
    check(api, EXAMPLES)


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_every_answer_is_as_described_at_length(api: Any) -> None:
    check(api, settings(EXAMPLES, max_examples=200, derandomize=False))


def test_description_tells_of_events_and_tokens(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    events = described["paths"]["/v1/subscriptions/{name}/events"]["get"]
    assert "text/event-stream" in events["responses"]["200"]["content"]
    assert "application/problem+json" in events["responses"]["403"]["content"]
    names = {each["name"] for each in events["parameters"]}
    assert names == {"name", "after", "from", "last-event-id"}
    assert described["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
