"""Two hundred readers at once: everyone gets every item once, in order."""

from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path

import pytest

from tests.service.live import Live, eventually, serving

READERS = 200
SECONDS = 60
A_SECOND = 50
ALL = (
    """<all>{ for $t in stream("ticks")/ticks/tick where $t/n >= 0 return <t>{ $t/n }</t> }</all>"""
)
_ITEM = re.compile(rb"^id: (\S+)\nevent: item\ndata: \{[^\n]*<n>(\d+)</n>[^\n]*\n\n", re.MULTILINE)


def put(folder: Path, first: int, last: int) -> None:
    items = "\n".join(f"<tick><n>{each}</n></tick>" for each in range(first, last))
    temporary = folder / f".{first}"
    temporary.write_text(f"<ticks>\n{items}\n</ticks>\n")
    temporary.rename(folder / f"{first:06d}.xml")


async def read(port: int, total: int, leaves_at: int | None) -> list[int]:
    """What one reader gets; some leave on the way, and come back with the last id they saw."""
    found: list[int] = []
    last = b""
    while len(found) < total:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        resume = b"Last-Event-ID: " + last + b"\r\n" if last else b""
        path = b"/v1/subscriptions/all/events"
        writer.write(b"GET " + path + b" HTTP/1.0\r\nHost: localhost\r\n" + resume + b"\r\n")
        waiting = b""
        while len(found) < total and (chunk := await reader.read(1 << 16)):
            waiting += chunk
            end = 0
            for each in _ITEM.finditer(waiting):
                last, end = each[1], each.end()
                found.append(int(each[2]))
                if leaves_at is not None and len(found) >= leaves_at:
                    break
            waiting = waiting[end:]
            if leaves_at is not None and len(found) >= leaves_at:
                leaves_at = None
                break
        writer.close()
    return found


async def scene(live: Live, source: Path) -> tuple[list[list[int]], float]:
    total = SECONDS * A_SECOND
    readers = [
        asyncio.create_task(read(live.port, total, total // 3 if n % 10 == 0 else None))
        for n in range(READERS)
    ]
    began = time.monotonic()
    for each in range(0, total, A_SECOND // 2):
        put(source, each, each + A_SECOND // 2)
        await asyncio.sleep(max(0.0, began + (each + A_SECOND // 2) / A_SECOND - time.monotonic()))
    fed = time.monotonic()
    found = await asyncio.wait_for(asyncio.gather(*readers), 120)
    return found, time.monotonic() - fed


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(600)
def test_everyone_gets_every_item_once_and_in_order(tmp_path: Path) -> None:
    source = tmp_path / "ticks"
    source.mkdir()
    dtd = "<!ELEMENT ticks (tick*)><!ELEMENT tick (n)><!ELEMENT n (#PCDATA)>"
    with serving(tmp_path / "space", "--source", tmp_path) as live:
        new = {"name": "ticks", "source": "ticks", "schema": dtd, "types": {"n": "integer"}}
        live.post("/v1/streams", new)
        live.post("/v1/subscriptions", {"text": ALL, "name": "all"})
        eventually(lambda: live.get("/v1/health")["streams"]["ticks"]["state"] == "running")
        found, late = asyncio.run(scene(live, source))
        assert found == [list(range(SECONDS * A_SECOND))] * READERS
        assert late < 30
        print(f"{READERS} readers, {SECONDS * A_SECOND} items each; the last {late:.1f} s late")
