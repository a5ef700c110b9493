"""The streams of a scenario, for compiling its queries."""

from __future__ import annotations

from collections.abc import Sequence

from millstream.model.schema import Schema
from millstream.scenarios import Scenario, schema_of


class ScenarioCatalog:
    """The schemas of a scenario's streams by name."""

    def __init__(self, scenario: Scenario) -> None:
        self._schemas = {each.name: schema_of(each) for each in scenario.streams}

    def schema(self, stream_name: str, /) -> Schema:
        return self._schemas[stream_name]

    def names(self) -> Sequence[str]:
        return tuple(self._schemas)
