"""Matching whole subscriptions: each input of the new one by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from millstream.sharing.matching.answer import Match
from millstream.sharing.matching.one_input import match
from millstream.sharing.properties import ALWAYS, Input, Properties


def match_properties(
    new: Properties, old: Properties, *, offset: int | None = 0, explain: bool = True
) -> Match:
    """Whether what one subscription asks can be answered from what flows for another.

    Several inputs are matched one by one: their combination is made where it is asked for. Item
    windows are taken to begin together unless an offset says otherwise.
    """
    answers = tuple(_best(each, old, offset, explain) for each in new.inputs)
    if len(answers) == 1:
        return replace(answers[0], inputs=answers)
    reasons = tuple(
        replace(reason, text=f"input {number} ({asked.stream}): {reason.text}")
        for number, (asked, answer) in enumerate(zip(new.inputs, answers, strict=True), 1)
        for reason in answer.reasons
    )
    reusable = all(answer.reusable for answer in answers)
    return Match(
        reusable,
        reasons,
        ALWAYS,
        composes=reusable and any(answer.composes for answer in answers),
        steps=tuple(_steps(new, answers)) if reusable else (),
        inputs=answers,
    )


def _steps(new: Properties, answers: tuple[Match, ...]) -> Iterator[str]:
    for number, (asked, answer) in enumerate(zip(new.inputs, answers, strict=True), 1):
        yield from (f"input {number} ({asked.stream}): {step}" for step in answer.steps)


def _best(asked: Input, old: Properties, offset: int | None, explain: bool) -> Match:
    """The first answer that is yes, else the one that fails by the fewest conditions."""
    answers = []
    for flow in old.inputs:
        answer = match(asked, flow, offset=offset, explain=explain)
        if answer.reusable:
            return answer
        answers.append(answer)
    return min(answers, key=lambda each: (each.failed[0].condition == "stream", len(each.failed)))
