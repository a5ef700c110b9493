"""Functions that nothing is known of, but that equal calls give equal results if so declared."""

from __future__ import annotations

from millstream.sharing.matching.answer import Reason
from millstream.sharing.properties import Input


def functions_agree(new: Input, flow: Input) -> Reason:
    """Whether what user functions have decided about a stream is what would be decided again."""
    for each in flow.functions:
        if not each.deterministic:
            text = f"the stream depends on {each}, which is not declared deterministic"
            return Reason("functions", False, text)
        if each not in new.functions:
            text = f"the stream depends on {each}, which is not asked for with equal arguments"
            return Reason("functions", False, text)
    if not flow.functions:
        return Reason("functions", True, "the stream depends on no function outside the library")
    calls = ", ".join(str(each) for each in flow.functions)
    return Reason("functions", True, f"both depend on {calls}, declared deterministic")
