"""The tags of one stream, step by step: resolved once for all who read it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from millstream.model.schema import ValueType
from millstream.model.tags.granularity import Granularity
from millstream.model.tags.vocabulary import USUAL, TagVocabulary
from millstream.runtime.intake.parts import read_passing_part
from millstream.runtime.journal import Journal
from millstream.runtime.ledger import Json
from millstream.runtime.parsing.arrow_types import compute
from millstream.runtime.quarantine import write_reasons
from millstream.runtime.records import Segment, StreamRecord
from millstream.runtime.side_by_side import side_by_side
from millstream.runtime.storage import Storage
from millstream.runtime.tags import storage as tables
from millstream.runtime.tags.alike_fields import alike_in
from millstream.runtime.tags.arrivals import Arrivals, arrivals, stamped, with_types
from millstream.runtime.tags.attached import AttachedTags
from millstream.runtime.tags.attachments import attachments_of
from millstream.runtime.tags.batch import Batch, Resolved
from millstream.runtime.tags.columns import SPENT, TagColumns
from millstream.runtime.tags.intake.chunks import ELEMENTS, element_parts
from millstream.runtime.tags.intake.tag_rows import ELEMENT_FIELDS
from millstream.runtime.tags.lateness import late_tags
from millstream.runtime.tags.live import LiveTags
from millstream.runtime.tags.lone_tagger import LoneTagger, attached_tables
from millstream.runtime.tags.numbers import LONG_AGO, NONE, Integers, integers, rows_where
from millstream.runtime.tags.overwriting import reaching_all
from millstream.runtime.tags.query_tags import named_runs, without_runs
from millstream.runtime.tags.remaining import ended_for_good
from millstream.runtime.tags.resolution import resolve
from millstream.runtime.tags.set_tables import alone_in_sets, with_positions
from millstream.runtime.tags.tagged_runs import TaggedRuns
from millstream.runtime.tags.tuple_reading import read_tuples

_SECOND = 1_000_000


@dataclass(frozen=True, slots=True)
class StepTagging:
    """What a step knows of tags, and what it leaves behind."""

    tables: dict[str, list[Segment]]
    """What is added to the stream's tables, by name."""
    tagged: tuple[str, ...]
    """Files with the positions of tagged tuples, or of runs of them, and the numbers of sets."""
    sets: tuple[str, ...]
    """Files with the members of sets."""
    tags: tuple[str, ...]
    """Files with tags."""
    known_sets: pa.Table | None = None
    """Members of sets that were known before."""
    known_tags: pa.Table | None = None
    """Tags of earlier steps."""
    quarantine: list[Segment] = field(default_factory=list)
    late: int = 0
    live: LiveTags | None = None
    taken: int = 0
    parts: tuple[str, ...] = ()
    """Files that are needed no more once the step is committed."""
    arrived: Integers = field(default_factory=lambda: NONE)
    """The positions of the tags that the step has brought."""
    runs: TaggedRuns | None = None
    """Tagged tuples as runs, where these are far fewer."""
    alone: Granularity | None = None
    """Where each set is one tag on whole tuples and has its number: what these are attached to."""
    indexed: bool = False
    """True when a stix may put these tags on later tuples as well."""
    fleeting: bool = False
    """True when, beside that, no tag is on more than one tuple, now or later."""
    marks: int | None = None
    """How many tags and objects the sets have, where it is known."""
    alike: Mapping[str, str] = field(default_factory=dict)
    """What fields say that are the same for all tags in the files."""
    past: bool = False
    """True when the files are those of earlier steps, some of which tell of runs."""
    alive: pa.Table | None = None
    """The numbers of tags that are alive, where no others are to be seen, but Instant ones."""

    def add_to(self, commit: Json) -> None:
        """Tell the commit of a step what became of tags."""
        added = {**self.tables, "quarantine": self.quarantine}
        for name, segments in added.items():
            known = commit["tables"].setdefault(name, [])
            known += [each.to_json() for each in segments]
        if self.live is not None:
            commit["replaced"].append(tables.LIVE_TAGS)
        commit["rejected"] += self.late


