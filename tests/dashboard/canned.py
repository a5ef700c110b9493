"""What the fake service tells: a photon network, readings with tags, and credit accounts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from millstream.service.shapes.network import FlowUse, LinkUse, NetworkPage, PeerUse, StrategyName
from millstream.service.shapes.streams import Leaf, SampleItem, StreamPage

VELA = """<photons>
  { for $p in stream("photons")/photons/photon
    where $p/coord/cel/ra >= 120.0 and $p/coord/cel/ra <= 138.0
    return <vela> { $p/coord/cel/ra } { $p/en } { $p/det_time } </vela> }
</photons>"""
LEAVES = {
    "photons": (
        ("phc", "integer"),
        ("coord/cel/ra", "double"),
        ("coord/cel/dec", "double"),
        ("en", "decimal"),
        ("det_time", "decimal"),
    ),
    "readings": (("minute", "integer"), ("place", "text"), ("level", "decimal")),
}
STRUCTURE = """<stream:structure>
<tag type="snapshot" id="1" name="creditAccounts">
  <tag type="temporal" id="2" name="account">
    <tag type="snapshot" id="3" name="customer"/>
    <tag type="temporal" id="4" name="creditLimit"/>
    <tag type="event" id="5" name="transaction">
      <tag type="snapshot" id="6" name="vendor"/>
      <tag type="snapshot" id="7" name="amount"/>
    </tag>
  </tag>
