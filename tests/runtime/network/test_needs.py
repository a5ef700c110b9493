"""What must go on flowing is what somebody reads, and what that is made from."""

from __future__ import annotations

from millstream.runtime.network.needs import Needs, needs
from millstream.runtime.records import FlowRecord, StreamRecord, SubscriptionRecord


def flow(name: str, source: str) -> FlowRecord:
    return FlowRecord(name, source, source, f"tap {name}", ("A", "B"), name, 0, {})


def stream(name: str, flow: str | None = None) -> StreamRecord:
    return StreamRecord(name, "", "xml", {}, fed_by=flow and f"tap {flow}")


def reader(name: str, *streams: str, cancelled: bool = False) -> SubscriptionRecord:
    return SubscriptionRecord(name, 0, "", streams, cancelled=cancelled)


def tap(name: str, stream: str) -> SubscriptionRecord:
    return SubscriptionRecord(f"tap {name}", 0, "", (stream,), tap=True)


FLOWS = (flow("vela", "photons"), flow("rxj", "vela@A"), flow("average", "vela@B"))
STREAMS = {
    each.name: each
    for each in (
        stream("photons"),
        stream("vela@A", "vela"),
        stream("vela@B", "vela"),
        stream("rxj@B", "rxj"),
        stream("average@B", "average"),
    )
}
TAPS = (tap("vela", "photons"), tap("rxj", "vela@A"), tap("average", "vela@B"))


def found(*readers: SubscriptionRecord) -> Needs:
    return needs((*TAPS, *readers), STREAMS, FLOWS)


def test_taps_alone_need_nothing() -> None:
    assert found() == Needs(frozenset(), frozenset())


def test_what_is_read_is_needed_with_all_that_it_is_made_from() -> None:
    expected = Needs(frozenset({"rxj@B", "vela@A", "photons"}), frozenset({"rxj", "vela"}))
    assert found(reader("one", "rxj@B")) == expected


def test_cancelled_subscriptions_need_nothing() -> None:
    expected = Needs(frozenset({"vela@B", "photons"}), frozenset({"vela"}))
    assert found(reader("one", "vela@B"), reader("two", "average@B", cancelled=True)) == expected


def test_several_inputs_are_all_needed() -> None:
    assert found(reader("one", "rxj@B", "average@B")).flows == {"vela", "rxj", "average"}
