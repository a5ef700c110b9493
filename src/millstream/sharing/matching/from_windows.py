"""Windows from the result of a subscription that returns the contents of its windows.

Such windows do not travel, only their items do: this is about whole results.
"""

from __future__ import annotations

from millstream.sharing.matching.answer import Conditions, Reason
from millstream.sharing.matching.from_items import items_with, named
from millstream.sharing.matching.user_functions import functions_agree
from millstream.sharing.matching.window_conditions import (
    end_rules_agree,
    filter_allows,
    offset_fits,
)
from millstream.sharing.predicates import equivalent, residual
from millstream.sharing.properties import ALWAYS, Input, WindowProperties


def windows_from_windows(
    new: Input, flow: Input, given: WindowProperties, offset: int | None
) -> Conditions:
    """The conditions under which the contents of windows answer an input: equal windows."""
    wanted = new.window
    if wanted is None or wanted.spec != given.spec:
        asked = "items" if wanted is None else f"windows {wanted.spec}"
        text = (
            f"the contents of windows {given.spec} serve equal windows only, asked for are {asked}"
        )
        yield Reason("window", False, text)
        return ALWAYS
    yield Reason("window", True, f"the windows are the same: {wanted.spec}")
    yield end_rules_agree(wanted, given)
    yield from offset_fits(given.spec, offset)
    yield functions_agree(new, flow)
    missing = new.output - flow.output
    yield Reason(
        "elements",
        not missing,
        f"the contents no longer have {named(missing)}" if missing else "the contents suffice",
    )
    same = equivalent(new.selection, flow.selection)
    held, asked = items_with(flow.selection), items_with(new.selection)
    other = f"the windows hold {held}, asked for are {asked}"
    yield Reason("selection", same, "the windows hold the same items" if same else other)
    allowed = yield from filter_allows(wanted, given)
    return residual(wanted.filter, given.filter) if allowed else ALWAYS
