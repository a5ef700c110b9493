"""The shell over a mill in this process, and over one that is served: without Spark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from millstream.errors import QueryError, StateError
from millstream.generators.credit import CREDIT_STRUCTURE
from millstream.mill import Mill
from millstream.service.access import Access, Identity, digest
from millstream.service.app import make_app
from millstream.service.context import Service
from millstream.service.running import RunningMill
from millstream.service.sources import Sources
from millstream.shell.backend import Backend
from millstream.shell.local import LocalMill
from millstream.shell.remote import RemoteMill
from millstream.shell.wire import Wire
from tests.dashboard.conftest import served

READINGS = """<readings>
  <reading id="1"><minute>1</minute><place>weir</place><level>2.10</level></reading>
  <reading id="2"><minute>4</minute><place>weir</place><level>2.25</level></reading>
</readings>
"""
HIGH = 'for $r in stream("readings")/readings/reading where $r/level >= 2.2 return $r/minute'


@pytest.fixture
def mill(tmp_path: Path) -> Iterator[Mill]:
    (tmp_path / "readings.xml").write_text(READINGS)
    with Mill(tmp_path / "space") as opened:
        opened.create_stream("readings", tmp_path / "readings.xml", order_by="minute")
        yield opened


@pytest.fixture(params=["here", "elsewhere"])
def backend(request: pytest.FixtureRequest, mill: Mill, tmp_path: Path) -> Iterator[Backend]:
    if request.param == "here":
        yield LocalMill(mill, "here")
        return
    service = Service(RunningMill(mill), sources=Sources([str(tmp_path)]))
    with served(make_app(service, turning=False)) as address:
        yield RemoteMill(Wire(address))


def test_paths_are_known(backend: Backend) -> None:
    (shape,) = backend.shapes()
    assert ("readings", "reading", "level") in shape.paths
    assert ("readings", "reading", "@id") in shape.paths


def test_streams_are_listed(backend: Backend) -> None:
    assert [each["name"] for each in backend.streams()] == ["readings"]


def test_query_is_explained(backend: Backend) -> None:
    parts = backend.explain(HIGH)
    assert "Scan readings" in parts["algebra"] and "minute" in parts["properties"]


def test_mistake_is_told_at_its_place(backend: Backend) -> None:
    wrong = HIGH.replace("level", "levl")
    with pytest.raises(QueryError) as caught:
        backend.check(wrong)
    assert "no path reading/levl" in str(caught.value)
    assert "^^^^" in str(caught.value) and "did you mean" in str(caught.value)


def test_subscription_comes_and_goes(backend: Backend) -> None:
    assert backend.subscribe(HIGH, "high") == "high"
    assert [each["name"] for each in backend.subscriptions()] == ["high"]
    assert backend.text_of("high") == HIGH and backend.text_of("low") is None
    assert backend.costs("high")["made_from"]
    backend.cancel("high")
    assert backend.subscriptions() == []


def test_tag_waits(backend: Backend) -> None:
    backend.attach("readings", "rushing", {"lifespan": "30 min"})
    assert [each["content"] for each in backend.tags("readings")] == ["rushing"]
    assert backend.cloud("readings") == [] and backend.contents() == ()


def test_what_is_not_there_is_told(backend: Backend) -> None:
    for asked in (
        lambda: backend.tags("nothing"),
        lambda: backend.quarantine("nothing"),
        lambda: backend.cancel("nothing"),
        lambda: backend.create("more", "nowhere", {"orderby": "minute"}),
    ):
        with pytest.raises((QueryError, StateError)):
            asked()


def test_stream_is_made(backend: Backend, tmp_path: Path) -> None:
    notes = backend.create("more", str(tmp_path / "readings.xml"), {"order_by": "minute"})
    assert any("minute" in each for each in notes)
    assert [each.name for each in backend.shapes()] == ["readings", "more"]


def test_token_is_needed_where_one_is_asked_for(mill: Mill) -> None:
    access = Access([(digest("secret"), Identity("ada"))])
    with served(make_app(Service(RunningMill(mill), access), turning=False)) as address:
        with pytest.raises(StateError, match="a token is needed"):
            RemoteMill(Wire(address))
        assert RemoteMill(Wire(address, "secret")).subscriptions() == []


def test_silence_is_told() -> None:
    with pytest.raises(StateError, match="does not answer"):
        RemoteMill(Wire("http://127.0.0.1:9"))


def test_history_is_checked_for_syntax_and_asked(backend: Backend, tmp_path: Path) -> None:
    (tmp_path / "credit").mkdir()
    (tmp_path / "credit" / "tag-structure.xml").write_text(CREDIT_STRUCTURE)
    backend.create("credit", str(tmp_path / "credit"), {"schema": CREDIT_STRUCTURE})
    backend.check('for $t in stream("credit")//transaction order by $t/amount return $t')
    with pytest.raises(QueryError, match="expected 'return'"):
        backend.check('for $t in stream("credit")//transaction')
