"""What is heard of a stream elsewhere is kept once, whatever breaks off."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from millstream.errors import MillstreamError
from millstream.model.schema import Content, Element, Schema
from millstream.runtime.records import StreamRecord
from millstream.runtime.storage import LocalStorage
from millstream.runtime.stream_creation import new_stream
from millstream.runtime.tuning.creation import listener_of, tuned_folder, tuned_stream
from millstream.runtime.tuning.station import TOKENS, Station, token_for

TICK = Element("tick", content=Content.NESTED, children=(Element("n"),))
LAYOUT = StreamRecord.layout_of(Schema("ticks", TICK))


class Broadcast:
    """A stream of ticks, served as another Millstream would."""

    def __init__(self) -> None:
        self.items: list[str] = []
        self.layout: dict[str, Any] = LAYOUT
        self.status = 200
        self.pages = 0
        self.authorization: str | None = None
        self.address = ""

    def page(self, after: int, limit: int) -> dict[str, Any]:
        self.pages += 1
        chosen = list(enumerate(self.items))[after + 1 :][: min(limit, 3)]
        items = [{"position": str(n), "value": each} for n, each in chosen]
        last = items[-1]["position"] if items else str(after)
        return {"items": items, "next": last, "more": False, "finished": False}

    def described(self) -> dict[str, Any]:
        sample = [{"position": str(len(self.items) - 1), "value": ""}] if self.items else []
        told = {"layout": self.layout, "structure": None, "order_by": None}
        return told | {"anchor": "0", "lateness": 0, "sample": sample}


@pytest.fixture
def broadcast() -> Iterator[Broadcast]:
    told = Broadcast()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {name: each[0] for name, each in parse_qs(parts.query).items()}
            told.authorization = self.headers["Authorization"]
            if told.status != 200:
                content: dict[str, Any] = {"detail": "not for you"}
            elif parts.path.endswith(("/items", "/results")):
                content = told.page(int(query.get("after", -1)), int(query["limit"]))
            elif "/subscriptions/" in parts.path:
                content = {"opening": "<all>", "closing": "</all>"}
            else:
                content = told.described()
            self.send_response(told.status)
            self.end_headers()
            self.wfile.write(json.dumps(content).encode())

        def log_message(self, *arguments: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    told.address = f"http://127.0.0.1:{server.server_port}/v1/streams/ticks"
    yield told
    server.shutdown()
    server.server_close()


def test_results_elsewhere_are_a_stream_by_their_sample(
    broadcast: Broadcast, tmp_path: Path
) -> None:
    address = broadcast.address.replace("/streams/", "/subscriptions/")
    with pytest.raises(MillstreamError, match="no items yet"):
        new_stream("ticks", address)
    broadcast.items = [f"<tick><n>{n}</n></tick>" for n in range(5)]
    record = new_stream("ticks", address, order_by="n")
    assert (record.schema.root, record.schema.item.name, record.order_by) == ("all", "tick", "n")
    storage = LocalStorage(str(tmp_path))
    listener = listener_of(storage, record)
    assert listener is not None
    listener.catch_up()
    assert heard(storage) == broadcast.items
    with pytest.raises(MillstreamError, match="from their beginning"):
        new_stream("ticks", f"{address}?from=now")


def heard(storage: LocalStorage) -> list[str]:
    """All items in the files that the intake reads, in order."""
    folder = Path(storage.address(tuned_folder("ticks")))
    lines = [line for each in sorted(folder.glob("*.xml")) for line in each.read_text().split("\n")]
    return [line for line in lines if line.startswith("<tick>")]


def tuned(broadcast: Broadcast, query: str = "") -> StreamRecord:
    address = broadcast.address + query
    return tuned_stream("ticks", address, {}, retention="all", finite=False)


def test_listener_goes_on_behind_what_it_heard(broadcast: Broadcast, tmp_path: Path) -> None:
    storage, record = LocalStorage(str(tmp_path)), tuned(broadcast)
    for count in (0, 4, 4, 9):
        broadcast.items = [f"<tick><n>{n}</n></tick>" for n in range(count)]
        listener = listener_of(storage, record)  # as after a restart
        assert listener is not None
        listener.catch_up()
    assert heard(storage) == broadcast.items


def test_who_tunes_in_late_may_pass_over_the_past(broadcast: Broadcast, tmp_path: Path) -> None:
    storage = LocalStorage(str(tmp_path))
    broadcast.items = ["<tick><n>0</n></tick>", "<tick><n>1</n></tick>"]
    record = tuned(broadcast, "?from=now")
    for each in (2, 3):
        listener = listener_of(storage, record)
        assert listener is not None
        broadcast.items.append(f"<tick><n>{each}</n></tick>")
        listener.catch_up()
    assert heard(storage) == broadcast.items[2:]


def test_listener_survives_a_station_that_is_away(broadcast: Broadcast, tmp_path: Path) -> None:
    storage, record = LocalStorage(str(tmp_path)), tuned(broadcast)
    broadcast.status = 503
    listener = listener_of(storage, record)
    assert listener is not None
    with pytest.raises(MillstreamError, match="not for you"):
        listener.catch_up()
    listener.check()
    broadcast.status = 200
    broadcast.items = ["<tick><n>0</n></tick>"]
    listener.catch_up()
    assert heard(storage) == broadcast.items


def test_thread_listens_and_tells_what_will_never_work(
    broadcast: Broadcast, tmp_path: Path
) -> None:
    listener = listener_of(LocalStorage(str(tmp_path)), tuned(broadcast))
    assert listener is not None
    broadcast.status = 403
    listener.start()
    for _ in range(200):
        if listener.trouble is not None:
            break
        threading.Event().wait(0.01)
    listener.stop()
    with pytest.raises(MillstreamError, match=r"refuses \(403\): not for you"):
        listener.check()


def test_schema_is_that_of_the_station(broadcast: Broadcast) -> None:
    record = tuned(broadcast)
    assert (record.schema.item, record.format) == (TICK, "xml")
    with pytest.raises(MillstreamError, match="where its order by is told"):
        tuned_stream("t", broadcast.address, {"order_by": "n"}, retention="all", finite=False)


def test_items_that_xml_cannot_name_are_refused(broadcast: Broadcast) -> None:
    broadcast.layout = StreamRecord.layout_of(
        Schema("ticks", Element("tick", content=Content.NESTED, children=(Element("a b"),)))
    )
    with pytest.raises(MillstreamError, match="'a b' is no name in XML"):
        tuned(broadcast)


def test_what_is_no_millstream_is_told(broadcast: Broadcast) -> None:
    broadcast.layout = {"root": 1}
    with pytest.raises(MillstreamError):
        tuned(broadcast)
    with pytest.raises(MillstreamError, match="does not answer"):
        Station("http://127.0.0.1:9/v1/streams/x").described()
    with pytest.raises(MillstreamError, match="holds no password"):
        Station("http://ada:secret@127.0.0.1/v1/streams/x")


def test_token_goes_only_to_whom_it_is_for(
    broadcast: Broadcast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = broadcast.address.removesuffix("/v1/streams/ticks")
    (tmp_path / "tokens.toml").write_text(f'"{start}" = "secret"\n"https://other" = "x"\n')
    monkeypatch.setenv(TOKENS, str(tmp_path / "tokens.toml"))
    tuned(broadcast)
    assert broadcast.authorization == "Bearer secret"
    assert token_for(f"{start}0/v1/streams/ticks") is None
