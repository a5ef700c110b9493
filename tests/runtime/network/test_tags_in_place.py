"""Queries about tags in a network: answered where their streams come in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from millstream.errors import UnsupportedError
from millstream.mill import Mill
from millstream.sharing.network import cube

READINGS = "<r><i><t>1</t><level>2</level></i><i><t>2</t><level>3</level></i></r>"
MOODS = "SELECT TAG, AVG(level) FROM readings [5 min] GROUP BY TAGS USING DICTIONARY"


@pytest.fixture
def mill(tmp_path: Path) -> Iterator[Mill]:
    (tmp_path / "readings.xml").write_text(READINGS)
    with Mill(tmp_path / "space", network=cube()) as opened:
        opened.create_stream("readings", tmp_path / "readings.xml", order_by="t", peer="SP4")
        yield opened


def test_without_a_peer_it_is_where_its_stream_is(mill: Mill) -> None:
    assert mill.explain(MOODS).algebra
    subscription = mill.subscribe(MOODS)
    assert subscription.peer == "SP4"
    (part,) = mill.plans.planner.installed(subscription.name).inputs
    assert (part.tapped.name, part.flow) == ("readings", None)


def test_elsewhere_is_refused_with_the_place(mill: Mill) -> None:
    with pytest.raises(UnsupportedError, match="do not travel from SP4 to SP1") as caught:
        mill.subscribe(MOODS, peer="SP1")
    assert caught.value.help == "ask about them at SP4"
    assert list(mill.subscriptions) == []


def test_plan_is_the_same_after_a_restart(mill: Mill, tmp_path: Path) -> None:
    name = mill.subscribe(MOODS).name
    mill.close()
    with Mill(tmp_path / "space") as again:
        (part,) = again.plans.planner.installed(name).inputs
        assert (part.tapped.name, part.flow, part.tap) == ("readings", None, "SP4")
