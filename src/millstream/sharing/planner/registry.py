"""What flows in the network, and who depends on whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from millstream.errors import QueryError, did_you_mean
from millstream.sharing.planner.flow import Flow
from millstream.sharing.planner.flow_index import FlowIndex
from millstream.sharing.planner.variants import Variant, VariantKey, key_of
from millstream.sharing.properties import Input
from millstream.sharing.statistics import Estimate


class FlowRegistry:
    """Every flow by its name and by its content, with those that are made from it or end in it."""

    def __init__(self, peers: Iterable[str]) -> None:
        self.index = FlowIndex(tuple(peers))
        self._flows: dict[str, Flow] = {}
        self._variants: dict[VariantKey, Variant] = {}
        self._carried: dict[str, Variant] = {}
        self._made_from: dict[str, dict[str, None]] = {}
        self._consumers: dict[str, dict[str, None]] = {}
        self._numbers = 0

    def __contains__(self, name: str) -> bool:
        return name in self._flows

    def __len__(self) -> int:
        return len(self._flows)

    def flow(self, name: str) -> Flow:
        """The flow of a name."""
        if name not in self._flows:
            raise QueryError(
                f"there is no stream '{name}'",
                code="unknown-stream",
                help=did_you_mean(name, self._flows),
            )
        return self._flows[name]

    def flows(self) -> tuple[Flow, ...]:
        return tuple(self._flows.values())

    def variant(self, content: Input) -> Variant | None:
        """What flows with just this content; item windows are never simply equal."""
        return self._variants.get(VariantKey(content))

    def variant_of(self, flow: Flow) -> Variant:
        """The variant of a flow that may be tapped."""
        return self._carried[flow.name]

    def variants(self, stream: str) -> tuple[Variant, ...]:
        """Every variant of a stream that may be tapped."""
        return tuple(each for each in self._variants.values() if each.content.stream == stream)

    def add(self, flow: Flow, estimate: Estimate) -> None:
        """Let a flow flow; what it is made from flows already."""
        self._flows[flow.name] = flow
        if flow.tapped is not None:
            self._made_from.setdefault(flow.tapped, {})[flow.name] = None
        if flow.private:
            return
        key = key_of(flow)
        variant = self._variants.get(key)
        if variant is None:
            self._numbers += 1
            variant = self._variants[key] = Variant(self._numbers, key, estimate)
            self.index.add(variant)
        variant.add(flow)
        self._carried[flow.name] = variant
        self.index.place(variant, flow.route)

    def remove(self, name: str) -> Flow:
        """Let a flow end that nobody needs."""
        flow = self._flows.pop(name)
        if flow.tapped is not None:
            _discard(self._made_from, flow.tapped, name)
        if flow.private:
            return flow
        variant = self._carried.pop(name)
        variant.remove(flow)
        if variant.empty:
            self.index.remove(variant)
            del self._variants[variant.key]
        else:
            self.index.place(variant, flow.route)
        return flow

    def consume(self, flow: str, subscription: str) -> None:
        """Note that a subscription's results are made from a flow."""
        self._consumers.setdefault(flow, {})[subscription] = None

    def release(self, flow: str, subscription: str) -> None:
        """Note that they no longer are."""
        _discard(self._consumers, flow, subscription)

    def needed(self, flow: str) -> bool:
        """True while others are made from a flow, or results are; and for original streams."""
        made = self._flows[flow].tapped is not None
        return not made or bool(self._made_from.get(flow) or self._consumers.get(flow))

    def made_from(self, flow: str) -> tuple[str, ...]:
        return tuple(self._made_from.get(flow, ()))

    def consumers(self, flow: str) -> tuple[str, ...]:
        return tuple(self._consumers.get(flow, ()))

    def dependents(self, flow: str) -> Iterator[str]:
        """The subscriptions whose results come, by whatever way, from a flow; some repeatedly."""
        waiting = [flow]
        while waiting:
            each = waiting.pop()
            yield from self.consumers(each)
            waiting += self.made_from(each)

    def refresh(self, variant: Variant, estimate: Estimate) -> None:
        """Set the estimate of a variant anew."""
        variant.estimate = estimate
        self.index.refresh(variant)


def _discard(sets: dict[str, dict[str, None]], key: str, member: str) -> None:
    members = sets[key]
    del members[member]
    if not members:
        del sets[key]
