"""Where in its streams a piece of query text stands, even before the text is whole."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from millstream.shell.backend import StreamShape

_NAME = r"[\w.\-:]+"
_STEPS = rf"(?:/{{1,2}}@?(?:{_NAME}|\*))*"
_STREAM = r"(?:stream|doc|collection)\(\s*[\"'](?P<stream>[^\"']*)[\"']\s*\)"
_SOURCE = rf"(?:{_STREAM}|\$(?P<from>{_NAME}))"
_BINDING = re.compile(rf"\$(?P<name>{_NAME})[^$/(]*?(?:\bin\b|:=)\s*{_SOURCE}(?P<steps>{_STEPS})")
_PATH = re.compile(rf"{_SOURCE}(?P<steps>{_STEPS})(?P<open>/{{1,2}})@?[\w.\-]*$")
_RELATIVE = re.compile(rf"(?P<steps>{_NAME}(?:/{_NAME})*)/@?[\w.\-]*$")
_STEP = re.compile(rf"(?P<down>/{{1,2}})(?P<name>@?(?:{_NAME}|\*))")

Place = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Places:
    """All elements and attributes of some streams."""

    shapes: tuple[StreamShape, ...]

    def next_steps(self, text: str) -> tuple[str, ...] | None:
        """What can follow the path that a text ends with; None if it does not end with one."""
        if path := _PATH.search(text):
            begun = self._start(path, text, frozenset())
            if begun is not None:
                here = _descend(begun, path["steps"], self._all(path["stream"]))
                deep = path["open"] == "//"
                return _below(here, self._all(path["stream"]), deep)
        if relative := _RELATIVE.search(text):
            steps = tuple(relative["steps"].split("/"))
            found = {p for p in self._all() if p[-len(steps) :] == steps}
            return _below(found, self._all(), deep=False)
        return None

    def names(self) -> tuple[str, ...]:
        """All names of elements and attributes, each once."""
        return tuple(dict.fromkeys(step for place in self._all() for step in place))

    def attributes(self, text: str) -> tuple[str, ...]:
        """The attributes of tuples of the streams that a statement names, as TAG-QL writes them."""
        named = [each for each in self.shapes if re.search(rf"\b{re.escape(each.name)}\b", text)]
        return tuple(
            dict.fromkeys(
                ".".join(step.removeprefix("@") for step in place[2:])
                for shape in (named or self.shapes)
                for place in shape.paths
                if len(place) > 2
            )
        )

    def _start(
        self, found: re.Match[str], text: str, seen: frozenset[str]
    ) -> frozenset[Place] | None:
        """The places that a path starts from: a stream, or what a variable is bound to."""
        if found["stream"] is not None:
            return frozenset({()})
        name = found["from"]
        bound = [each for each in _BINDING.finditer(text) if each["name"] == name]
        if not bound or name in seen:
            return None
        above = self._start(bound[-1], text, seen | {name})
        if above is None:
            return None
        return frozenset(_descend(above, bound[-1]["steps"], self._all(bound[-1]["stream"])))

    def _all(self, stream: str | None = None) -> tuple[Place, ...]:
        """Every place, of one stream or of all."""
        return tuple(
            dict.fromkeys(
                path[:length]
                for shape in self.shapes
                if stream in (None, shape.name)
                for path in shape.paths
                for length in range(1, len(path) + 1)
            )
        )


def _descend(begun: Iterable[Place], steps: str, places: Iterable[Place]) -> set[Place]:
    known, here = tuple(places), set(begun)
    for step in _STEP.finditer(steps):
        deep, name = step["down"] == "//", step["name"]
        here = {
            place
            for place in known
            for above in here
            if _is_below(place, above, deep) and name in ("*", place[-1])
        }
    return here


def _below(here: Iterable[Place], places: Iterable[Place], deep: bool) -> tuple[str, ...]:
    tops = set(here)
    found = (place for place in places if any(_is_below(place, top, deep) for top in tops))
    return tuple(dict.fromkeys(place[-1] for place in found))


def _is_below(place: Place, above: Place, deep: bool) -> bool:
    longer = len(place) - len(above)
    return (longer > 0 if deep else longer == 1) and place[: len(above)] == above
