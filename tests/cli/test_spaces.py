"""The commands that look into a space."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call
from tests.cli.fake_door import FakeEntry, FakeMill


@pytest.fixture
def space(mill: FakeMill, tmp_path: Path) -> str:
    stream = mill.create_stream("photons", "p.xml")
    stream.entries.append(FakeEntry(7, "en is not a number", "<photon>\n<en>x</en></photon>"))
    mill.subscribe("for $p in\n  stream('photons')", name="vela")
    return str(tmp_path)


def test_streams_are_listed(call: Call, space: str) -> None:
    facts = json.loads(call("streams", space, "--json").stdout)
    expected = {
        "name": "photons",
        "item": "photon",
        "paths": ["photon", "photon/en", "photon/det_time"],
        "items": 3,
        "quarantined": 0,
    }
    assert facts == {"streams": [expected]}
    assert "photons" in call("streams", space).stdout


def test_subscriptions_are_listed(call: Call, space: str) -> None:
    facts = json.loads(call("subscriptions", space, "--json").stdout)
    assert facts["subscriptions"][0]["name"] == "vela"
    assert "for $p in stream('photons')" in call("subscriptions", space).stdout


def test_results_are_printed(call: Call, space: str) -> None:
    assert call("results", space, "vela").stdout.startswith("<photons>\n<p>")
    assert len(json.loads(call("results", space, "vela", "--json").stdout)["items"]) == 2


def test_quarantine_is_listed(call: Call, space: str) -> None:
    facts = json.loads(call("quarantine", space, "--json").stdout)
    assert facts["quarantine"][0]["reason"] == "en is not a number"
    table = call("quarantine", space, "--stream", "photons").stdout
    assert "<photon> <en>x</en></photon>" in table


@pytest.mark.parametrize(
    "arguments", [("results", "vella"), ("quarantine", "--stream", "photon")], ids=str
)
def test_unknown_name_is_the_callers_fault(
    call: Call, space: str, arguments: tuple[str, ...]
) -> None:
    command, *rest = arguments
    outcome = call(command, space, *rest)
    assert outcome.status == 2
    assert "did you mean" in outcome.stderr


def test_missing_space_is_the_callers_fault(call: Call, mill: FakeMill, tmp_path: Path) -> None:
    outcome = call("streams", str(tmp_path / "nowhere"))
    assert outcome.status == 2
    assert "there is no space at" in outcome.stderr
    assert mill.opened is None
