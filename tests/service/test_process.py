"""The process of a service: it begins without Spark, and ends in order when it is told to."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.service.live import serving


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_signal_ends_a_service_in_order(
    tmp_path: Path, sign: signal.Signals, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(tmp_path / "space") as live:
        assert live.get("/v1/streams") == []
        status, problem = live.ask("POST", "/v1/subscriptions", {"text": "1 +"})
        assert (status, problem["title"]) == (400, "query error")
        live.process.send_signal(sign)
        assert live.process.wait(30) == 0
    assert "stopped; the next run goes on" in capfd.readouterr().err