</tag>
</stream:structure>"""
ROUTES: dict[StrategyName, dict[str, tuple[str, ...]]] = {
    "sharing": {
        "vela": ("SP4", "SP5", "SP1"),
        "rxj": ("SP1", "SP3"),
        "average_20": ("SP5", "SP7"),
        "average_60": ("SP7", "SP6"),
    },
    "query-shipping": {
        "vela": ("SP4", "SP5", "SP1"),
        "rxj": ("SP4", "SP6", "SP7", "SP3"),
        "average_20": ("SP4", "SP5", "SP7"),
        "average_60": ("SP4", "SP6"),
    },
}
ROUTES["data-shipping"] = ROUTES["query-shipping"]
RATES: dict[str, float] = {"vela": 9200, "rxj": 3100, "average_20": 480, "average_60": 160}
MADE_FROM = {"rxj": "vela", "average_20": "vela", "average_60": "average_20"}


def photon(number: int) -> str:
    ra, dec = 120 + 9 * (1 + math.sin(number / 7)), -49 + 4 * math.cos(number / 5)
    energy = 1.6 + math.sin(number / 3)
    return (
        f"<photon><phc>{number % 90}</phc><coord><cel><ra>{ra:.4f}</ra><dec>{dec:.4f}</dec></cel>"
        f"</coord><en>{energy:.3f}</en><det_time>{number / 4:.2f}</det_time></photon>"
    )


def vela_result(number: int) -> str:
    ra, energy = 120 + 9 * (1 + math.sin(number / 7)), 1.6 + math.sin(number / 3)
    return (
        f"<vela><ra>{ra:.4f}</ra><en>{energy:.3f}</en><det_time>{number / 4:.2f}</det_time></vela>"
    )


def reading(number: int) -> str:
    place = ("weir", "mill", "bridge")[number % 3]
    level = 2.2 + 0.6 * math.sin(number / 4)
    return (
        f"<reading><minute>{number}</minute><place>{place}</place>"
        f"<level>{level:.2f}</level></reading>"
    )


def fillers() -> Iterator[str]:
    """A document of two accounts, and what became of them."""

    def filler(id: int, tsid: int, time: str, content: str) -> str:
        return f'<filler id="{id}" tsid="{tsid}" validTime="{time}">{content}</filler>'

    first = "1998-10-10T12:20:22"
    account = (
        '<account id="{}"><customer>{}</customer>'
        '<hole id="{}" tsid="4"/><hole id="{}" tsid="5"/></account>'
    )
    yield filler(2, 4, first, "<creditLimit>2000</creditLimit>")
    yield filler(1, 2, first, account.format(1234, "John Smith", 2, 3))
    yield filler(0, 1, first, '<creditAccounts><hole id="1" tsid="2"/></creditAccounts>')
    yield filler(2, 4, "2001-04-23T23:11:08", "<creditLimit>5000</creditLimit>")
    bought = "<transaction><vendor>{}</vendor><amount>{}</amount></transaction>"
    for number, vendor in enumerate(("Southlake Pizza", "ResAris Contaceu", "Book Barn", "Grocer")):
        content = bought.format(vendor, 20 + 18.2 * number)
        yield filler(3, 5, f"2003-1{number % 3}-0{number + 1}T12:23:34", content)
    yield filler(2, 4, "2004-02-01T09:00:00", "<creditLimit>6500</creditLimit>")


def stream_page(name: str, items: int, sample: list[SampleItem]) -> StreamPage:
    """A stream as it is after so many items."""
    history = name == "credit"
    root, item = {"photons": ("photons", "photon"), "readings": ("readings", "reading")}.get(
        name, ("fragments", "filler")
    )
    facts: dict[str, Any] = {
        "kind": "fillers" if history else "items",
        "order_by": {"photons": "det_time", "readings": "minute"}.get(name),
        "key": {"readings": "place"}.get(name),
        "leaves": [
            Leaf(path=path, type=type, repeated=False)  # type: ignore[arg-type]
            for path, type in LEAVES.get(name, ())
        ],
        "layout": {"root": root, "item": {"name": item}},
        "structure": STRUCTURE if history else None,
        "anchor": "0",
        "lateness": 0,
        "notes": [] if history else [f"{item}: the items ({items} seen, below {root})"],
        "source": f"streams/{name}/*.xml",
    }
    return StreamPage(
        name=name,
        item=item,
        peer="SP4",
        owner="local",
        steps=items // 4 + 1,
        items=items,
        quarantined=2 if name == "readings" else 0,
        bytes=items * 164,
        rate=0.0 if history else 3.9 + (items % 7) / 10,
        ended=False,
        sample=sample,
        **facts,
    )


def network(strategy: StrategyName, active: set[str]) -> NetworkPage:
    """A cube of eight peers, by a strategy."""
    ends = [(a, a | bit) for a in range(8) for bit in (1, 2, 4) if not a & bit]
    traffic = {(f"SP{a}", f"SP{b}"): 0.0 for a, b in ends}
    flows = [FlowUse(name="photons", route=["SP4"], made_from=None, subscription=None)]
    for name, route in ROUTES[strategy].items():
        if name not in active:
            continue
        rate = 16400.0 if strategy == "data-shipping" else RATES[name]
        for one, other in pairwise(route):
            traffic[min(one, other), max(one, other)] += rate
        made = MADE_FROM.get(name, "photons") if strategy == "sharing" else "photons"
        flows.append(FlowUse(name=name, route=list(route), made_from=made, subscription=name))
    actual = strategy == "sharing"
    work = {"SP4": 0.31, "SP5": 0.12, "SP1": 0.08, "SP7": 0.05, "SP3": 0.03, "SP6": 0.02}
    return NetworkPage(
        strategy=strategy,
        actual=actual,
        peers=[
            PeerUse(
                name=f"SP{each}",
                capacity=1.0,
                load=work.get(f"SP{each}", 0.0),
                share=work.get(f"SP{each}", 0.0),
                seconds=12.5 * work.get(f"SP{each}", 0.0),
                items=4200 if f"SP{each}" in work else 0,
                steps=31 if f"SP{each}" in work else 0,
            )
            for each in range(8)
        ],
        links=[
            LinkUse(
                source=one,
                target=other,
                bandwidth=125000.0,
                traffic=each,
                share=each / 125000,
                bytes=int(each * 55) if actual else 0,
                items=int(each / 3) if actual else 0,
            )
            for (one, other), each in traffic.items()
        ],
        flows=flows,
    )
