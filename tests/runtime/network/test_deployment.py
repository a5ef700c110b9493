"""Flows are installed, remembered, and let go with those who read them; no step runs here."""

from __future__ import annotations

from pathlib import Path

import pytest

from millstream.errors import MillstreamError
from millstream.generators.photon_queries import AVERAGE_20, RXJ, VELA
from tests.runtime.network.peers import Hand, PeerMill

PAST = Hand(flow="vela", route=("SP4", "SP5", "SP1"))
ONWARD = Hand("vela", "SP5", "rxj", ("SP5", "SP7"))


def opened(space: Path) -> PeerMill:
    mill = PeerMill(space, None)
    if "photons" not in mill.registry.streams:
        mill.create_photons()
        mill.deploy(VELA, "vela", "SP1", PAST)
        mill.deploy(RXJ, "rxj", "SP7", ONWARD)
    return mill


def fed(mill: PeerMill) -> dict[str, str]:
    """The streams between peers, and where they are."""
    return {name: each.record.peer for name, each in mill.peers.streams.items()}


def test_every_flow_is_a_stream_where_it_is_read(tmp_path: Path) -> None:
    with opened(tmp_path) as mill:
        assert fed(mill) == {"vela@SP1": "SP1", "vela@SP5": "SP5", "rxj@SP7": "SP7"}
        assert mill.peers.flows["rxj"].source == "vela@SP5"
        assert [each.record.name for each in mill.peers.made_from("photons")] == [
            "vela@SP5",
            "vela@SP1",
            "rxj@SP7",
        ]


def test_users_see_neither_taps_nor_streams_between_peers(tmp_path: Path) -> None:
    with opened(tmp_path) as mill:
        assert list(mill.registry.names()) == ["photons"]
        assert list(mill.subscriptions) == ["vela", "rxj"]
        assert mill.subscriptions["rxj"].text == RXJ
        assert mill.subscriptions["rxj"].query.streams == ("photons",)
        assert mill.registry.subscription("rxj").streams == ("rxj@SP7",)


def test_reopened_space_has_the_same_flows(tmp_path: Path) -> None:
    with opened(tmp_path) as mill:
        flows, executed = dict(mill.peers.flows), mill.registry.registered("rxj").executed
    with opened(tmp_path) as mill:
        assert mill.peers.flows == flows
        assert mill.registry.registered("rxj").executed == executed
        assert fed(mill) == {"vela@SP1": "SP1", "vela@SP5": "SP5", "rxj@SP7": "SP7"}


def test_flows_live_while_others_depend_on_them(tmp_path: Path) -> None:
    with opened(tmp_path) as mill:
        assert mill.peers.cancel("vela") == ()
        assert set(mill.peers.flows) == {"vela", "rxj"}
        assert mill.peers.cancel("rxj") == ("vela", "rxj")
        assert not mill.peers.flows


def test_streams_stay_for_results_that_may_be_read(tmp_path: Path) -> None:
    with opened(tmp_path) as mill:
        mill.peers.cancel("rxj")
        assert fed(mill) == {"vela@SP1": "SP1", "rxj@SP7": "SP7"}
        assert list(mill.subscriptions["rxj"].results()) == []
        assert not (tmp_path / "streams" / "vela@SP5").exists()


def test_a_name_may_be_used_again_for_another_flow(tmp_path: Path) -> None:
    with opened(tmp_path) as mill:
        mill.peers.cancel("rxj")
        mill.contents.pop("rxj")
        mill.deploy(AVERAGE_20, "average", "SP7", ONWARD)
        assert fed(mill)["rxj@SP7.2"] == "SP7"
        assert mill.registry.subscription("average").streams == ("rxj@SP7.2",)
    with opened(tmp_path) as mill:
        assert mill.peers.flows["rxj"].windows is not None


def test_refused_subscription_leaves_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as mill:
        before = fed(mill)
        mill.peers.cancel("rxj")
        mill.contents.pop("rxj")
        with pytest.raises(MillstreamError, match="already"):
            mill.deploy(RXJ, "rxj", "SP7", ONWARD)
        assert set(mill.peers.flows) == {"vela"}
        assert set(fed(mill)) < set(before)


def test_subscription_at_the_source_needs_no_flow(tmp_path: Path) -> None:
    with opened(tmp_path) as mill:
        before = fed(mill)
        mill.deploy(AVERAGE_20, "here", "SP4", Hand())
        assert mill.registry.subscription("here").plan is None
        assert fed(mill) == before
