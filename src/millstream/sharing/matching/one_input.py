"""Matching what one input asks with what one stream holds (Algorithm 2, corrected)."""

from __future__ import annotations

from dataclasses import replace

from millstream.sharing.matching.answer import Conditions, Match, Reason, decide
from millstream.sharing.matching.from_aggregates import aggregates_from_aggregates
from millstream.sharing.matching.from_items import anything_from_items
from millstream.sharing.matching.from_windows import windows_from_windows
from millstream.sharing.matching.use import steps
from millstream.sharing.properties import ALWAYS, Input


def match(new: Input, flow: Input, *, offset: int | None = None, explain: bool = False) -> Match:
    """Whether a stream can answer what an input asks.

    `offset` is how many items the stream's item windows had counted when the new ones begin; None
    if that is not known. Without `explain`, the answer ends with the first condition that fails.

    Different from the printed algorithms: predicates are compared by what they imply; only what is
    still needed must be in the stream, so an input is answered by its own stream.
    """
    composes = (
        new.window is not None and flow.window is not None and new.window.spec != flow.window.spec
    )
    conditions = _conditions(new, flow, offset)
    answer = decide(conditions, ALWAYS, explain=explain, composes=composes)
    if not explain or not answer.reusable:
        return answer
    return replace(answer, steps=tuple(steps(new, flow, answer)))


def _conditions(new: Input, flow: Input, offset: int | None) -> Conditions:
    yield _stream(new, flow)
    if new.stream != flow.stream:
        return ALWAYS
    if flow.window is None:
        return (yield from anything_from_items(new, flow))
    if flow.window.contents:
        return (yield from windows_from_windows(new, flow, flow.window, offset))
    if new.window is None or new.window.contents:
        yield Reason("kind", False, "aggregate values cannot give back items")
        return ALWAYS
    return (yield from aggregates_from_aggregates(new, new.window, flow, flow.window, offset))


def _stream(new: Input, flow: Input) -> Reason:
    if new.stream == flow.stream:
        return Reason("stream", True, f"both are made from '{new.stream}'")
    text = f"the stream is made from '{flow.stream}', asked for is '{new.stream}'"
    return Reason("stream", False, text)
