"""Aggregates without a window: of a group only what is known of it is kept, not its tuples."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from millstream.compiler import output
from millstream.compiler.relations import named
from millstream.compiler.step_tags import StepTags
from millstream.compiler.tags.aggregates import AggregateStatement
from millstream.compiler.tags.group_answers import FRESH
from millstream.compiler.tags.selections import STATE
from millstream.compiler.tags.tag_groups import GROUP, TagGroupStatement
from millstream.compiler.tags.totals import TAG_SETS, Part
from millstream.compiler.tags.tuple_source import NO_SET
from millstream.model.tags import step_layout


@dataclass(frozen=True, slots=True)
class RunningStatement(AggregateStatement):
    """For each tuple the new answer of its group, which goes on from what the last steps found.

    State has a row for each group and set of tags in it, with the position of its first tuple. Its
    values are the texts of what the group is told by, and the parts.
    """

    @property
    def _role(self) -> str:
        """What the state is called: rows that hold different things are told apart."""
        held = repr((self.source.role, self.keys, [(p.function, p.input) for p in self.parts]))
        return f"totals {hashlib.sha256(held.encode()).hexdigest()[:10]}"

    def _members(self, fresh: str, needed: tuple[Part, ...]) -> str:
        return f"{self._old(needed)} UNION ALL {self._new(fresh, needed)}"

    def _old(self, needed: tuple[Part, ...]) -> str:
        """Groups as earlier steps have left them, each like one tuple with all that is known."""
        held = {
            "channel": "s.channel",
            "position": "get(s.ordering, 0)",
            step_layout.TAGSET: "s.tick",
        }
        for place, key in enumerate(self.keys):
            held |= self._told(key, f"get(s.values, {place})")
        names = (*self.source.names, *(() if self.source.extra is None else (self.source.extra,)))
        columns = [f"{held.get(name, 'NULL')} AS {name}" for name in names]
        columns.append(f"false AS {FRESH}")
        for place, part in enumerate(needed):
            text = f"get(s.values, {len(self.keys) + place})"
            columns.append(f"{'s.tick' if part is TAG_SETS else part.read(text)} AS x{place}")
        return f"SELECT {', '.join(columns)} FROM {STATE} s WHERE s.role = '{self._role}'"

    def _told(self, key: str, text: str) -> dict[str, str]:
        """The columns of what a group is told by, given the text of it that was kept."""
        if key == self.source.extra:
            return {key: text}
        attribute = self.source.attributes[_place(key)].kept_as(text)
        return {_text(key): attribute.text, key: attribute.value}

    def _state(self, fresh: str, tags: StepTags, full: bool) -> Iterator[str]:
        members = self._members(fresh, self.parts) if full else self._new(fresh, self.parts)
        tagset = f"e.{step_layout.TAGSET}" if self.with_tags else NO_SET
        texts = [
            f"e.{key}" if key == self.source.extra else f"max(e.{_text(key)})" for key in self.keys
        ]
        totals = [
            part.text(f"{part.function}(e.x{place})") for place, part in enumerate(self.parts)
        ]
        row = output.row(
            kind=f"'{output.STATE}'",
            role=f"'{self._role}'",
            channel="e.channel",
            tick=tagset,
            ordering="array(min(e.position))",
            values=output.array((*texts, *totals)),
        )
        group = ", ".join(("e.channel", *(f"e.{key}" for key in self.keys), tagset))
        yield f"SELECT {row} FROM {named(members)} e GROUP BY {group}"


@dataclass(frozen=True, slots=True)
class RunningTagGroups(RunningStatement, TagGroupStatement):
    """The same by tags: a group is there from the first tuple on that went to it."""

    def _earlier(self) -> str:
        return (
            "SELECT s.channel AS channel, get(s.ordering, 0) AS position,"
            f" CAST(NULL AS BIGINT) AS time, get(s.values, 0) AS {GROUP}"
            f" FROM {STATE} s WHERE s.role = '{self._role}'"
        )


def _place(key: str) -> int:
    """Where an attribute stands whose values tell groups."""
    return int(key.removeprefix("v"))


def _text(key: str) -> str:
    """The column of the texts of such an attribute."""
    return f"t{_place(key)}"
