"""The nouns of a scenario refuse what cannot be."""

from __future__ import annotations

import pytest

from millstream.errors import MillstreamError
from millstream.scenarios import PhotonSource, Scenario, ScenarioQuery, ScenarioStream, Settings
from millstream.sharing.network import small

PHOTONS = ScenarioStream("photons", "SP0", PhotonSource(10))
QUERY = ScenarioQuery("Q1", "1", "SP1")


def test_streams_and_queries_by_name() -> None:
    found = Scenario("one", small(), (PHOTONS,), (QUERY,))
    assert (found.stream("photons"), found.query("Q1")) == (PHOTONS, QUERY)


@pytest.mark.parametrize(
    ("streams", "queries", "message"),
    [
        ((PHOTONS, PHOTONS), (), "there is another stream 'photons'"),
        ((PHOTONS,), (QUERY, QUERY), "there is another query 'Q1'"),
        ((PHOTONS,), (ScenarioQuery("Q2", "1", "SP4"),), "there is no peer 'SP4'"),
    ],
)
def test_what_cannot_be(
    streams: tuple[ScenarioStream, ...], queries: tuple[ScenarioQuery, ...], message: str
) -> None:
    with pytest.raises(MillstreamError, match=message):
        Scenario("one", small(), streams, queries)


@pytest.mark.parametrize("settings", [{"gamma": 1.5}, {"gamma": -0.1}, {"strategy": "shares"}])
def test_settings_that_cannot_be(settings: dict[str, object]) -> None:
    with pytest.raises(MillstreamError):
        Settings(**settings)  # type: ignore[arg-type]
