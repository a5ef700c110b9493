"""Queries drawn from templates: constants come from small sets, so that many have much in common.

A template is a query with places for constants:

    where $p/coord/cel/ra >= %box.low% and $p/en >= %energy%

`%energy%` is one of the values of that name; `%box.low%` is a field of one of its tables, and all
fields of a name in one query are of the same table. `%stream%` is the name of the stream.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from millstream.errors import SchemaError, did_you_mean
from millstream.scenarios.scenario import ScenarioQuery

Constant = str | int | float
Choice = Constant | Mapping[str, Constant]
"""One value, or several that belong together."""

_PLACE = re.compile(r"%([a-z_]\w*)(?:\.([a-z_]\w*))?%", re.IGNORECASE)
_STREAM = "stream"
_Drawn = TypeVar("_Drawn")


@dataclass(frozen=True, slots=True)
class Pool:
    """Templates, the values for their places, and where the queries go."""

    templates: tuple[str, ...]
    values: Mapping[str, tuple[Choice, ...]]
    streams: tuple[str, ...]
    peers: tuple[str, ...]

    def __post_init__(self) -> None:
        for kind in ("templates", "streams", "peers"):
            if not getattr(self, kind):
                raise SchemaError(f"a pool of queries needs {kind}")
        for template in self.templates:
            for name, part in _PLACE.findall(template):
                self._check(name, part)

    def draw(
        self, count: int, seed: int, prefix: str = "Q", first: int = 1
    ) -> tuple[ScenarioQuery, ...]:
        """So many queries; equal seeds draw equal ones, and a longer draw begins like a shorter."""
        random = Random(seed)
        numbers = range(first, first + count)
        return tuple(self._query(f"{prefix}{number}", random) for number in numbers)

    def _query(self, name: str, random: Random) -> ScenarioQuery:
        peer = _one_of(self.peers, random)
        drawn: dict[str, Choice] = {_STREAM: _one_of(self.streams, random)}
        template = _one_of(self.templates, random)
        for place, _ in _PLACE.findall(template):
            if place not in drawn:
                drawn[place] = _one_of(self.values[place], random)
        return ScenarioQuery(name, _PLACE.sub(lambda at: _written(at, drawn), template), peer)

    def _check(self, name: str, part: str) -> None:
        if name == _STREAM and not part:
            return
        if name not in self.values:
            raise SchemaError(
                f"a template of the pool has a place %{name}%, which has no values",
                help=did_you_mean(name, (*self.values, _STREAM)),
            )
        if not self.values[name]:
            raise SchemaError(f"the pool has no values for %{name}%")
        for choice in self.values[name]:
            fields = choice if isinstance(choice, Mapping) else {"": choice}
            if part not in fields:
                place = f"%{name}.{part}%" if part else f"%{name}%"
                raise SchemaError(
                    f"a template of the pool has a place {place}, which a value does not fit",
                    help=did_you_mean(part, filter(None, fields)),
                )


def _written(place: re.Match[str], drawn: Mapping[str, Choice]) -> str:
    choice = drawn[place[1]]
    return str(choice[place[2]] if isinstance(choice, Mapping) else choice)


def _one_of(choices: Sequence[_Drawn], random: Random) -> _Drawn:
    # Of all methods only random() is promised to give the same numbers in every version of Python.
    return choices[int(random.random() * len(choices))]
