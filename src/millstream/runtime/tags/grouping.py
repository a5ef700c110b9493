"""Groups by tags: each tuple goes to the closest group in the window, or begins one.

Which groups there are depends on where earlier tuples went, so tuples are taken one by one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

UNTAGGED = ""
"""The group of tuples without tags."""

Nearness = Callable[[str, str], float]
"""How alike a content and the one that began a group are."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A tuple that looks for its group."""

    labels: Sequence[str]
    """The groups that its tags call for, in their order."""
    time: int
    earliest: int
    """The time of the earliest tuple from this one on."""
    near: Nearness | None = None
    """None where contents are in one group only if they have one label."""


class GroupsInWindow:
    """Where tuples went, as long as later ones may meet them there."""

    def __init__(self, window: int | None) -> None:
        self._window = window
        self._members: dict[str, deque[tuple[int, int]]] = {}
        self._turn = 0

    def add(self, label: str, time: int) -> None:
        """Let a tuple of some time be in a group."""
        self._turn += 1
        came = self._members.setdefault(label, deque())
        if self._window is not None or not came:
            came.append((self._turn, time))

    def label_for(self, arrival: Arrival) -> str:
        """The closest group, of equally close ones the one that appeared first; or a new one."""
        labels = arrival.labels
        if arrival.near is not None:
            return self._closest(arrival, arrival.near) or labels[0]
        if len(labels) == 1:
            return labels[0]
        turns = ((self._since(label, arrival), label) for label in dict.fromkeys(labels))
        there = [(turn, label) for turn, label in turns if turn is not None]
        return min(there)[1] if there else labels[0]

    def _closest(self, arrival: Arrival, near: Nearness) -> str | None:
        best, least = None, (0.0, 0)
        for group in self._members:
            turn = self._since(group, arrival)
            if turn is not None:
                found = (max(near(label, group) for label in arrival.labels), -turn)
                if found[0] > 0 and (best is None or found > least):
                    best, least = group, found
        return best

    def _since(self, label: str, arrival: Arrival) -> int | None:
        """The turn of the first member in the window; None when there is none."""
        came = self._members.get(label)
        if not came or self._window is None:
            return came[0][0] if came else None
        while came and came[0][1] + self._window <= arrival.earliest:
            came.popleft()
        return next(
            (turn for turn, time in came if time <= arrival.time < time + self._window), None
        )


def labels_of(
    arrivals: Iterable[Arrival], members: Iterable[tuple[str, int]], window: int | None
) -> Iterator[str]:
    """The groups of tuples, given those in which earlier ones are, and the times of these."""
    groups = GroupsInWindow(window)
    for label, time in members:
        groups.add(label, time)
    for arrival in arrivals:
        if not arrival.labels:
            yield UNTAGGED
            continue
        label = groups.label_for(arrival)
        groups.add(label, arrival.time)
        yield label


def earliest_from(times: Sequence[int]) -> list[int]:
    """For each time the earliest of it and those after it."""
    found = list(times)
    for place in range(len(found) - 2, -1, -1):
        found[place] = min(found[place], found[place + 1])
    return found


def by_table(likes: Mapping[str, Mapping[str, float | None]], least: float) -> Nearness:
    """What is told of two contents, where it is at least so much."""

    def near(content: str, group: str) -> float:
        found = likes.get(content, {}).get(group) or 0.0
        return found if found >= least else 0.0

    return near


def by_objects(objects: Mapping[str, frozenset[str]], least: float) -> Nearness:
    """The share of the objects that both contents are on, where it is at least so large."""
    none: frozenset[str] = frozenset()

    def near(content: str, group: str) -> float:
        one, other = objects.get(content, none), objects.get(group, none)
        both = len(one & other)
        share = both / (len(one) + len(other) - both) if both else 0.0
        return share if share >= least else 0.0

    return near
