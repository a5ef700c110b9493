"""Results of TAG-QL: what stands in which slot, and how tuples and tags come out of them.

The slots of a tuple are its id, its time in microseconds, and its columns; null where there is
nothing. After all tuples of a result stand the sets of tags, as numbers with commas between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from millstream.algebra.expressions import NewPair, NewTuple, TupleColumn
from millstream.compiler.names import string
from millstream.compiler.serialization import attribute_xml, escaped_text
from millstream.model.tags import (
    Mode,
    Sign,
    StreamAttribute,
    StreamShape,
    StreamTuple,
    TagType,
    TickTag,
    TimeForm,
    parse_applicability,
)
from millstream.model.tags.wire import WireOptions, write_xml

TAG_SLOTS = (
    "tagger",
    "applicability",
    "content",
    "type",
    "sign",
    "lifespan",
    "mode",
    "time",
    "stream",
    "position",
)
"""The slots of a tag, by the columns of the view of tags."""

Values = Sequence[str | None]


@dataclass(frozen=True, slots=True)
class TupleForm:
    """A tuple in the slots of a result, from a first slot on."""

    columns: tuple[TupleColumn, ...]
    time: TimeForm
    first: int = 0

    @property
    def end(self) -> int:
        """The slot after its last."""
        return self.first + 2 + len(self.columns)

    @property
    def shape(self) -> StreamShape:
        attributes = tuple(StreamAttribute(each.name, each.type) for each in self.columns)
        return StreamShape("results", attributes, self.time)

    def read(self, values: Values) -> StreamTuple:
        """The tuple in some slots."""
        id, time, *texts = values[self.first : self.end]
        return StreamTuple(id or "", int(time or 0), tuple(texts))

    def sql(self, values: str) -> str:
        """The tuple as XML, in SQL over an array of slots; paths are written as names."""
        parts = [string("<tuple"), attribute_xml(f"{values}[{self.first}]", "id"), "'>'"]
        for place, column in enumerate(self.columns, self.first + 2):
            name = column.name.replace("/", ".").replace("@", "")
            text = escaped_text(f"{values}[{place}]")
            opening, closing = string(f"<{name}>"), string(f"</{name}>")
            parts.append(f"coalesce(concat({opening}, {text}, {closing}), '')")
        return f"concat({', '.join(parts)}, '</tuple>')"


@dataclass(frozen=True, slots=True)
class TupleTemplate:
    """How result tuples are read: one, or the two of a pair."""

    forms: tuple[TupleForm, ...]
    variables: tuple[str, ...]
    """The sources whose sets of tags, or of which single tags, stand in the last slots."""
    with_tags: bool
    whole: bool = False
    """True where tags are on whole tuples."""
    joined: bool = False
    """True for what a join made: a stix tells what each tag is on."""
    grouped_by_tags: bool = False
    """True where an answer without tags is that of the tuples without tags."""
    origins: tuple[str, ...] = ()
    """The streams of the sources, where sets of tags are not in slots: they are looked up by the
    positions of tuples, which the ordering of a result has behind its time."""

    @property
    def pair(self) -> bool:
        """True when each result is two tuples, with the tags by which they were joined."""
        return len(self.forms) > 1

    def sets(self, values: Values) -> Mapping[str, tuple[int, ...]]:
        """The numbers of the sets, or of the tags of a pair, by source."""
        start = self.forms[-1].end
        found = values[start : start + len(self.variables)]
        return {
            variable: tuple(map(int, each.split(","))) if each else ()
            # A step without tags has written none of these slots.
            for variable, each in zip_longest(self.variables, found)
        }

    def tuples(self, values: Values) -> list[StreamTuple]:
        return [form.read(values) for form in self.forms]

    def fill(self, values: Values) -> str:
        """The tuples without their tags, as XML."""
        return "".join(
            line
            for form in self.forms
            for line in write_xml([form.read(values)], WireOptions(form.shape))
        )

    def sql(self, values: str) -> str:
        return f"concat({', '.join(form.sql(values) for form in self.forms)})"


@dataclass(frozen=True, slots=True)
class TagTemplate:
    """How the tags that SELECT TAGS gives are read."""

    time: TimeForm

    @property
    def shape(self) -> StreamShape:
        return StreamShape("results", (StreamAttribute("tag"),), self.time)

    def read(self, values: Values) -> TickTag:
        """The tag in some slots."""
        text = dict(zip(TAG_SLOTS, values, strict=True))
        lifespan = text["lifespan"]
        return TickTag(
            text["tagger"] or "",
            parse_applicability(text["applicability"] or "*,*,{}"),
            text["content"] or "",
            TagType(text["type"]),
            Sign(text["sign"] or ""),
            None if lifespan is None else int(lifespan),
            Mode[text["mode"] or Mode.COMBINE.name],
            int(text["time"] or 0),
        )

    def fill(self, values: Values) -> str:
        return "".join(write_xml([self.read(values)], WireOptions(self.shape)))

    def sql(self, values: str) -> str:
        slot = TAG_SLOTS.index
        parts = (
            attribute_xml(f"{values}[{slot(name)}]", name)
            for name in ("tagger", "applicability", "type", "sign")
        )
        content = escaped_text(f"coalesce({values}[{slot('content')}], '')")
        return f"concat('<tag', {', '.join(parts)}, '>', {content}, '</tag>')"


def template_of(
    new: NewTuple | NewPair, variables: tuple[str, ...], time: TimeForm, *, joined: bool
) -> TupleTemplate:
    """The template of result tuples."""
    if isinstance(new, NewPair):
        left = TupleForm(new.left.columns, time)
        right = TupleForm(new.right.columns, time, left.end)
        return TupleTemplate((left, right), variables, with_tags=True, joined=True)
    form = TupleForm(new.columns, time)
    sets = variables if new.with_tags else ()
    return TupleTemplate((form,), sets, new.with_tags, new.whole, joined)
