"""Finding the flows that may serve a subscription, however many flow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from millstream.errors import InternalError
from millstream.model.schema import Path
from millstream.model.window import WindowKind
from millstream.sharing.cost import BaseLoads, Work
from millstream.sharing.planner.bounds_table import BoundsTable
from millstream.sharing.planner.selection_hull import hull_of
from millstream.sharing.planner.variants import Variant
from millstream.sharing.properties import Input
from millstream.sharing.statistics import Estimate

GroupKey = tuple[str, WindowKind | None, Path]
"""The stream; for aggregates, the kind of their windows and what places items in them."""


@dataclass(frozen=True, slots=True)
class Offers:
    """Variants that may serve, none of which was looked at closely."""

    variant: Callable[[int], Variant]
    """By their number among the offers: of many, few are asked for."""
    least: NDArray[np.float64]
    """For each, seconds of work a second that tapping it makes at least, at index 1."""
    places: NDArray[np.bool_]
    """For each, and each peer of the network, whether it can be tapped there."""


class _Group:
    """Variants that differ in selection, elements and sizes of windows only."""

    def __init__(self, table: BoundsTable) -> None:
        self.table = table
        self.rows: dict[int, int] = {}
        self.variants: dict[int, Variant] = {}


class FlowIndex:
    """All variants, in groups, each group a table of columns."""

    def __init__(self, peers: tuple[str, ...]) -> None:
        self.peers = peers
        self._groups: dict[GroupKey, _Group] = {}

    def add(self, variant: Variant) -> None:
        key = _group_key(variant.content)
        if key not in self._groups:
            self._groups[key] = _Group(BoundsTable(variant.content.schema, self.peers))
        group = self._groups[key]
        row = group.table.add(variant.content, variant.estimate.frequency)
        group.rows[variant.number] = row
        group.variants[row] = variant

    def remove(self, variant: Variant) -> None:
        group = self._group(variant)
        row = group.rows.pop(variant.number)
        del group.variants[row]
        group.table.remove(row)

    def place(self, variant: Variant, peers: Iterable[str]) -> None:
        """Note anew, for some peers, whether a variant can be tapped there."""
        group = self._group(variant)
        for peer in peers:
            available = variant.at(peer) is not None
            group.table.set_place(group.rows[variant.number], peer, available)

    def refresh(self, variant: Variant) -> None:
        """Note the frequency of a variant anew."""
        group = self._group(variant)
        group.table.set_frequency(group.rows[variant.number], variant.estimate.frequency)

    def offers(self, wanted: Input, made: Estimate, loads: BaseLoads) -> Offers:
        """The variants that may serve an input: all that do serve are among them."""
        items = self._items(wanted, made, loads)
        return _joined(self._aggregates(wanted, loads), items) if wanted.aggregated else items

    def _group(self, variant: Variant) -> _Group:
        return self._groups[_group_key(variant.content)]

    def _items(self, wanted: Input, made: Estimate, loads: BaseLoads) -> Offers:
        """Flows of items: further selection and projection, or aggregation, is left to do.

        A selection is left wherever the bounds differ, and a projection wherever the elements do.
        """
        group = self._groups.get((wanted.stream, None, ()))
        if group is None:
            return self._none()
        table, hull = group.table, hull_of(wanted.selection)
        rows = table.containing(hull, wanted.output)
        each = loads[Work.TAP] + loads[Work.SELECT] * ~table.same_selection(rows, hull)
        least = table.frequency(rows) * each
        if wanted.aggregated:
            least += loads[Work.AGGREGATE] * made.selected
        else:
            differs = ~table.same_elements(rows, wanted.output)
            least += loads[Work.PROJECT] * made.frequency * differs
        return self._found(group, rows, least)

    def _aggregates(self, wanted: Input, loads: BaseLoads) -> Offers:
        """Flows of aggregates of the same items, in windows that fit."""
        group = self._groups.get(_group_key(wanted))
        if group is None or wanted.window is None:
            return self._none()
        table, spec = group.table, wanted.window.spec
        rows = table.fitting(table.equal(hull_of(wanted.selection)), spec.size, spec.step)
        composes = ~table.same_windows(rows, spec.size, spec.step)
        each = loads[Work.TAP] + loads[Work.COMPOSE] * composes
        return self._found(group, rows, table.frequency(rows) * each)

    def _found(self, group: _Group, rows: NDArray[np.intp], least: NDArray[np.float64]) -> Offers:
        variants = group.variants
        return Offers(lambda number: variants[rows[number]], least, group.table.places(rows))

    def _none(self) -> Offers:
        places = np.zeros((0, len(self.peers)), dtype=bool)
        return Offers(_nothing, np.zeros(0), places)


def _joined(first: Offers, second: Offers) -> Offers:
    count = len(first.least)

    def variant(number: int) -> Variant:
        return first.variant(number) if number < count else second.variant(number - count)

    return Offers(
        variant,
        np.concatenate((first.least, second.least)),
        np.concatenate((first.places, second.places)),
    )


def _nothing(number: int) -> Variant:
    raise InternalError(f"there is no offer {number}")


def _group_key(content: Input) -> GroupKey:
    if not content.aggregated or content.window is None:
        return content.stream, None, ()
    spec = content.window.spec
    return content.stream, spec.kind, spec.reference
