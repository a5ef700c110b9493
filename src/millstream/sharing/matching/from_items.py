"""Anything from a stream of items: selected further, projected, put into windows."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator

from millstream.model.schema import Path
from millstream.sharing.matching.answer import Conditions, Reason
from millstream.sharing.matching.user_functions import functions_agree
from millstream.sharing.predicate_elements import elements_of
from millstream.sharing.predicates import Implication, Predicate, implies, residual
from millstream.sharing.properties import ALWAYS, Input

LISTED = 6
"""How many elements a reason names."""


def anything_from_items(new: Input, flow: Input) -> Conditions:
    """The conditions under which a stream of items answers an input."""
    yield functions_agree(new, flow)
    missing = new.output - flow.output
    if missing:
        yield _elements(missing, new.output)
    implied = yield from _selection(new.selection, flow.selection)
    if not implied:
        return ALWAYS
    rest = residual(new.selection, flow.selection)
    if not missing:
        # Most often everything is there that the new selection speaks of, remaining or not.
        if not new.referenced <= flow.output:
            missing = elements_of(rest, new.schema) - flow.output
        yield _elements(missing, new.output)
    return rest


def _selection(wanted: Predicate, given: Predicate) -> Generator[Reason, None, bool]:
    """Whether every item that is wanted is among those given."""
    if given == ALWAYS:
        yield Reason("selection", True, "the stream holds every item")
        return True
    implication = implies(wanted, given)
    if implication.holds:
        text = f"every item asked for is in the stream, which holds those with {given}"
        yield Reason("selection", True, text)
    yield from unimplied("selection", implication)
    return implication.holds


def unimplied(condition: str, implication: Implication) -> Iterator[Reason]:
    """What a stream needs of its items or windows, and the new subscription does not."""
    yield from (Reason(condition, False, f"the stream {each}") for each in implication.failed)


def items_with(selection: Predicate) -> str:
    """The items of a selection, in words."""
    return "all items" if selection == ALWAYS else f"items with {selection}"


def _elements(missing: frozenset[Path], needed: frozenset[Path]) -> Reason:
    if missing:
        return Reason("elements", False, f"the stream no longer has {named(missing)}")
    if not needed:
        return Reason("elements", True, "no element is needed any more")
    return Reason("elements", True, f"what is needed is in the stream: {named(needed)}")


def named(paths: Iterable[Path]) -> str:
    """Some paths as a user writes them."""
    names = sorted("/".join(path) or "." for path in paths)
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {more} more" if more > 0 else "")
