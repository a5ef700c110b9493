"""What every route needs: the running mill, who asks, and how much of their limits is left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Header, Request

from millstream.errors import StateError, did_you_mean
from millstream.mill import Mill, Stream, Subscription
from millstream.service.access import Access, Identity
from millstream.service.limits import Pace
from millstream.service.refusals import Forbidden, NotFound, TooMany
from millstream.service.running import RunningMill
from millstream.service.sources import Sources
from millstream.sharing.planner import Plan


@dataclass
class Use:
    """What one identity uses at the moment."""

    pace: Pace
    readers: int = 0


@dataclass
class Service:
    """A running mill, and those who may use it."""

    running: RunningMill
    access: Access = field(default_factory=Access)
    sources: Sources = field(default_factory=Sources)
    uses: dict[str, Use] = field(default_factory=dict)

    @property
    def mill(self) -> Mill:
        return self.running.mill

    def use_of(self, who: Identity) -> Use:
        """What an identity uses."""
        return self.uses.setdefault(who.name, Use(Pace(who.limits.results_per_second)))

    def check_readers(self, who: Identity) -> None:
        """Refuse an event stream to whoever has too many open."""
        most = who.limits.readers
        if most is not None and self.use_of(who).readers >= most:
            raise TooMany(f"'{who.name}' has {most} event streams open already", code="readers")

    @contextmanager
    def reading(self, who: Identity) -> Iterator[Use]:
        """Count an event stream while it is open."""
        use = self.use_of(who)
        use.readers += 1
        try:
            yield use
        finally:
            use.readers -= 1

    def stream(self, name: str, who: Identity) -> Stream:
        """A stream that somebody may read."""
        streams = self.mill.streams
        seen = [each for each in streams if who.may_read(each)]
        if name not in seen:
            # Whoever may not read a stream is not told that it is there.
            raise NotFound(
                f"there is no stream '{name}'",
                code="unknown-stream",
                help=did_you_mean(name, seen),
            )
        return streams[name]

    def owns(self, who: Identity, subscription: str | None) -> bool:
        """True for a subscription whose query somebody may know; None stands for a stream."""
        record = self.mill.registry.subscriptions.get(subscription or "")
        return record is None or who.owns(record.owner)

    def plan(self, name: str) -> Plan:
        """The plan of a subscription."""
        planner = self.mill.plans.planner
        if name not in planner.subscriptions:
            raise StateError(
                f"subscription '{name}' has no plan: it is cancelled, or asks histories",
                code="no-plan",
            )
        return planner.installed(name)

    def subscription(self, name: str, who: Identity) -> Subscription:
        """A subscription that is somebody's own, or that they may treat so."""
        subscriptions = self.mill.subscriptions
        if name not in subscriptions:
            raise NotFound(f"there is no subscription '{name}'", code="unknown-subscription")
        found = subscriptions[name]
        if not who.owns(found.owner):
            raise Forbidden(
                f"subscription '{name}' is not {who.name}'s",
                code="owner",
                help="its owner may, and whoever has the right 'operate'",
            )
        return found


def service_of(request: Request) -> Service:
    """The service that an app belongs to."""
    found: Service = request.app.state.service
    return found


ServiceHere = Annotated[Service, Depends(service_of)]


def identified(
    service: ServiceHere,
    authorization: Annotated[str | None, Header(include_in_schema=False)] = None,
) -> Identity:
    """Who asks."""
    return service.access.identify(authorization)


Who = Annotated[Identity, Depends(identified)]
