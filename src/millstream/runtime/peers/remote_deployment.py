"""Plans that peers put to work: registered here, turned by them."""

from __future__ import annotations

from collections.abc import Mapping

from millstream.errors import StateError
from millstream.model.network import Network
from millstream.runtime.network.deployment import Deployment
from millstream.runtime.network.fed_stream import FedStream
from millstream.runtime.peers.links import Links, Traffic
from millstream.runtime.peers.presence import Sign, signs
from millstream.runtime.peers.rerouting import Rerouting
from millstream.runtime.records import FlowRecord
from millstream.runtime.use import Hop, LinkUse


class _ElsewhereStream(FedStream):
    """A stream between peers, at one of them."""

    def delete(self) -> None:
        """Whoever turns it removes it."""


class RemoteDeployment(Deployment):
    """The flows of a space whose streams are turned by peers."""

    _kind = _ElsewhereStream

    def counted(self, flow: str) -> int | None:
        """Not known: the peer goes on counting while we ask."""
        return None

    def traffic(self) -> Mapping[Hop, LinkUse]:
        """What went over each link, by its direction, as the peers received it."""
        return {
            hop: LinkUse(each.payload, each.items) for hop, each in self.measured_traffic().items()
        }

    def measured_traffic(self) -> Mapping[Hop, Traffic]:
        """What went over each link, with all that is not items as well."""
        return Links(self._space.storage).traffic()

    def rerouting(self, network: Network) -> Rerouting:
        """What can be done without some peers."""
        return Rerouting(network, self._registry, self._flows, Links(self._space.storage))

    def signs(self) -> Mapping[str, Sign]:
        """What was heard last of each peer."""
        return signs(self._space.storage)

    def refuse_to_run(self) -> None:
        """Say who runs what is registered here."""
        raise StateError(
            "the streams of this space are turned by its peers",
            code="peers",
            help="start each of them: millstream peer --name NAME --space SPACE",
        )

    def _begin_at(self, fed: FedStream, flow: FlowRecord) -> None:
        """The peer that has the stream learns from the first packet how far its flow is."""
