"""millstream explain."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Call
from tests.cli.fake_door import FakeMill

pytestmark = pytest.mark.usefixtures("folder")


def test_what_is_asked_comes_before_what_would_run(call: Call, mill: FakeMill) -> None:
    outcome = call("explain", "QUERY", "--stream", "photons=p.xml")
    titles = [line for line in outcome.stdout.splitlines() if line and " " not in line]
    assert titles == ["algebra", "properties", "sharing", "evaluation", "sql"]
    assert "tap stream photons" in outcome.stdout
    assert mill.until is None


def test_explanation_as_json(call: Call, mill: FakeMill) -> None:
    outcome = call("explain", "QUERY", "--stream", "photons=p.xml", "--json")
    assert json.loads(outcome.stdout) == {
        "algebra": "Scan for QUERY",
        "properties": "stream photons",
        "sharing": "tap stream photons",
        "evaluation": "nested loop over 1 channel",
        "sql": "SELECT 1",
    }


def test_streams_or_a_space_must_be_given(call: Call) -> None:
    assert call("explain", "QUERY").status == 2
