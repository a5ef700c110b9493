"""A service over a real mill that does not turn: no Spark is started."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from millstream.mill import Mill
from millstream.service.access import Access, Identity, Right, digest
from millstream.service.app import make_app
from millstream.service.context import Service
from millstream.service.limits import Limits
from millstream.service.running import RunningMill
from millstream.service.sources import Sources

READINGS = """<readings>
  <reading><minute>1</minute><place>weir</place><level>2.10</level></reading>
  <reading><minute>4</minute><place>weir</place><level>2.25</level></reading>
  <reading><minute>9</minute><place>mill</place><level>2.70</level></reading>
</readings>
"""
HIGH = """<high>
  { for $r in stream("readings")/readings/reading
    where $r/level >= 2.5
    return <alarm> { $r/minute } { $r/level } </alarm> }
</high>"""
HIGHER = HIGH.replace("2.5", "2.6")

ADA = Identity("ada", frozenset({Right.CREATE}))
BOB = Identity("bob", limits=Limits(subscriptions=1, query_bytes=1000, readers=2))
EVE = Identity("eve", streams=("public*",))
OPERATOR = Identity("olga", frozenset({Right.OPERATE}))
TOKENS = Access((digest(f"{each.name}-token"), each) for each in (ADA, BOB, EVE, OPERATOR))


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A folder with a file that streams may be made of."""
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "readings.xml").write_text(READINGS)
    return folder


@pytest.fixture
def mill(tmp_path: Path, sources: Path) -> Iterator[Mill]:
    with Mill(tmp_path / "space") as opened:
        opened.create_stream("readings", sources / "readings.xml", order_by="minute", owner="ada")
        yield opened


@pytest.fixture
def service(mill: Mill, sources: Path) -> Service:
    """A service that asks for no token."""
    return Service(RunningMill(mill), sources=Sources([str(sources)]))


@pytest.fixture
def guarded(mill: Mill, sources: Path) -> Service:
    """A service that asks for tokens."""
    return Service(RunningMill(mill), TOKENS, Sources([str(sources)]))


def client_of(service: Service, who: str | None = None) -> TestClient:
    """Somebody who asks a service."""
    headers = {} if who is None else {"Authorization": f"Bearer {who}-token"}
    app = make_app(service, turning=False)
    return TestClient(app, "http://localhost", headers=headers, raise_server_exceptions=False)


@pytest.fixture
def client(service: Service) -> TestClient:
    return client_of(service)
