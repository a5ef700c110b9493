"""millstream demo --serve: three made-up worlds that go on, with the dashboard."""

from __future__ import annotations

import os
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from millstream.cli.console import say
from millstream.cli.door import open_mill
from millstream.cli.serve import serve_mill
from millstream.errors import StateError
from millstream.generators.photon_queries import PHOTON_QUERIES

if TYPE_CHECKING:
    from millstream.generators.feeds import Feed
    from millstream.mill import Mill

EVERY = 2.0
"""Seconds from one file of a feed to the next."""
PEERS = {"vela": "SP1", "rxj": "SP7", "average_20": "SP3", "average_60": "SP2"}
"""Where the results of the photon queries are made; photons come in at SP4."""
VEHICLE_QUERIES = {
    "unhappy": "SELECT TAGGED OBJECTS FROM vehicles\nWHERE TAG EQUIVALENT TO 'sad'\nWITH TAGS",
    "rushing": "ATTACH TAG 'rushing' CONTINUOUSLY TO vehicles.speed\n"
    "WHERE speed > 0.005 AND object_type = 'car'\nWITH TAG_SIGN = '-'",
    "moods": "SELECT TAG, AVG(speed) FROM vehicles [5 min]\nGROUP BY TAGS USING DICTIONARY",
}
CREDIT_QUERIES = {
    "large_charges": """\
for $t in stream("credit")//transaction
where $t/amount > 300
return <large id="{ $t/@id }">{ $t/vendor, $t/amount }</large>""",
    "in_question": """\
for $t in stream("credit")//transaction
where $t/status?[now] = "suspended"
return <questioned id="{ $t/@id }">{ $t/vendor, $t/amount }</questioned>""",
}


def serve_demo(space: Path | None, port: int, as_json: bool) -> None:
    """Serve photons, vehicles and credit accounts until somebody ends it."""
    from millstream.generators.feeds import Feeding
    from millstream.service.server import Place

    with (
        tempfile.TemporaryDirectory(prefix="millstream-demo-") as folder,
        worlds(Path(folder), space) as (mill, feeds),
        Feeding(feeds, EVERY),
    ):
        serve_mill(mill, Place(port=port), "the demo", as_json=as_json, opened=_opened)


@contextmanager
def worlds(folder: Path, space: Path | None) -> Iterator[tuple[Mill, list[Feed]]]:
    """A mill with three streams and their subscriptions, and what feeds them."""
    from millstream.generators.credit import CREDIT_STRUCTURE
    from millstream.generators.feeds import credit_feed, photon_feed, vehicle_feed
    from millstream.generators.photons import PHOTONS_DTD
    from millstream.sharing.network import cube

    feeds = [
        photon_feed(folder / "photons"),
        vehicle_feed(folder / "vehicles"),
        credit_feed(folder / "credit"),
    ]
    for feed in feeds:
        feed.flow()
    with open_mill(space or folder / "space", network=cube(), clock="data") as mill:
        if mill.streams:
            raise StateError(
                f"there are streams in '{space}' already",
                help="the demo begins anew: choose another space, or serve this one",
            )
        mill.create_stream(
            "photons",
            folder / "photons",
            schema=PHOTONS_DTD,
            order_by="det_time",
            peer="SP4",
            rate=80 / EVERY,
        )
        mill.create_stream("vehicles", folder / "vehicles", rate=20 / EVERY)
        mill.create_stream("credit", folder / "credit", schema=CREDIT_STRUCTURE)
        for name, text in PHOTON_QUERIES.items():
            mill.subscribe(text, name=name, peer=PEERS[name])
        for name, text in {**VEHICLE_QUERIES, **CREDIT_QUERIES}.items():
            mill.subscribe(text, name=name)
        yield mill, feeds


def _opened(address: str) -> None:
    """Show the dashboard to whoever sits here, if there is a screen."""
    say("photons, vehicles and credit accounts flow; Ctrl-C ends it")
    screen = sys.platform in ("darwin", "win32") or "DISPLAY" in os.environ
    if sys.stderr.isatty() and screen:
        webbrowser.open(address)
