"""Windows over one subscription's nodes: which there are, what they hold, when they are given.

# tick  0    5    10   15          size 10, step 5
#       [w0       )
#            [w1       )
#                 [w2       )
"""

from __future__ import annotations

from dataclasses import dataclass, field

from millstream.model.window import EndRule, WindowSpec
from millstream.testing.reference.nodes import ElementNode


@dataclass(frozen=True, slots=True)
class Contents:
    """What one window holds."""

    start: int
    nodes: tuple[ElementNode, ...] = ()


@dataclass(slots=True)
class ItemWindows:
    """The k-th window holds the nodes numbered kμ … kμ+Δ-1, from registration on."""

    spec: WindowSpec
    rule: EndRule
    nodes: list[ElementNode] = field(default_factory=list)
    given: int = 0
    """How many windows have been given: all before this one are full."""

    def add(self, node: ElementNode) -> list[Contents]:
        """The windows that this node fills."""
        self.nodes.append(node)
        filled = []
        while self._end(self.given) <= len(self.nodes):
            filled.append(self._contents(self.given))
            self.given += 1
        return filled

    def finish(self) -> list[Contents]:
        """The unfinished windows that the end rule still gives."""
        unfinished = []
        while self._start(self.given) < len(self.nodes):
            if self.rule is EndRule.CUT or self._all_gathered():
                break
            unfinished.append(self._contents(self.given))
            self.given += 1
        return unfinished

    def _all_gathered(self) -> bool:
        """True if, under GATHER, the window before already holds the last node."""
        reached = self._end(self.given - 1) if self.given else 0
        return self.rule is EndRule.GATHER and reached >= len(self.nodes)

    def _contents(self, k: int) -> Contents:
        return Contents(self._start(k), tuple(self.nodes[self._start(k) : self._end(k)]))

    def _start(self, k: int) -> int:
        return k * self.spec.step

    def _end(self, k: int) -> int:
        return k * self.spec.step + self.spec.size


@dataclass(slots=True)
class TimeWindows:
    """The k-th window holds the nodes with ticks in [kμ, kμ+Δ), from the first after registration.

    A window closes when a tick at its end, or by the lateness beyond, has been seen in the stream.
    Nodes that are tiles, windows themselves, go where they pave a window from its start on; a
    tile that is seen brings the stream to the tile's end.
    """

    spec: WindowSpec
    rule: EndRule
    lateness: int = 0
    empty: bool = False
    tile: int = 0
    """The size of the windows that the nodes are; 0 for nodes of an instant."""
    first: int = 0
    """The first window of this subscription."""
    maximum: int | None = None
    """The greatest tick of the whole stream so far."""
    contents: dict[int, list[ElementNode]] = field(default_factory=dict)
    given: int | None = None
    """The last window that has been given."""

    def observe(self, tick: int) -> None:
        """Take note of a tick before registration: no window may start at or before it."""
        self._raise_maximum(tick)
        self.first = max(self.first, tick // self.spec.step + 1)

    def holders(self, tick: int) -> list[int]:
        """The windows of this subscription that hold a node at a tick, open or closed."""
        last = tick + max(self.tile, 1) - 1
        oldest = (last - self.spec.size) // self.spec.step + 1
        windows = range(max(self.first, oldest), tick // self.spec.step + 1)
        return [k for k in windows if not self.tile or (tick - self._start(k)) % self.tile == 0]

    def place(self, node: ElementNode, tick: int) -> bool | None:
        """Put a node into its open windows; False if all are closed, None if there are none."""
        holders = self.holders(tick)
        still_open = [k for k in holders if not self._is_closed(k)]
        for k in still_open:
            self.contents.setdefault(k, []).append(node)
        return bool(still_open) if holders else None

    def advance(self, tick: int) -> list[Contents]:
        """The windows that a tick of the stream closes, in order of their ends."""
        self._raise_maximum(tick)
        return self._give([k for k in sorted(self.contents) if self._is_closed(k)])

    def finish(self) -> list[Contents]:
        """The windows that the end of the stream still gives."""
        return self._give([k for k in sorted(self.contents) if self._outlives_end(k)])

    def _outlives_end(self, k: int) -> bool:
        assert self.maximum is not None, "a window with contents has seen a tick"
        if self._end(k) <= self.maximum + self.tile:
            return True
        match self.rule:
            case EndRule.CUT:
                return False
            case EndRule.GATHER:
                return k == self.first or self._end(k - 1) <= self.maximum + self.tile
            case EndRule.RUN:
                return self._start(k) <= self.maximum

    def _give(self, ready: list[int]) -> list[Contents]:
        windows: list[Contents] = []
        for k in ready:
            if self.empty and self.given is not None:
                windows += [Contents(self._start(each)) for each in range(self.given + 1, k)]
            windows.append(Contents(self._start(k), tuple(self.contents.pop(k))))
            self.given = k
        return windows

    def _raise_maximum(self, tick: int) -> None:
        self.maximum = tick if self.maximum is None else max(self.maximum, tick)

    def _is_closed(self, k: int) -> bool:
        reached = None if self.maximum is None else self.maximum + self.tile
        return reached is not None and reached >= self._end(k) + self.lateness

    def _start(self, k: int) -> int:
        return k * self.spec.step

    def _end(self, k: int) -> int:
        return k * self.spec.step + self.spec.size
