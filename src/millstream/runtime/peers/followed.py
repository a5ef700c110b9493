"""What is registered in a space, as a peer follows it: somebody else writes it."""

from __future__ import annotations

from millstream.runtime.network.flows import Flows
from millstream.runtime.registry import Registered, Registry, Translate
from millstream.runtime.storage import Storage


class FollowedRegistry(Registry):
    """The registry of a space that another process writes."""

    def __init__(self, storage: Storage, translate: Translate, flows: Flows) -> None:
        self._flows = flows
        super().__init__(storage, translate)

    def active(self, stream: str) -> tuple[Registered, ...]:
        """As ever; but a tap begins when its flow is known, and not before."""
        flowing = {each.tap for each in self._flows.records.values()}
        return tuple(
            each
            for each in super().active(stream)
            if not each.record.tap or each.record.name in flowing
        )
