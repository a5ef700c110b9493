"""How a subscription would be answered, for people to read before they register it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from millstream.algebra.explain import explain
from millstream.compiler.branch import batch_sql
from millstream.compiler.matching import choose_matching
from millstream.compiler.step_tags import FEW_TAGS
from millstream.compiler.tags.python_calls import called_functions, calls_groups
from millstream.rendering import html
from millstream.runtime.fold_sharing import fold_sharing
from millstream.runtime.journal import StreamState
from millstream.runtime.registry import Registered
from millstream.sharing.planner import Candidate, Plan, PlanInput
from millstream.sharing.properties import Input

MOST_CANDIDATES = 8
"""Of the flows that could serve, and of those that cannot, so many are shown."""


@dataclass(frozen=True)
class Explanation:
    """A subscription that is not registered: what it asks, what it would reuse, what would run."""

    registered: Registered
    plan: Plan
    states: Mapping[str, StreamState]
    """How the streams of the space are now."""

    @property
    def text(self) -> str:
        return self.registered.record.text

    @cached_property
    def algebra(self) -> str:
        return explain(self.registered.query)

    @cached_property
    def properties(self) -> str:
        """What is asked of each stream."""
        return "\n".join(line for each in self.plan.properties.inputs for line in _asked(each))

    @cached_property
    def sharing(self) -> str:
        """What would be reused and made where, what else was considered, and what is saved."""
        lines = [str(self.plan)]
        for part in self.plan.inputs:
            lines += _considered(part)
        return "\n".join(lines)

    @cached_property
    def evaluation(self) -> str:
        """How the shared step of each stream would treat it, together with those that are there."""
        ways = _evaluated(self.registered, self.states)
        return "\n".join((*ways, *_in_python(self.sql)))

    @cached_property
    def sql(self) -> str:
        statements = {
            branch.signature: statement
            for branch in self.registered.branches
            for statement in branch.statements.values()
        }
        return batch_sql(statements, full=False, tags=FEW_TAGS)

    @property
    def parts(self) -> dict[str, str]:
        """All of it, by titles."""
        return {
            "Algebra": self.algebra,
            "Properties": self.properties,
            "Sharing": self.sharing,
            "Evaluation": self.evaluation,
            "Spark SQL": self.sql,
        }

    def __str__(self) -> str:
        return "\n\n".join(f"{title}\n{_indented(each)}" for title, each in self.parts.items())

    def _repr_html_(self) -> str:
        return html.explained("how it would be answered", self.parts)


def unshared(part: PlanInput) -> Candidate | None:
    """The best way to answer an input from the original stream itself."""
    found = [each for each in part.candidates if each.flow.tapped is None]
    return min(found, key=lambda each: each.cost, default=None)


def _asked(asked: Input) -> Iterator[str]:
    yield f"stream {asked.stream}"
    if asked.selection.expression() is not None:
        yield f"  selects {asked.selection}"
    yield f"  refers to {_paths(asked.referenced)}"
    yield f"  returns {_paths(asked.output)}"
    if asked.window is not None:
        wanted = ", ".join(sorted(str(each) for each in asked.window.aggregates)) or "the items"
        yield f"  {wanted} of windows {asked.window.spec}"
        if asked.window.filter.expression() is not None:
            yield f"  keeps windows with {asked.window.filter}"
    yield from (f"  calls {each}" for each in asked.functions)


def _evaluated(registered: Registered, states: Mapping[str, StreamState]) -> Iterator[str]:
    for branch in registered.branches:
        for stream, statement in branch.statements.items():
            state = states[stream]
            alike = [
                each.constants
                for each in state.channels.values()
                if each.signature == branch.signature
            ]
            batch = state.items // max(1, state.step)
            way = choose_matching(statement.lookups, [*alike, branch.constants], batch)
            yield f"stream {stream}: {way}"
            slices = fold_sharing(state, stream, branch)
            if slices is not None:
                yield f"  {slices}"


def _in_python(sql: str) -> Iterator[str]:
    """What of a statement Spark does not do itself."""
    if calls_groups(sql):
        yield "in Python: tuples with several tags are brought to their groups, one by one"
    yield from (
        f"in Python: {name}, once for each pair of contents" for name in called_functions(sql)
    )


def _considered(part: PlanInput) -> Iterator[str]:
    by_cost = sorted(part.candidates, key=lambda each: each.cost)
    if by_cost:
        yield f"could be answered from, of stream {part.asked.stream}"
        yield from (f"  {each}" for each in by_cost[:MOST_CANDIDATES])
        yield from _more(len(by_cost))
    alone = unshared(part)
    chosen = next((each for each in by_cost if _is_chosen(each, part)), None)
    if alone is not None and chosen is not None and alone is not chosen:
        yield f"not sharing would cost {alone.cost:.6g} instead of {chosen.cost:.6g}"
    if part.rejections:
        yield "cannot be answered from"
        yield from (f"  {each}" for each in part.rejections[:MOST_CANDIDATES])
        yield from _more(len(part.rejections))


def _is_chosen(candidate: Candidate, part: PlanInput) -> bool:
    return (candidate.flow.name, candidate.peer) == (part.tapped.name, part.tap)


def _more(count: int) -> Iterator[str]:
    if count > MOST_CANDIDATES:
        yield f"  and {count - MOST_CANDIDATES} more"


def _paths(paths: frozenset[tuple[str, ...]]) -> str:
    return ", ".join(sorted("/".join(each) or "." for each in paths)) or "nothing"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
