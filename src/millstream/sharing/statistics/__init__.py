"""What is known of a stream before it flows: sizes, occurrences, frequencies, sample values."""

from millstream.sharing.statistics.estimate import Estimate, estimate
from millstream.sharing.statistics.observation import observe, refreshed
from millstream.sharing.statistics.sample import Sample
from millstream.sharing.statistics.stream import ElementStatistics, StreamStatistics

__all__ = [
    "ElementStatistics",
    "Estimate",
    "Sample",
    "StreamStatistics",
    "estimate",
    "observe",
    "refreshed",
]
