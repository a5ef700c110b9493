"""What is left to do with a stream that is reused, in words."""

from __future__ import annotations

from collections.abc import Iterator

from millstream.sharing.matching.answer import Match
from millstream.sharing.matching.from_items import named
from millstream.sharing.properties import ALWAYS, Input, WindowProperties


def steps(new: Input, flow: Input, answer: Match) -> Iterator[str]:
    """The operators that make what an input asks of a stream that answers it, first to last."""
    found = tuple(
        _from_windows(new, flow, answer) if flow.window else _from_items(new, flow, answer)
    )
    yield from found or ("take the stream as it is",)


def _from_items(new: Input, flow: Input, answer: Match) -> Iterator[str]:
    if answer.residual != ALWAYS:
        yield f"select items with {answer.residual}"
    window = new.window
    if window is None:
        if new.output and new.output != flow.output:
            yield f"keep {named(new.output)}"
        return
    yield f"make windows {window.spec}{_computing(window)}"
    if window.filter != ALWAYS:
        yield f"keep windows with {window.filter}"


def _from_windows(new: Input, flow: Input, answer: Match) -> Iterator[str]:
    if answer.composes and new.window and flow.window:
        yield f"make windows {new.window.spec} of windows {flow.window.spec}"
    if answer.residual != ALWAYS:
        yield f"keep windows with {answer.residual}"


def _computing(window: WindowProperties) -> str:
    names = ", ".join(sorted(map(str, window.aggregates)))
    return f" with {names}" if names else ""
