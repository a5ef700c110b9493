"""What Prometheus reads: figures of the mill, gathered when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from millstream.service.running import RunningMill

_OF_STREAMS = {
    "items": "Items that were parsed.",
    "quarantined": "Items that were set aside.",
    "bytes": "Bytes that were read.",
}


class MillMetrics(Collector):
    """The figures of a running mill."""

    def __init__(self, running: RunningMill) -> None:
        self._running = running

    def collect(self) -> Iterator[Metric]:
        """All figures as they are now."""
        yield from self._of_streams()
        yield from self._of_all()
        yield from self._of_peers()

    def _of_streams(self) -> Iterator[Metric]:
        streams = self._running.mill.streams
        facts = {name: each.statistics() for name, each in streams.items()}
        for key, said in _OF_STREAMS.items():
            counter = CounterMetricFamily(f"millstream_stream_{key}", said, labels=["stream"])
            for name, fact in facts.items():
                counter.add_metric([name], fact[key])
            yield counter
        rate = GaugeMetricFamily(
            "millstream_stream_items_per_second", "Over the last minute.", labels=["stream"]
        )
        failed = GaugeMetricFamily(
            "millstream_stream_failed", "1 for a stream that is stopped.", labels=["stream"]
        )
        for name, stream in streams.items():
            rate.add_metric([name], self._running.rates.of(name))
            failed.add_metric([name], float(self._running.failure_of(stream) is not None))
        yield from (rate, failed)

    def _of_all(self) -> Iterator[Metric]:
        running = self._running
        active = sum(not each.cancelled for each in running.mill.subscriptions.values())
        gauges = {
            "subscriptions": ("Active subscriptions.", active),
            "readers": ("Event streams that are open.", running.tails.readers),
            "step": ("The last step that is committed.", running.committed()),
        }
        for name, (said, value) in gauges.items():
            yield GaugeMetricFamily(f"millstream_{name}", said, value=value)
        yield CounterMetricFamily(
            "millstream_steps", "Steps since the service began.", value=running.steps
        )
        yield CounterMetricFamily(
            "millstream_results", "Rows of results since then.", value=running.results
        )

    def _of_peers(self) -> Iterator[Metric]:
        work = CounterMetricFamily(
            "millstream_peer_busy_seconds", "Work that a peer has done.", labels=["peer"]
        )
        for name, done in self._running.mill.work().items():
            work.add_metric([name], done.seconds)
        moved = CounterMetricFamily(
            "millstream_link_bytes", "From peer to peer.", labels=["source", "target"]
        )
        for hop, use in self._running.mill.traffic().items():
            moved.add_metric(list(hop), use.bytes)
        yield from (work, moved)


def metrics_text(running: RunningMill) -> bytes:
    """The figures in Prometheus' own format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(MillMetrics(running))
    found: bytes = generate_latest(registry)
    return found
