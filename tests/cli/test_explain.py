"""millstream explain."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Call
from tests.cli.fake_door import FakeMill

pytestmark = pytest.mark.usefixtures("folder")


def test_algebra_comes_before_sql(call: Call, mill: FakeMill) -> None:
    outcome = call("explain", "QUERY", "--stream", "photons=p.xml")
    assert outcome.stdout == "Scan for QUERY\n\nSELECT 1\n"
    assert mill.until is None


def test_explanation_as_json(call: Call, mill: FakeMill) -> None:
    outcome = call("explain", "QUERY", "--stream", "photons=p.xml", "--json")
    assert json.loads(outcome.stdout) == {"algebra": "Scan for QUERY", "sql": "SELECT 1"}
