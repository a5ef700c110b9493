"""The tuples of one source as relations: those of the batch, and those that state has kept.

A row has channel, position, time (in microseconds), id, tagset, and for each attribute that is used
its text t0, t1, … and its value v0, v1, …
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from millstream.algebra.expressions import Expression, PathTo
from millstream.algebra.operators import Operator, Scan, Select, scans
from millstream.algebra.tag_operators import Tuples
from millstream.algebra.walk import subexpressions
from millstream.compiler import conversions, output
from millstream.compiler.constants import Constants
from millstream.compiler.expressions import items_of
from millstream.compiler.items import Item, Lexical, Node, Role
from millstream.compiler.names import identifier
from millstream.compiler.relations import named
from millstream.compiler.rows import MATCHED, Rows
from millstream.compiler.scope import Scope, ValueColumn
from millstream.compiler.tags.marks import flat_name
from millstream.compiler.windows import CLOCK, tick_at
from millstream.errors import InternalError, UnsupportedError
from millstream.model.layout import passed_name
from millstream.model.schema import ValueType
from millstream.model.tags import step_layout

NO_SET = "CAST(NULL AS BIGINT)"
MICROSECONDS = 1_000_000
_FLAT = {ValueType.DECIMAL: ValueType.DOUBLE}
"""Types that values have other than those of their attributes."""


@dataclass(frozen=True, slots=True)
class UsedAttribute:
    """An attribute that something above the source uses."""

    name: str
    """The variable that stands for it in flat expressions."""
    path: PathTo
    item: Item
    """In a row b of the batch, or of what was kept."""
    type: ValueType

    def kept_as(self, text: str) -> UsedAttribute:
        """The same, where its text is all that was kept."""
        return replace(self, item=Lexical(text, self.type, Role.VALUE))

    @property
    def text(self) -> str:
        """As it was written."""
        return conversions.text(self.item)

    @property
    def value(self) -> str:
        """What it is compared and counted by."""
        match self.type:
            case ValueType.INTEGER:
                return conversions.integer(self.item)
            case ValueType.DECIMAL | ValueType.DOUBLE:
                return conversions.double(self.item)
            case ValueType.TIME:
                return conversions.instant(self.item)
            case ValueType.TEXT:
                return conversions.trimmed(self.item)


@dataclass(slots=True)
class TupleSource:
    """The tuples of a source that pass what is asked of their data alone."""

    variable: str
    stream: str
    tuples: Tuples
    rows: Rows
    name: str
    """What their state is called, beside what it holds."""
    attributes: list[UsedAttribute] = field(default_factory=list)
    extra: str | None = None
    """The name of one more text that is kept with each tuple."""

    @property
    def role(self) -> str:
        """What their state is called: rows that hold different things are told apart."""
        held = repr(([each.name.partition("/")[2] for each in self.attributes], self.extra))
        return f"{self.name} {hashlib.sha256(held.encode()).hexdigest()[:10]}"

    # What is used of them.

    def use(self, expressions: Iterable[Expression]) -> None:
        """Note the attributes that expressions use."""
        for expression in expressions:
            for each in subexpressions(expression):
                if isinstance(each, PathTo) and each.variable == self.variable and each.steps:
                    self._add(each)

    def _add(self, path: PathTo) -> None:
        name = flat_name(path)
        if any(each.name == name for each in self.attributes):
            return
        item = items_of(path, self.rows.scope())
        if not isinstance(item, Node | Lexical):
            raise UnsupportedError(f"the attribute {name} may occur more than once")
        self.attributes.append(UsedAttribute(name, path, item, item.type))

    def scope(self, alias: str) -> Scope:
        """The values of the attributes, of a row that goes by an alias."""
        return {
            each.name: ValueColumn(f"{alias}.v{place}", _FLAT.get(each.type, each.type))
            for place, each in enumerate(self.attributes)
        }

    def batch_scope(self) -> Scope:
        """The same, of a row b of the batch."""
        return {
            each.name: ValueColumn(each.value, _FLAT.get(each.type, each.type))
            for each in self.attributes
        }

    def text(self, path: PathTo, alias: str) -> str:
        """The text of an attribute, as it was written."""
        name = flat_name(path)
        place = next(place for place, each in enumerate(self.attributes) if each.name == name)
        return f"{alias}.t{place}"

    @property
    def names(self) -> tuple[str, ...]:
        fixed = ("channel", "position", "time", "id", step_layout.TAGSET)
        places = range(len(self.attributes))
        return (*fixed, *(f"t{each}" for each in places), *(f"v{each}" for each in places))

    # Relations.

    def new(self, *, tagged: bool, disordered: bool = False, late: bool = False) -> str:
        """The tuples of the batch; those that came too late are kept apart."""
        extra = self._clock() if disordered else ""
        selected = f"SELECT {self.selected(tagged=tagged)} {self.rows.relation(None, extra)}"
        if not disordered:
            return selected
        word = "AND" if self.rows.where else "WHERE"
        return f"{selected} {word} {'' if late else 'NOT '}{self._late()}"

    def selected(self, *, tagged: bool) -> str:
        """The columns of a tuple b of the batch for a channel c."""
        held = _listed(self.attributes)
        tagset = f"b.{step_layout.TAGSET}" if tagged else NO_SET
        return (
            f"c.channel AS channel, b.position AS position, {self.time} AS time,"
            f" {self.id} AS id, {tagset} AS {step_layout.TAGSET}{held}"
        )

    def joined(self, join: str, other: str, alias: str) -> str:
        """FROM: all tuples b of the batch for the channels c, joined to another relation."""
        return f"FROM {self.rows.source} b{MATCHED} {join} {other} {alias}"

    def old(self, state: str) -> str:
        """The tuples that earlier steps have left."""
        places = enumerate(self.attributes)
        held = _listed([each.kept_as(f"get(s.values, {place + 1})") for place, each in places])
        return (
            f"SELECT s.channel AS channel, get(s.ordering, 0) AS position,"
            f" get(s.ordering, 1) AS time, get(s.values, 0) AS id,"
            f" s.tick AS {step_layout.TAGSET}{held}{self._kept_extra()}"
            f" FROM {state} s WHERE s.role = '{self.role}'"
        )

    def _kept_extra(self) -> str:
        if self.extra is None:
            return ""
        return f", get(s.values, {len(self.attributes) + 1}) AS {self.extra}"

    def state(self, rows: str, kept: str = "") -> str:
        """State rows of tuples; `kept` says of a row n which are worth it."""
        texts = tuple(f"n.t{place}" for place in range(len(self.attributes)))
        extra = () if self.extra is None else (f"n.{self.extra}",)
        row = output.row(
            kind=f"'{output.STATE}'",
            role=f"'{self.role}'",
            channel="n.channel",
            tick=f"n.{step_layout.TAGSET}",
            ordering="array(n.position, n.time)",
            values=output.array(("n.id", *texts, *extra)),
        )
        return f"SELECT {row} FROM {named(rows)} n{kept}"

    # Time.

    @property
    def id(self) -> str:
        """The id of a tuple of the batch."""
        if self.tuples.id is None:
            return "CAST(b.position AS STRING)"
        return conversions.text(self._item(self.tuples.id))

    @property
    def time(self) -> str:
        """The time of a tuple of the batch, in microseconds."""
        if self.tuples.time is None:
            return NO_SET
        match self._item(self.tuples.time).type:
            case ValueType.TIME:
                return f"unix_micros({self._moment})"
            case ValueType.INTEGER:
                return f"({self._moment} * {MICROSECONDS}L)"
        return f"CAST(round({self._moment} * {MICROSECONDS}D) AS BIGINT)"

    @property
    def timed(self) -> str:
        """True for a tuple of the batch that has a time, which is not reckoned for that."""
        return f"{self._moment} IS NOT NULL"

    @property
    def _moment(self) -> str:
        """The time as the stream has it."""
        if self.tuples.time is None:
            return NO_SET
        item = self._item(self.tuples.time)
        match item.type:
            case ValueType.TIME:
                return conversions.instant(item)
            case ValueType.INTEGER:
                return conversions.integer(item)
        return conversions.double(item)

    @property
    def reference(self) -> str | None:
        """The path of the time, as clocks know it."""
        time = self.tuples.time
        return None if time is None else "/".join(step.name for step in time.steps)

    def reached(self, clock: str) -> str:
        """The time, in microseconds, that nothing which is not late comes before."""
        if self.tuples.time_type is ValueType.TIME:
            ticks = f"({clock}.highest - {clock}.lateness) * {MICROSECONDS}BD + {clock}.anchor"
            return f"CAST({ticks} AS BIGINT)"
        ticks = f"{clock}.highest - {clock}.lateness + {clock}.anchor"
        return f"CAST(({ticks}) * {MICROSECONDS}BD AS BIGINT)"

    def _clock(self) -> str:
        return f" JOIN {CLOCK} q ON q.reference = '{self.reference}'"

    def _late(self) -> str:
        """True for a tuple b that came when time had gone past it by more than lateness."""
        assert self.tuples.time is not None, "only time can be late"
        passed = f"b.{identifier(passed_name(tuple(s.name for s in self.tuples.time.steps)))}"
        ticks = tick_at(passed, self._item(self.tuples.time).type, "q")
        highest = f"greatest({ticks}, q.highest)"
        closed = self.reached("q").replace("q.highest", highest)
        return f"coalesce({self.time} < {closed}, false)"

    def _item(self, path: PathTo) -> Node | Lexical:
        item = items_of(path, self.rows.scope())
        if not isinstance(item, Node | Lexical):
            raise InternalError("a tuple has one time and one id")
        return item


def tuple_source(operator: Operator, constants: Constants, name: str) -> TupleSource:
    """The source that selections over the tuples of a stream are."""
    scan = scans(operator)[0]
    rows = Rows(constants)
    rows.add(_without_tuples(operator))
    return TupleSource(scan.variable, scan.stream, _tuples(operator), rows, name)


def _tuples(operator: Operator) -> Tuples:
    while isinstance(operator, Select):
        operator = operator.input
    if not isinstance(operator, Tuples):
        raise InternalError("only tuples have tags")
    return operator


def _without_tuples(operator: Operator) -> Operator:
    match operator:
        case Select(inner, predicate):
            return Select(_without_tuples(inner), predicate)
        case Tuples(Scan() as scan):
            return scan
    raise InternalError("tuples are those of a stream")


def _listed(attributes: Sequence[UsedAttribute]) -> str:
    """The columns of attributes: all texts, then all values."""
    named = [f"{each.text} AS t{place}" for place, each in enumerate(attributes)]
    named += [f"{each.value} AS v{place}" for place, each in enumerate(attributes)]
    return "".join(f", {each}" for each in named)
