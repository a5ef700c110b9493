"""Who may come in, and with how much."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from millstream.errors import MillstreamError, SchemaError
from millstream.service.access import Right, digest, new_token
from millstream.service.context import Service
from millstream.service.limits import Pace
from millstream.service.server import Place, check_place
from millstream.service.tokens import entry, read_tokens
from tests.service.conftest import client_of


@pytest.mark.parametrize("header", [None, "Bearer", "Bearer wrong", "Basic YWRhOg==", "ada-token"])
def test_without_a_known_token_nobody_comes_in(guarded: Service, header: str | None) -> None:
    client = client_of(guarded)
    answer = client.get("/v1/streams", headers={"Authorization": header} if header else {})
    assert (answer.status_code, answer.json()["code"]) == (401, "token")
    assert answer.headers["www-authenticate"] == "Bearer"


def test_every_address_but_health_asks_for_a_token(guarded: Service) -> None:
    client = client_of(guarded)
    described = client.get("/openapi.json").json()["paths"]
    for path, operations in described.items():
        for method in operations:
            asked = path.replace("{name}", "readings").replace("{number}", "0")
            expected = 200 if path == "/health" else 401
            assert client.request(method, asked).status_code == expected, path


def test_everybody_is_told_who_they_are(guarded: Service) -> None:
    me = client_of(guarded, "bob").get("/v1/me").json()
    assert (me["name"], me["rights"], me["limits"]["subscriptions"]) == ("bob", [], 1)


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "rebound.example"},
        {"Host": "rebound.example:8090"},
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://[broken"},
    ],
)
def test_pages_of_other_sites_cannot_use_a_local_service(
    client: TestClient, headers: dict[str, str]
) -> None:
    answer = client.get("/v1/streams", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "origin")


def test_page_of_this_machine_may(client: TestClient) -> None:
    headers = {"Host": "127.0.0.1:8090", "Origin": "http://localhost:3000"}
    assert client.get("/v1/streams", headers=headers).status_code == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "mill.example"])
def test_open_to_others_only_with_tokens(service: Service, guarded: Service, host: str) -> None:
    with pytest.raises(MillstreamError, match="say who may come in"):
        check_place(service, Place(host))
    check_place(guarded, Place(host))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_this_machine_needs_no_tokens(service: Service, host: str) -> None:
    check_place(service, Place(host))


def test_new_token_opens_with_its_entry(tmp_path: Path) -> None:
    token = new_token()
    (tmp_path / "tokens.toml").write_text(entry("ada", digest(token), ("create", "operate")))
    access = read_tokens(tmp_path / "tokens.toml")
    assert access.identify(f"Bearer {token}").rights == frozenset(Right)


_SHA = f'sha256 = "{digest("x")}"\n'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "must hold"),
        ("identity = 1", "must hold"),
        ("[[identity]]\nname = 'ada'", "has no sha256"),
        ("[[identity]]\nname = 'a b'\n" + _SHA, "no name for an identity"),
        ("[[identity]]\nname = 'ada'\nrights = ['all']\n" + _SHA, "is no right"),
        ("[[identity]]\nname = 'ada'\nright = ['all']\n" + _SHA, "unknown key 'right'"),
        ("[[identity]]\nname = 'ada'\nreaders = true\n" + _SHA, "must be a number"),
        (("[[identity]]\nname = 'ada'\n" + _SHA) * 2, "two identities"),
        ("[[", "is not TOML"),
    ],
)
def test_bad_tokens_file_is_explained(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "tokens.toml").write_text(text)
    with pytest.raises(SchemaError, match=reason):
        read_tokens(tmp_path / "tokens.toml")


def test_oversized_request_is_refused(client: TestClient) -> None:
    large = {"text": "x" * (3 << 20)}
    answer = client.post("/v1/subscriptions", json=large)
    assert (answer.status_code, answer.json()["code"]) == (413, "request-size")
    # Without a length, the body is measured while it comes.
    answer = client.post("/v1/subscriptions", content=(b"x" * 65536 for _ in range(60)))
    assert (answer.status_code, answer.json()["code"]) == (413, "request-size")


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"text": 1}', b'{"text": "x", "else": 1}', b"\xff\xfe", b"null"]
)
def test_malformed_request_gets_a_problem(client: TestClient, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    answer = client.post("/v1/subscriptions", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) in ((422, "request"), (400, "bad-request"))
    assert answer.headers["content-type"] == "application/problem+json"


def test_unknown_address_gets_a_problem(client: TestClient) -> None:
    assert client.get("/v1/nothing").json()["code"] == "not-found"
    assert client.put("/v1/streams").json()["code"] == "method-not-allowed"


def test_pace_lets_a_second_go_at_once_and_then_waits() -> None:
    now = [0.0]
    pace = Pace(100, lambda: now[0])
    assert pace.take(100) == 0
    assert pace.take(50) == 0.5
    now[0] = 0.5
    assert pace.due() == 0
