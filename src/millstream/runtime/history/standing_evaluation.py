"""One continuous query over histories, evaluated where something has changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from millstream.algebra.standing import Standing
from millstream.errors import QueryError
from millstream.history.evaluation import KeyedResult, run_keyed
from millstream.model.filler_layout import instant_of
from millstream.model.tag_structure import TagStructure, TagType
from millstream.runtime.history.affected import Affected, Anchor, News, anchor_of
from millstream.runtime.history.filler_index import FillerIndex
from millstream.runtime.history.history_rows import HistoryRow
from millstream.runtime.history.hydration import Hydration
from millstream.runtime.history.standing_results import Change, CurrentResults

AT_ONCE = 4_000
"""So many anchors are gathered at once."""

Documents = Mapping[str, Hydration]


@dataclass
class StandingEvaluation:
    """Evaluates one continuous query in the steps of its streams."""

    standing: Standing
    structures: Mapping[str, TagStructure]
    index: FillerIndex

    def __post_init__(self) -> None:
        self.failures: list[str] = []
        """Why the query failed in the last step, for each part of the data where it did."""
        self._affected = Affected(self.standing, self.structures, self.index)
        self._current = CurrentResults(self.index)

    def due(self, before: int | None, now: int) -> bool:
        """True if something may change because now moves, though nothing comes."""
        if before is None or not self.standing.timed:
            return before is None
        return not self.standing.local or any(self._affected.by_time(before, now))

    def changes(self, name: str, news: News, before: int | None, now: int) -> list[Change]:
        """How the results of a subscription change with some news, and as now moves."""
        self.failures = []
        if not self.standing.local:
            if before is not None and not self._concerned(news) and not self.standing.timed:
                return []
            return self._all_changes(name, now)
        if before is None:
            touched = self._all_anchors()
        else:
            by_time = self._affected.by_time(before, now) if self.standing.timed else []
            touched = _union(self._affected.by_news(news), by_time)
        touched = self._spread(touched)
        anchors = {str(anchor) for each in touched for anchor in each}
        found = {
            change.key: change
            for part in _parts(touched)
            for change in self._surely_evaluated(part, now, anchors)
        }
        return self._difference(self._current.touching(name, anchors), found)

    def _all_changes(self, name: str, now: int) -> list[Change]:
        """How the results change if everything is evaluated; not at all if that fails."""
        try:
            found = dict(self._everything(now))
        except QueryError as error:
            self.failures.append(error.message)
            return []
        return self._difference(self._current.all(name), found)

    def _concerned(self, news: News) -> bool:
        return any(news.rows.get(stream) for stream in self.standing.streams)

    def _difference(
        self, before: Mapping[str, tuple[str, ...]], found: Mapping[str, Change]
    ) -> list[Change]:
        # In an order that does not depend on the process: a step that runs again writes the same.
        ended = [Change(key, None) for key in sorted(before.keys() - found.keys())]
        return ended + [change for key, change in found.items() if before.get(key) != change.items]

    # What must be looked at.

    def _all_anchors(self) -> list[set[Anchor]]:
        """All anchors of the entries that bind."""
        return [
            {
                anchor_of(entry, row)
                for row in self.index.moments(entry.stream, entry.tsid, -(2**62), 2**62)
            }
            if entry.binds
            else set()
            for entry in self.standing.entries
        ]

    def _spread(self, touched: list[set[Anchor]]) -> list[set[Anchor]]:
        """The anchors whose bindings may change: those that bind, and what others lead to."""
        entries = self.standing.entries
        spread = [
            set(each) if entry.binds else set()
            for entry, each in zip(entries, touched, strict=True)
        ]
        for number, entry in enumerate(entries):
            if touched[number] and not entry.binds:
                reached = self._affected.reached(number, touched[number])
                for other, anchors in enumerate(reached):
                    spread[other] |= anchors if entries[other].binds else set()
        return spread

    # Evaluation.

    def _surely_evaluated(
        self, touched: list[set[Anchor]], now: int, anchors: set[str]
    ) -> list[Change]:
        """The results that depend on some anchors; those that make the query fail have none."""
        try:
            return list(self._evaluated(touched, now, anchors))
        except QueryError as error:
            halves = list(_halves(touched))
            if len(halves) < 2:
                self.failures.append(error.message)
                return []
        return [change for half in halves for change in self._surely_evaluated(half, now, anchors)]

    def _evaluated(
        self, touched: list[set[Anchor]], now: int, anchors: set[str]
    ) -> Iterator[Change]:
        """The results that depend on some of the anchors."""
        documents = self._documents(now)
        for number, each in enumerate(touched):
            if each:
                for entry, reached in zip(
                    self.standing.entries, self._affected.reached(number, each), strict=True
                ):
                    documents[entry.stream].add(entry, reached)
        for change in self._run(documents, now):
            if anchors.intersection(change.anchors):
                yield change

    def _everything(self, now: int) -> Iterator[tuple[str, Change]]:
        documents = self._documents(now)
        for each in documents.values():
            each.add_all()
        for change in self._run(documents, now):
            yield change.key, change

    def _documents(self, now: int) -> dict[str, Hydration]:
        streams = self.standing.streams
        return {
            name: Hydration(name, self.structures[name], self.index, now, len(streams), place)
            for place, name in enumerate(streams)
        }

    def _run(self, documents: Documents, now: int) -> Iterator[Change]:
        if not any(each.rows for each in documents.values()):
            return
        texts = {name: each.document() for name, each in documents.items()}
        seen: dict[str, int] = {}
        for result in run_keyed(self.standing.text, texts, instant_of(now)):
            if not result.items:
                continue
            change = self._change(result, documents)
            seen[change.key] = seen.get(change.key, 0) + 1
            if seen[change.key] > 1:
                key = f"{change.key}#{seen[change.key]}"
                change = Change(key, change.items, change.anchors)
            yield change

    def _change(self, result: KeyedResult, documents: Documents) -> Change:
        """A result with the fillers that it is bound to, known by their ids and versions."""
        keys, anchors = [], set()
        for key in result.keys:
            arrival, _, way = key.partition("/")
            if key.startswith("="):
                keys.append(key if self.standing.looped else "")
                continue
            number, place = divmod(int(arrival), len(self.standing.streams))
            stream = self.standing.streams[place]
            row = documents[stream].row(number)
            assert row is not None, "what is bound was gathered"
            keys.append(_known_by(row, self.structures[stream]) + (f"/{way}" if way else ""))
            anchors |= documents[stream].owners.get(number, set())
        return Change(" ".join(keys), result.items, tuple(sorted(map(str, anchors))))


def _known_by(row: HistoryRow, structure: TagStructure) -> str:
    """What a binding is known by, whatever comes later: an event, or a version from its begin."""
    if structure.tag(row.tsid).type is TagType.EVENT:
        return f"{row.id}.{row.arrival}"
    return f"{row.id}@{row.valid}"


def _union(one: list[set[Anchor]], other: list[set[Anchor]]) -> list[set[Anchor]]:
    return [a | b for a, b in zip(one, other, strict=True)] if other else one


def _parts(touched: list[set[Anchor]]) -> Iterator[list[set[Anchor]]]:
    """All anchors, a limited number at a time; together where they are few."""
    if sum(map(len, touched)) <= AT_ONCE:
        yield touched
        return
    for number, each in enumerate(touched):
        for some in _batches(sorted(each, key=_order)):
            yield [set(some) if place == number else set() for place in range(len(touched))]


def _halves(touched: list[set[Anchor]]) -> Iterator[list[set[Anchor]]]:
    """The anchors in two parts, if there is more than one."""
    listed = [(number, anchor) for number, each in enumerate(touched) for anchor in sorted(each)]
    middle = len(listed) // 2
    for half in (listed[:middle], listed[middle:]):
        if half:
            parts: list[set[Anchor]] = [set() for _ in touched]
            for number, anchor in half:
                parts[number].add(anchor)
            yield parts


def _order(anchor: Anchor) -> tuple[int, int, int]:
    return anchor.valid or 0, anchor.id, anchor.arrival or 0


def _batches(anchors: list[Anchor]) -> Iterable[list[Anchor]]:
    return (anchors[start : start + AT_ONCE] for start in range(0, len(anchors), AT_ONCE))
