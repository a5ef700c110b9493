"""The values that tags on values are bound to: by the first tuples that they were on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from millstream.runtime.parsing.arrow_types import compute
from millstream.runtime.tags.numbers import NONE, Flags, Integers, integers, occurring
from millstream.runtime.tags.pieces import Pieces
from millstream.runtime.tags.placement import Placement
from millstream.runtime.tags.tuples import ABSENT, Keyed


@dataclass(frozen=True, slots=True)
class Bindings:
    """Attachments to values of one attribute, each with a value and the tuple that bound it."""

    keys: Keyed
    attachments: Integers
    codes: Integers
    """Absent for a value that no tuple of the batch has."""
    since: Integers
    fresh: Flags
    """True where the batch has bound it."""

    def and_more(self, attachments: Integers, since: Integers) -> Bindings:
        """With attachments that are bound here to what some tuples have."""
        return Bindings(
            self.keys,
            np.concatenate((self.attachments, attachments)),
            np.concatenate((self.codes, self.keys.codes[since])),
            np.concatenate((self.since, since)),
            np.concatenate((self.fresh, np.ones(len(since), np.bool_))),
        )


def bind(placement: Placement, chosen: Integers) -> tuple[dict[str, Bindings], Pieces]:
    """What attachments to values are bound to, by attribute, and the tuples they are on."""
    pieces = Pieces()
    found: dict[str, Bindings] = {}
    lasting = ~placement.tags.instant[placement.attachments.tags]
    for attribute, sharing in _by_attribute(placement, chosen):
        bound = _known(placement, attribute, sharing)
        unbound = sharing[~np.isin(sharing, bound.attachments)]
        waiting = unbound[lasting[unbound]]
        bound = bound.and_more(*_first(placement.place(waiting), waiting))
        _place_bound(placement, pieces, bound, lasting)
        momentary = placement.place(sharing[~lasting[sharing]]).spread()
        pieces.add_singles(*momentary)
        found[attribute] = bound.and_more(*momentary)
    return found, pieces


def _known(placement: Placement, attribute: str, sharing: Integers) -> Bindings:
    """What earlier batches have bound."""
    keys = placement.around.tuples.attribute(attribute)
    column = placement.tags.table.column("bound").combine_chunks()
    rows = integers(compute.list_parent_indices(column).to_numpy(zero_copy_only=False))
    flat = compute.list_flatten(column)
    numbers = integers(flat.field("part").to_numpy(zero_copy_only=False))
    starts = np.searchsorted(placement.attachments.tags, rows)
    attachments = starts + numbers
    wanted = np.isin(attachments, sharing)
    names = flat.field("key").to_pylist() if wanted.any() else []
    codes = integers([keys.code(names[each]) for each in np.flatnonzero(wanted).tolist()])
    nowhere = np.zeros(len(codes), np.int64)
    return Bindings(keys, attachments[wanted], codes, nowhere, np.zeros(len(codes), np.bool_))


def _first(pieces: Pieces, chosen: Integers) -> tuple[Integers, Integers]:
    """The attachments that are somewhere, and the first tuples that they are on."""
    if not len(chosen):
        return NONE, NONE
    none = np.iinfo(np.int64).max
    first = np.full(int(chosen.max()) + 1, none)
    attachments, indices = pieces.singles()
    np.minimum.at(first, attachments, indices)
    for each in pieces.lanes:
        np.minimum.at(first, each.attachments, each.lane.indices[each.low])
    there = chosen[first[chosen] < none]
    return there, first[there]


def _place_bound(placement: Placement, pieces: Pieces, bound: Bindings, lasting: Flags) -> None:
    """Put lasting attachments on the tuples from the first on that have their value."""
    tags, attachments = placement.tags, placement.attachments
    usable = lasting[bound.attachments] & (bound.codes != ABSENT)
    forms = tags.form_codes[attachments.tags[bound.attachments]]
    everywhere = np.array([each.everywhere for each in tags.forms], np.bool_)[forms]
    listing = placement.lists_names(bound.attachments)
    _place_listed(placement, pieces, bound, np.flatnonzero(usable & listing))
    masks: list[tuple[Flags, Flags | None]] = [(usable & everywhere, None)]
    for code in occurring(forms[usable & ~everywhere & ~listing]):
        named = placement.around.named(tags.forms[code].tuples)
        masks.append((usable & (forms == code), named))
    for chosen, allowed in masks:
        placement.place_keyed(
            pieces,
            bound.keys,
            bound.attachments[chosen],
            bound.codes[chosen],
            allowed,
            np.maximum(
                bound.since[chosen], placement.first[attachments.tags[bound.attachments[chosen]]]
            ),
        )


def _place_listed(placement: Placement, pieces: Pieces, bound: Bindings, chosen: Integers) -> None:
    """Put attachments that list names on the tuples with these names and the value."""
    if not len(chosen):
        return
    which, codes = placement.named(bound.attachments[chosen])
    indices, pairs = placement.around.tuples.id_keys().pairs(codes)
    owners = chosen[which[pairs]]
    rows = placement.attachments.tags[bound.attachments[owners]]
    since = np.maximum(bound.since[owners], placement.first[rows])
    there = placement.is_inside(rows, indices, since)
    there &= bound.keys.codes[indices] == bound.codes[owners]
    pieces.add_singles(bound.attachments[owners[there]], indices[there])


def _by_attribute(placement: Placement, chosen: Integers) -> Iterator[tuple[str, Integers]]:
    parts = placement.attachments.parts
    kinds = placement.attachments.kinds[chosen]
    for kind in occurring(kinds):
        yield parts[kind].attribute or "", chosen[kinds == kind]
