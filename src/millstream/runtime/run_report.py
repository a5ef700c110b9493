"""What a run did, from what its steps did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from millstream.runtime.shared_batch import StepReport


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a run did."""

    steps: int
    items: int
    results: int
    quarantined: int
    seconds: float

    @classmethod
    def of(cls, reports: Sequence[StepReport], seconds: float) -> RunReport:
        """The report of a run of so many seconds."""
        return cls(
            len(reports),
            sum(each.items for each in reports),
            sum(each.results for each in reports),
            sum(each.rejected for each in reports),
            seconds,
        )
