"""Flows go around peers that are away, with all that was under way; the rest waits."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import millstream
from millstream.coordination import Coordinator, Situation
from millstream.errors import StateError
from millstream.mill import Mill
from millstream.peer import Peer
from millstream.runtime.peers.links import Links
from millstream.runtime.peers.packet import Packet
from millstream.runtime.peers.presence import Presence
from millstream.runtime.peers.rerouting import Rerouting
from millstream.sharing.network import cube
from tests.runtime.peers.shared import create, subscribe


@pytest.fixture
def mill(tmp_path: Path) -> Iterator[Mill]:
    with millstream.open(tmp_path / "space", network=cube(), peers=True) as mill:
        create(mill, tmp_path / "photons")
        subscribe(mill, "vela")
        yield mill


def put(mill: Mill, hop: tuple[str, str], *batches: int) -> Links:
    links = Links(mill.space.storage)
    for batch in batches:
        links.send("flow vela", hop, batch, Packet(batch).to_bytes())
    return links


def waiting(links: Links, *hop: str) -> list[int]:
    start, end = hop
    return [packet.batch for packet, _ in links.waiting("flow vela", (start, end))]


def test_flow_goes_around_a_peer_that_only_passes_it_on(mill: Mill) -> None:
    rerouting: Rerouting = mill.plans.rerouting()
    assert rerouting.flows.records["vela"].route == ("SP4", "SP5", "SP1")
    links = put(mill, ("SP4", "SP5"), 5, 6)
    put(mill, ("SP5", "SP1"), 3, 4)
    (done,) = rerouting.around({"SP5"})
    assert done.after == ("SP4", "SP0", "SP1")
    assert rerouting.flows.records["vela"].route == done.after
    assert waiting(links, "SP4", "SP0") == [3, 4, 5, 6]
    assert not waiting(links, "SP4", "SP5") and not waiting(links, "SP5", "SP1")
    assert not rerouting.waiting({"SP5"})


def test_flow_is_rerouted_for_whoever_opens_the_space_next(mill: Mill, tmp_path: Path) -> None:
    mill.plans.rerouting().around({"SP5"})
    mill.close()
    with millstream.open(tmp_path / "space") as again:
        assert again.plans.rerouting().flows.records["vela"].route == ("SP4", "SP0", "SP1")
        assert again.plans.planner.flow("vela").route == ("SP4", "SP0", "SP1")


@pytest.mark.parametrize("away", ["SP4", "SP1"])
def test_peers_where_a_flow_begins_and_ends_are_waited_for(mill: Mill, away: str) -> None:
    rerouting = mill.plans.rerouting()
    links = put(mill, ("SP4", "SP5"), 5)
    assert rerouting.around({away}) == []
    assert rerouting.waiting({away}) == {"vela": (away,)}
    assert waiting(links, "SP4", "SP5") == [5]


def test_without_another_way_a_flow_waits(mill: Mill) -> None:
    rerouting = mill.plans.rerouting()
    assert rerouting.around({"SP5", "SP0", "SP3"}) == []
    assert rerouting.waiting({"SP5", "SP0", "SP3"}) == {"vela": ("SP5",)}


def test_coordinator_tells_who_is_there(mill: Mill, tmp_path: Path) -> None:
    mill.close()
    space = tmp_path / "space"
    coordinator = Coordinator(space, away=0.2)
    with millstream.open(space) as again:
        signs = [Presence(again.space.storage, name) for name in ("SP4", "SP1", "SP5")]
    (space / "peers").mkdir(exist_ok=True)
    for each in signs:
        each.start()
        each.stop()
    there = Coordinator(space, away=60).look()
    assert there is not None and there.present == ("SP1", "SP4", "SP5")
    assert there.unseen == ("SP0", "SP2", "SP3", "SP6", "SP7") and not there.waiting
    gone = _later(coordinator)
    assert gone.away == ("SP1", "SP4", "SP5") and gone.waiting == {"vela": ("SP1", "SP4", "SP5")}
    assert coordinator.look() is None


def _later(coordinator: Coordinator) -> Situation:
    time.sleep(0.3)
    situation = coordinator.look()
    assert situation is not None
    return situation


def test_space_for_peers_is_not_run_in_one_process(mill: Mill) -> None:
    with pytest.raises(StateError, match="turned by its peers"):
        mill.run()


def test_peers_need_a_space_that_is_made_for_them(tmp_path: Path) -> None:
    with pytest.raises(StateError, match="there is no space"):
        Peer(tmp_path / "nowhere", "SP1")
    with millstream.open(tmp_path / "one", network=cube()):
        pass
    with pytest.raises(StateError, match="one process"):
        Peer(tmp_path / "one", "SP1")


def test_subscription_that_was_worked_on_elsewhere_is_planned_anew(mill: Mill) -> None:
    """The second is made from the first at SP5: without SP5 it is made from the photons."""
    subscribe(mill, "rxj")
    rerouting = mill.plans.rerouting()
    assert rerouting.flows.records["rxj"].route[0] == "SP5"
    assert rerouting.around({"SP5"}) == []
    assert rerouting.waiting({"SP5"}) == {"vela": ("SP5",), "rxj": ("SP5",)}
    assert mill.plans.move("rxj", {"SP5"}) == "rxj~2"
    assert mill.plans.move("vela", {"SP5"}) == "vela~2"
    assert not rerouting.waiting({"SP5"})
    routes = [each.route for each in rerouting.flows.records.values()]
    assert routes and all("SP5" not in each for each in routes)
    assert list(mill.subscriptions) == ["vela", "rxj"]
    assert mill.subscriptions["rxj"].name == "rxj~2"
    mill.cancel("rxj")
    assert mill.registry.subscription("rxj~2").cancelled


def test_subscription_is_not_planned_anew_without_its_own_peer(mill: Mill) -> None:
    assert mill.plans.move("vela", {"SP1"}) is None
    assert mill.plans.move("vela", {"SP5", "SP0", "SP3"}) is None
    assert not mill.registry.subscription("vela").cancelled
