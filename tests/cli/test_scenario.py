"""`millstream scenario`: what the shipped scenarios come to, planned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from millstream.cli.main import status_of


def facts(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert status_of(["scenario", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


def test_the_example_is_placed_as_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["scenario", "example", "--strategy", "sharing", "--plans"]) == 0
    told = capsys.readouterr().out
    for line in (
        "tap stream photons at SP4",
        "route SP4 -> SP5 -> SP1",
        "tap stream Q1 at SP5",
        "route SP5 -> SP7",
        "tap stream Q3 at SP3",
        "compose avg(en) |det_time diff 60 step 40|",
    ):
        assert line in told


@pytest.mark.parametrize("name", ["example", "extended", "small", "grid", "appendix-e"])
def test_sharing_needs_the_least_traffic(capsys: pytest.CaptureFixture[str], name: str) -> None:
    found = facts(capsys, name)
    assert set(found["strategies"]) == {"sharing", "query-shipping", "data-shipping"}
    assert all(ratio >= 1 for ratio in found["ratios"].values()), found["ratios"]
    for each in found["strategies"].values():
        assert each["refused"] == {}
        assert sum(each["traffic"].values()) > 0
        assert len(each["work"]) == found["peers"]


def test_in_the_grid_sharing_saves_most_of_the_traffic(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ratios = facts(capsys, "grid")["ratios"]
    assert ratios["data-shipping ÷ sharing"] >= 10
    assert ratios["query-shipping ÷ sharing"] >= 2


def test_with_scarce_means_sharing_finds_room_for_nearly_all(
    capsys: pytest.CaptureFixture[str],
) -> None:
    strategies = facts(capsys, "rejection")["strategies"]
    refused = {name: len(each["refused"]) for name, each in strategies.items()}
    assert 40 <= refused["data-shipping"] <= 55
    assert refused["sharing"] <= 2 < refused["query-shipping"]
    reason = next(iter(strategies["data-shipping"]["refused"].values()))
    assert "SP" in reason


def test_plans_are_written_as_xml(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    facts(capsys, "example", "--strategy", "sharing", "--xml", str(tmp_path))
    written = (tmp_path / "Q2.xml").read_text()
    assert 'atPeer="SP5"' in written
    assert "counterStreamoperatorType" in written


def test_an_unknown_scenario_is_the_callers_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["scenario", "exampel"]) == 2
    assert "example" in capsys.readouterr().err
