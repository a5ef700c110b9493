"""The dashboard's files over HTTP, and the questions about tags that it asks."""

from __future__ import annotations

import re

from starlette.testclient import TestClient

from millstream.dashboard import STATIC
from millstream.service.context import Service
from tests.service.conftest import client_of

ASKED = re.compile(
    r"""(?:from|import|href=|src=)\s*["'](/dashboard/[^"']+|\.{1,2}/[^"']+\.js)["']"""
)


def test_page_and_all_its_files_are_there(client: TestClient) -> None:
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    for path in re.findall(r'(?:href|src)="(/dashboard/[^"]+)"', page.text):
        assert client.get(path).status_code == 200, path


def test_scripts_import_only_what_is_there() -> None:
    for script in STATIC.rglob("*.js"):
        for found in ASKED.findall(script.read_text()):
            assert (script.parent / found).resolve().is_file(), f"{script.name}: {found}"


def test_nothing_is_loaded_from_elsewhere(client: TestClient) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'self'" in policy
    for file in STATIC.rglob("*.*"):
        there = re.findall(r"https?://[\w.-]+", file.read_text())
        assert set(there) <= {"http://www.w3.org"}, file


def test_page_needs_no_token_but_what_it_asks_does(guarded: Service) -> None:
    nobody = client_of(guarded)
    assert nobody.get("/").status_code == 200
    assert nobody.get("/dashboard/scripts/main.js").status_code == 200
    assert nobody.get("/v1/streams").status_code == 401


def test_files_outside_are_not_there(client: TestClient) -> None:
    for path in ("/dashboard/../app.py", "/dashboard/%2e%2e/__init__.py", "/dashboard/nothing.js"):
        answer = client.get(path)
        assert (answer.status_code, answer.json()["status"]) == (404, 404), path


def test_items_without_tags_are_not_tagged(client: TestClient) -> None:
    tags = "/v1/streams/readings/tags"
    assert client.get(f"{tags}/items").json() == []
    assert client.get(f"{tags}/items?content=steep&after=0").json() == []
    assert client.get(f"{tags}/related?content=steep").json() == []
    assert client.get(f"{tags}/items?after=1.2").json()["code"] == "position"


def test_tagged_items_of_hidden_streams_are_not_there(guarded: Service) -> None:
    eve = client_of(guarded, "eve")
    assert eve.get("/v1/streams/readings/tags/items").status_code == 404
    assert eve.get("/v1/streams/readings/tags/related?content=x").status_code == 404
