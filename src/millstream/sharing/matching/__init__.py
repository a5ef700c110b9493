"""Whether a stream that flows can answer a new subscription, and why or why not."""

from millstream.sharing.matching.answer import Match, Reason
from millstream.sharing.matching.one_input import match
from millstream.sharing.matching.subscriptions import match_properties

__all__ = ["Match", "Reason", "match", "match_properties"]
