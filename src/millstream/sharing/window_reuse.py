"""Windows made of other windows: which of them make up a coarser one.

The way the mill goes is by key: the windows that make up a window are found by where they start
(`tiles`), which survives windows that were left out because they hold nothing. Two ways that go
by position in an unbroken sequence of windows are here as well, to be compared with it.

# t   0    10   20   30   40   50   60      size 20, step 10, reused for size 60, step 40
#     [v0       )
#          [v1       )
#               [v2       )
#                    [v3       )
#                         [v4       )
#     [w0 = v0, v2, v4              )
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TypeVar

from millstream.errors import InternalError
from millstream.model.window import WindowSpec

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Reuse:
    """How windows are made of reused ones, which are counted from the first."""

    count: int
    """How many reused windows make up one: Δ' div Δ."""
    apart: int
    """How far these are from each other: Δ div μ."""
    advance: int
    """How far it is from one new window to the next: μ' div μ."""

    @property
    def span(self) -> int:
        """How many reused windows begin from the first of one window to its last."""
        return (self.count - 1) * self.apart + 1


def reusable(new: WindowSpec, old: WindowSpec) -> bool:
    """True if windows of one kind and reference can be made of others.

    Three conditions: Δ' mod Δ = 0, Δ mod μ = 0, μ' mod μ = 0. The second lets reused windows be
    laid end to end; where every new window is a single reused one it is not needed.
    """
    if new.step % old.step:
        return False
    return new.size == old.size or (new.size % old.size == 0 and old.size % old.step == 0)


def reuse(new: WindowSpec, old: WindowSpec) -> Reuse:
    """How windows are made of reused ones; the windows must be reusable."""
    if not reusable(new, old):
        raise InternalError(f"windows {new} cannot be made of {old}")
    return Reuse(new.size // old.size, max(1, old.size // old.step), new.step // old.step)


def tiles(new: WindowSpec, old: WindowSpec, number: int) -> tuple[int, ...]:
    """Where the reused windows start that make up a window, which is given by its number."""
    start = number * new.step
    return tuple(start + each * old.size for each in range(reuse(new, old).count))


def composed(
    new: WindowSpec, old: WindowSpec, values: Mapping[int, Value]
) -> Iterator[tuple[int, tuple[Value, ...]]]:
    """Each window that is not empty, by its start, with the values of those that make it up.

    The reused values are given by the starts of their windows; empty windows have none.
    """
    last = max(values, default=-1)
    for number in range(last // new.step + 1):
        found = tuple(values[each] for each in tiles(new, old, number) if each in values)
        if found:
            yield number * new.step, found


def select_by_buffer(
    new: WindowSpec, old: WindowSpec, values: Iterable[Value]
) -> Iterator[tuple[Value, ...]]:
    """The values that make up each window, from an unbroken sequence of them (Algorithm 5).

    As printed, a step removes μ' div μ values from the buffer and reads as many. Where new windows
    lie apart (μ' > Δ') the buffer is shorter than that: the values between two windows must be
    read and skipped, or every later window starts too early.
    """
    plan, stream = reuse(new, old), iter(values)
    buffer = list(islice(stream, plan.span))
    while buffer:
        yield tuple(buffer[:: plan.apart][: plan.count])
        between = max(0, plan.advance - plan.span)
        del buffer[: plan.advance]
        _skip(stream, between)
        buffer += islice(stream, plan.advance - between)


def select_by_number(
    new: WindowSpec, old: WindowSpec, values: Iterable[Value]
) -> Iterator[tuple[Value, ...]]:
    """The same, but only values that a later window needs are buffered (Algorithm 6).

    As printed, lines 3, 11 and 12 are wrong. Line 3 keeps the numbers i·(μ' div μ), the starts of
    later windows, and loses their other parts; lines 11 and 12 advance by Δ' div Δ values instead
    of μ' div μ. With windows of 60 every 40 of windows of 20 every 10, the second window would get
    values 5 and 7 instead of 4, 6 and 8. Here, values between two windows have negative numbers:
    they are neither sent nor kept.
    """
    plan, stream = reuse(new, old), iter(values)
    parts = frozenset(each * plan.apart for each in range(plan.count))
    buffer: dict[int, Value] = {}
    arrived = dict(enumerate(islice(stream, plan.span)))
    while buffer or arrived:
        present = buffer | {number: each for number, each in arrived.items() if number >= 0}
        sent = tuple(present[number] for number in sorted(parts & present.keys()))
        if sent:
            yield sent
        buffer = {
            number - plan.advance: each
            for number, each in present.items()
            if _needed_later(number, parts, plan.advance)
        }
        arrived = dict(enumerate(islice(stream, plan.advance), plan.span - plan.advance))


def _needed_later(number: int, parts: frozenset[int], advance: int) -> bool:
    """True if a value is part of the next window or of one after it."""
    return any(each in parts for each in range(number - advance, -1, -advance))


def _skip(stream: Iterator[Value], count: int) -> None:
    for _ in islice(stream, count):
        pass


def slices(specs: Sequence[WindowSpec], until: int) -> tuple[tuple[int, int], ...]:
    """The pieces, up to a tick, that every window of every kind is made of without remainder.

    They are cut at all starts and ends of windows; where no window lies there is none.
    """
    edges = sorted({edge for spec in specs for edge in _edges(spec, until)})
    pieces = pairwise(edges)
    return tuple(piece for piece in pieces if any(_covered(piece, spec) for spec in specs))


def _edges(spec: WindowSpec, until: int) -> Iterator[int]:
    for start in range(0, until, spec.step):
        yield start
        yield min(start + spec.size, until)


def _covered(piece: tuple[int, int], spec: WindowSpec) -> bool:
    latest = piece[0] // spec.step * spec.step
    return piece[0] < latest + spec.size
