"""The speaker-peer: it watches peers, and leads flows around those that stay away."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from millstream.mill import Mill
from millstream.runtime.peers.presence import AWAY, Sign, signs
from millstream.runtime.peers.rerouting import Rerouted
from millstream.runtime.storage import storage_at


@dataclass(frozen=True, slots=True)
class Situation:
    """How things stand in a network of peers."""

    present: tuple[str, ...]
    away: tuple[str, ...]
    """Peers that gave signs of life, and give none any more."""
    unseen: tuple[str, ...]
    """Peers that have never been there."""
    troubles: Mapping[str, str]
    """What peers say that troubles them."""
    waiting: Mapping[str, tuple[str, ...]]
    """Subscriptions that get nothing for now, and the peers that each of them waits for."""
    rerouted: tuple[Rerouted, ...] = ()
    """Flows that were just led around peers that are away."""
    moved: tuple[str, ...] = ()
    """Subscriptions that were just planned anew without these peers."""


class Coordinator:
    """Watches the peers of a space; holds the space only while it changes something."""

    def __init__(self, space: str | os.PathLike[str], away: float = AWAY) -> None:
        """A peer counts as away after so many seconds without a sign."""
        self._space = space
        self._away = away
        self._known: tuple[frozenset[str], frozenset[str]] | None = None
        self._situation: Situation | None = None

    def look(self) -> Situation | None:
        """How things stand, if that is not as it was at the last look."""
        heard = signs(storage_at(os.fspath(self._space)))
        now = time.time()
        gone = frozenset(name for name, each in heard.items() if each.away(now, self._away))
        troubled = frozenset(f"{name}: {each.trouble}" for name, each in heard.items())
        if self._known == (frozenset(heard) - gone, troubled):
            return None
        self._known = (frozenset(heard) - gone, troubled)
        self._situation = self._act(heard, gone)
        return self._situation

    def _act(self, heard: Mapping[str, Sign], gone: Collection[str]) -> Situation:
        with Mill(self._space) as mill:
            rerouting = mill.plans.rerouting()
            rerouted = rerouting.around(gone) if gone else []
            waiting = rerouting.waiting(gone)
            moved = tuple(each for each in waiting if mill.plans.move(each, gone) is not None)
            names = [each.name for each in mill.plans.network.peers]
            return Situation(
                present=tuple(each for each in names if each in heard and each not in gone),
                away=tuple(each for each in names if each in gone),
                unseen=tuple(each for each in names if each not in heard),
                troubles={name: each.trouble for name, each in heard.items() if each.trouble},
                waiting=rerouting.waiting(gone),
                rerouted=tuple(rerouted),
                moved=moved,
            )
