"""The algebra evaluated in plain Python on trees: slow, simple, and independent of the compiler."""

from millstream.testing.reference.evaluation import Outcome, evaluate
from millstream.testing.reference.windowing import StreamSettings

__all__ = ["Outcome", "StreamSettings", "evaluate"]
