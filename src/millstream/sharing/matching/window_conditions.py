"""When windows can be made of other windows."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from millstream.model.window import EndRule, WindowKind, WindowSpec
from millstream.sharing.matching.answer import Reason
from millstream.sharing.matching.from_items import unimplied
from millstream.sharing.predicates import implies
from millstream.sharing.properties import ALWAYS, WindowProperties
from millstream.sharing.window_reuse import reuse

LOCALLY = "; shared by slices at this peer only"
"""What becomes of windows on one stream that cannot be made of each other."""

COMPOSING = {
    WindowKind.DIFF: frozenset({EndRule.RUN}),
    WindowKind.COUNT: frozenset({EndRule.RUN, EndRule.CUT}),
}
"""The end rules under which windows at the end of a stream can be made of finer ones.

Running windows hold what there is, as do their parts. Whether a time-based window is full is not
known from its parts, since empty ones are left out; and of the windows that are gathered, the
finer ones may be too few.
"""


def windows_fit(new: WindowSpec, old: WindowSpec) -> Iterator[Reason]:
    """Whether windows can be made of others by their kind, reference and numbers."""
    if new.kind is not old.kind:
        words = {WindowKind.COUNT: "items", WindowKind.DIFF: "time"}
        text = f"the stream's windows are over {words[old.kind]}, the new ones {words[new.kind]}"
        yield Reason("window", False, text)
        return
    if new.reference != old.reference:
        ours, theirs = "/".join(new.reference) or ".", "/".join(old.reference) or "."
        text = f"the stream's windows are placed by {theirs}, the new ones by {ours}"
        yield Reason("window", False, text)
    faults = tuple(_faults(new, old))
    yield from (Reason("window", False, fault + LOCALLY) for fault in faults)
    if new.reference == old.reference and not faults:
        yield Reason("window", True, _made_of(new, old))


def _faults(new: WindowSpec, old: WindowSpec) -> Iterator[str]:
    """Which of the three conditions on sizes and steps are broken, and by which numbers."""
    if new.size % old.size:
        yield f"the reused window of size {old.size} does not tile a window of size {new.size}"
    if new.size != old.size and old.size % old.step:
        yield (
            f"the reused windows of size {old.size}, one every {old.step}, "
            f"cannot be laid end to end: {old.size} is no multiple of {old.step}"
        )
    if new.step % old.step:
        yield (
            f"no reused window starts where some of the new ones do: "
            f"{new.step} is no multiple of the reused step {old.step}"
        )


def _made_of(new: WindowSpec, old: WindowSpec) -> str:
    if new == old:
        return f"the windows are the same: {new}"
    plan = reuse(new, old)
    if plan.count == 1:
        return f"every window of {new} is one of {old}: one in {plan.advance}"
    return f"every window of {new} is made of {plan.count} of {old}"


def end_rules_agree(wanted: WindowProperties, given: WindowProperties) -> Reason:
    """Whether the stream's unfinished windows at its end are those that new ones need."""
    if wanted.end is not given.end:
        text = (
            f"unfinished windows at the end of the stream follow the rule '{given.end.value}', "
            f"asked for is '{wanted.end.value}'"
        )
        return Reason("end", False, text)
    if wanted.spec != given.spec and not _end_composes(wanted, given):
        text = (
            f"under the end rule '{given.end.value}' the stream's last windows "
            f"are not those that the new ones are made of"
        )
        return Reason("end", False, text)
    return Reason("end", True, f"both end by the rule '{given.end.value}'")


def _end_composes(wanted: WindowProperties, given: WindowProperties) -> bool:
    picked = wanted.spec.size == given.spec.size and given.end is EndRule.CUT
    return picked or given.end in COMPOSING[given.spec.kind]


def offset_fits(old: WindowSpec, offset: int | None) -> Iterator[Reason]:
    """Whether new item windows begin where one of the stream's does; those in time always do."""
    if old.kind is WindowKind.DIFF:
        return
    if offset is None:
        text = "it is not known how many items the stream's windows have counted"
        yield Reason("offset", False, text)
    elif offset % old.step:
        text = (
            f"the new windows begin {offset} items after the stream's first, "
            f"which is no multiple of the reused step {old.step}"
        )
        yield Reason("offset", False, text)
    else:
        text = f"the new windows begin where one of the stream's does, at its item {offset}"
        yield Reason("offset", True, text)


def filter_allows(
    wanted: WindowProperties, given: WindowProperties
) -> Generator[Reason, None, bool]:
    """Whether no window that is needed was filtered out of the stream."""
    if given.filter == ALWAYS:
        yield Reason("filter", True, "the stream's windows are not filtered")
        return True
    if wanted.spec.size != given.spec.size:
        text = (
            f"the stream holds only windows with {given.filter}, "
            f"so windows of another size cannot be made of them"
        )
        yield Reason("filter", False, text)
        return False
    implication = implies(wanted.filter, given.filter)
    if implication.holds:
        text = f"every window asked for is in the stream, which holds those with {given.filter}"
        yield Reason("filter", True, text)
    yield from unimplied("filter", implication)
    return implication.holds
