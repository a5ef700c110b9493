"""Scenarios: networks with streams and queries, read from files, for experiments and demos."""

from millstream.scenarios.reading import read_scenario, scenario, shipped
from millstream.scenarios.scenario import (
    STRATEGIES,
    FileSource,
    PhotonSource,
    Scenario,
    ScenarioQuery,
    ScenarioStream,
    Settings,
)
from millstream.scenarios.sources import items, schema_of, written

__all__ = [
    "STRATEGIES",
    "FileSource",
    "PhotonSource",
    "Scenario",
    "ScenarioQuery",
    "ScenarioStream",
    "Settings",
    "items",
    "read_scenario",
    "scenario",
    "schema_of",
    "shipped",
    "written",
]
