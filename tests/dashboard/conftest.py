"""Debian's Chromium, driven by Playwright, and pages of it in three appearances."""

from __future__ import annotations

import contextlib
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import uvicorn
from fastapi import FastAPI

from tests.dashboard.fake_service import fake_app

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PICTURES = Path("artifacts/dashboard")
"""Where screenshots are put, to be looked at by a person."""
LOOKS = {
    "light": {"viewport": {"width": 1360, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1360, "height": 900}, "color_scheme": "dark"},
    "small": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("Chromium is not installed: scripts/browser does so where it may")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield opened
        opened.close()


@contextlib.contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """The address of an app that runs in a thread."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.02)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join(10)


@pytest.fixture
def fake() -> Iterator[str]:
    with served(fake_app()) as address:
        yield address


@pytest.fixture
def guarded_fake() -> Iterator[str]:
    with served(fake_app(guarded=True)) as address:
        yield address


@contextlib.contextmanager
def looking(browser: Browser, look: str = "light") -> Iterator[Page]:
    """A page in which nothing may go wrong unseen."""
    context = browser.new_context(**LOOKS[look], reduced_motion="reduce")  # type: ignore[arg-type]
    context.set_default_timeout(20_000)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console",
        lambda said: (
            faults.append(said.text)
            if said.type == "error" and "status of 4" not in said.text
            else None
        ),
    )
    yield page
    context.close()
    assert faults == []


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with looking(browser) as opened:
        yield opened


def shoot(page: Page, name: str) -> None:
    """Make a screenshot of the whole page."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png", full_page=True)