class StreamTags:
    """Resolves the tags of a stream; what is in play is read once and then kept at hand."""

    def __init__(
        self,
        storage: Storage,
        record: StreamRecord,
        journal: Journal,
        vocabulary: TagVocabulary | None = None,
    ) -> None:
        self.classify = (vocabulary or USUAL).classify
        self._storage = storage
        self._record = record
        self._journal = journal
        self._folder = f"streams/{record.name}"
        self.attached = AttachedTags(storage, self._folder)
        self._known: tuple[LiveTags, int] = (LiveTags(), 0)
        self._known_from: tuple[str, ...] = ()

    def in_play(self) -> tuple[LiveTags, int]:
        """What the last step has left, and which attached tags were taken by then.

        Steps may be those of others, such as the stream's runner.
        """
        segments = self._left()
        names = _names(segments)
        if names != self._known_from:
            self._known = tables.read_live(self._storage, segments)
            self._known_from = names
        return self._known

    def _left(self) -> list[Segment]:
        return list(self._journal.state.tables[tables.LIVE_TAGS])

    def living(self) -> pa.Table:
        """The tags in play that are neither spent, nor over, nor overwritten for all to come."""
        tags = TagColumns(self.in_play()[0].table)
        attachments, reached = attachments_of(tags), self.reached()
        ended = ended_for_good(tags, attachments, reaching_all(tags, attachments), reached)
        alive = (tags.statuses != SPENT) & (tags.ends > reached) & ~ended
        return tags.table.filter(pa.array(alive))

    def begun(self, inputs: Json) -> Json:
        """What a step must write down before it runs: which attached tags it takes."""
        if not inputs["parts"] and not inputs["ended"]:
            return {}
        waiting = self.attached.waiting(self.in_play()[1])
        return {"attached": waiting} if waiting else {}

    def resolve(
        self, begun: Json, excluded: Collection[int], by_queries: pa.Table | None = None
    ) -> StepTagging | None:
        """The tags of a step; None when there are none in play, and nothing is done.

        `by_queries` are elements that queries have put between those of the source.
        """
        if "log" in begun:
            return self._past()
        live, taken = self.in_play()
        parts = self._element_parts(begun)
        attached = begun.get("attached", [])
        idle = live.idle and not parts and by_queries is None
        if not attached and (not begun["parts"] or idle):
            return None
        tuples = read_tuples(self._record, self._log_files(begun), excluded)
        step, highest = begun["step"], self.reached()
        elements = self._elements(begun, parts, attached)
        runs = set() if by_queries is None else named_runs(by_queries)
        if by_queries is not None:
            elements = _in_order(elements, by_queries)
        typed = with_types(elements, self.classify)
        arrived = arrivals(typed, self._record.name, step, tuples, highest)
        late, overwritten = late_tags(
            arrived.tags, tuples, highest, self.lateness, live.overwritten
        )
        reasons = _late_reasons(rows_where(arrived.tags, late))
        kept = replace(arrived, tags=rows_where(arrived.tags, ~late))
        before = replace(
            live, table=stamped(live.table, tuples), highest=highest, overwritten=overwritten
        )
        own = int(np.count_nonzero(~late[: len(attached)]))
        resolved = resolve(
            before,
            Batch(step, tuples, kept.tags, own, kept.stixes),
            self._record.shape.names,
            self.lateness,
        )
        if runs:
            resolved = replace(resolved, live=without_runs(resolved.live, runs))
        if excluded:
            # What lies between the tuples of a run must be none that is left out.
            resolved = replace(resolved, sets=replace(resolved.sets, runs=None))
        return self._written(step, kept, resolved, reasons, parts, max([taken, *attached]))

    def attached_by(self, step: int, tagger: LoneTagger, files: Sequence[str]) -> StepTagging:
        """What the only tagger of a step has attached, as its results tell; nothing stays alive."""
        found = attached_tables(
            tagger,
            [self._storage.address(each) for each in files],
            self._record.name,
            self.classify,
            named=self._record.tuple_id is not None,
        )
        rows = {
            tables.TAGS: found.tags,
            tables.TAG_SETS: found.members,
            tables.TAGGED: found.tagged,
        }
        added = tables.write_tables(self._storage, self._folder, step, rows)
        return StepTagging(added, (), (), ())

    def committed(self, tagging: StepTagging | None) -> None:
        """Remember what a step has left, and let go of what it took."""
        if tagging is None or tagging.live is None:
            return
        self._known = (tagging.live, tagging.taken)
        self._known_from = _names(self._left())
        self.attached.forget(tagging.taken)
        for part in tagging.parts:
            self._storage.delete(part)

    def _written(
        self,
        step: int,
        arrived: Arrivals,
        resolved: Resolved,
        reasons: dict[int, str],
        parts: tuple[str, ...],
        taken: int,
    ) -> StepTagging:
        sets = resolved.sets
        alone = alone_in_sets(sets.members)
        fleeting = alone is not None and sets.fleeting
        rows = {
            tables.TAGS: with_positions(arrived.tags, sets.tagged) if fleeting else arrived.tags,
            tables.TAG_SETS: rows_where(sets.members, sets.new),
            tables.TAGGED: sets.tagged if sets.runs is None else sets.runs.written,
        }
        added = tables.write_tables(self._storage, self._folder, step, rows)
        files = {name: tuple(each.name for each in added.get(name, ())) for name in rows}
        added[tables.LIVE_TAGS] = tables.write_live(
            self._storage, self._folder, step, resolved.live, taken
        )
        return StepTagging(
            added,
            files[tables.TAGGED],
            files[tables.TAG_SETS],
            files[tables.TAGS],
            rows_where(sets.members, ~sets.new),
            sets.earlier_tags,
            self._set_aside(reasons, step),
            len(reasons),
            resolved.live,
            taken,
            parts,
            integers(arrived.tags.column("position").to_numpy()),
            sets.runs,
            alone,
            resolved.live.index is not None,
            fleeting,
            sets.members.num_rows,
            alike_in(arrived.tags),
        )

    def _set_aside(self, reasons: dict[int, str], step: int) -> list[Segment]:
        if not reasons:
            return []
        name = self._record.name
        return write_reasons(self._storage, self._folder, name, "late-tag", reasons, step)

    def _past(self) -> StepTagging | None:
        """The tags of all that the log holds, for those who start from its past."""
        state = self._journal.state.tables
        if not state[tables.TAGGED]:
            return None
        tagged, sets, tags = (
            tuple(each.name for each in state[name])
            for name in (tables.TAGGED, tables.TAG_SETS, tables.TAGS)
        )
        indexed = self.in_play()[0].index is not None
        return StepTagging({}, tagged, sets, tags, indexed=indexed, past=True)

    # What a step brings.

    def _log_files(self, begun: Json) -> list[str]:
        parts = (part["part"] for part in begun["parts"] if part["part"])
        return [self._storage.address(f"{self._folder}/log/{part}") for part in parts]

    def _element_parts(self, begun: Json) -> tuple[str, ...]:
        return tuple(f"{self._folder}/{ELEMENTS}/{name}" for name in element_parts(begun))

    def _elements(self, begun: Json, parts: tuple[str, ...], attached: list[int]) -> pa.Table:
        """The attached tags, which come before all else, and the elements of the source."""
        first = min((part["first_position"] for part in begun["parts"]), default=0)
        found = [self.attached.read(attached, first - 1)]
        found += side_by_side(lambda part: read_passing_part(self._storage, part), parts)
        return pa.concat_tables(found)

    def reached(self) -> int:
        """The time that the stream has reached with its last step."""
        path = self._record.tuple_time
        mark = self._journal.state.watermarks.get("/".join(path or ()))
        if mark is None or mark.highest is None:
            return LONG_AGO
        return int(mark.highest if mark.type is ValueType.TIME else mark.highest * _SECOND)

    @property
    def lateness(self) -> int:
        """How late an element may be, in microseconds."""
        return self._record.lateness * _SECOND


def _in_order(elements: pa.Table, others: pa.Table) -> pa.Table:
    """Elements in the order of their positions; among equals, those that came first."""
    both = pa.concat_tables([elements, others.cast(ELEMENT_FIELDS)])
    return both.take(compute.sort_indices(both.column("position")))


def _late_reasons(tags: pa.Table) -> dict[int, str]:
    return {
        tag["position"]: f"late: '{tag['tagger']}' has overwritten tags since the time of this one,"
        f" '{tag['content'][:40]}'"
        for tag in tags.to_pylist()
    }


def _names(segments: Sequence[Segment]) -> tuple[str, ...]:
    return tuple(each.name for each in segments)
