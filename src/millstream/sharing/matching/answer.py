"""What matching answers: yes or no, each condition that was looked at, and what remains to do."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from millstream.sharing.predicates import Predicate


@dataclass(frozen=True, slots=True)
class Reason:
    """A condition of reuse, whether it holds, and how so in plain words."""

    condition: str
    """stream, kind, selection, elements, aggregate, window, filter, functions, end or offset."""
    holds: bool
    text: str


@dataclass(frozen=True, slots=True)
class Match:
    """Whether a stream can be reused, and what is left to do with it."""

    reusable: bool
    reasons: tuple[Reason, ...]
    residual: Predicate
    """What must still be asked of the stream's items, or of the values of its aggregates."""
    composes: bool = False
    """The new windows are not the stream's own: they are made of them, or picked from them."""
    steps: tuple[str, ...] = ()
    """What is left to do with the stream, in words; only in an answer that is explained."""
    inputs: tuple[Match, ...] = ()
    """Of a whole subscription: the answer for each of its inputs."""

    @property
    def failed(self) -> tuple[Reason, ...]:
        """The conditions that do not hold."""
        return tuple(reason for reason in self.reasons if not reason.holds)


Conditions = Generator[Reason, None, Predicate]
"""The conditions of reuse, cheap ones first; in the end, what would remain to be asked."""


def decide(conditions: Conditions, nothing: Predicate, *, explain: bool, composes: bool) -> Match:
    """The answer; unless it is to be explained in full, the first failure is enough."""
    reasons: list[Reason] = []
    while True:
        try:
            reason = next(conditions)
        except StopIteration as end:
            reusable = all(each.holds for each in reasons)
            rest: Predicate = end.value if reusable else nothing
            return Match(reusable, tuple(reasons), rest, composes and reusable)
        reasons.append(reason)
        if not reason.holds and not explain:
            return Match(False, tuple(reasons), nothing)
