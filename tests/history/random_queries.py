"""Random XCQL about a random history: paths that its tag structure knows, in all surroundings."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from millstream.model.tag_structure import Tag, TagStructure
from tests.history.strategies import MARK

Tags = frozenset[Tag]
TIMES = ("now", "start", *(f"2003-01-01T00:00:0{second}" for second in range(7)))
ALLEN = ("before", "meets", "overlaps", "during", "starts", "finishes", "equals", "contains")


@dataclass(frozen=True, slots=True)
class Trail:
    """A path as far as it is written, and the tags that it leads to; None stands for the root."""

    text: str
    tags: Tags | None

    def children(self, structure: TagStructure) -> list[Tag]:
        if self.tags is None:
            return [structure.root]
        return [child for tag in self.tags for child in tag.children]

    def below(self, structure: TagStructure) -> list[Tag]:
        return [tag for child in self.children(structure) for tag in child.walk()]


@dataclass(frozen=True, slots=True)
class Asking:
    """Draws queries about one structure.

    Those that are not about time are plain XQuery, and compare no text: white space around text
    counts there.
    """

    draw: st.DrawFn
    structure: TagStructure
    about_time: bool = True
    stream: str = 'stream("s")'

    def query(self) -> str:
        return self.one_of(
            self.listed, self.counted, self.looped, self.joined, self.constructed, self.ordered,
            self.compared, self.asked_by_function, self.lived,
        )  # fmt: skip

    def one_of(self, *makers: object) -> str:
        return self.draw(st.sampled_from(makers))()  # type: ignore[operator]

    def whole(self) -> Trail:
        return self.trail(Trail(self.stream, None))

    def trail(self, start: Trail, most: int = 4) -> Trail:
        trail = start
        for _ in range(self.draw(st.integers(1 if start.tags is None else 0, most))):
            trail = self.step(trail)
        return trail

    def step(self, trail: Trail) -> Trail:
        children, below = trail.children(self.structure), trail.below(self.structure)
        if not children:
            return self.projected(trail)
        kind = self.draw(st.integers(0, 9))
        if kind < 4:
            name = self.draw(st.sampled_from(children)).name
            found = Trail(f"{trail.text}/{name}", named(children, name))
        elif kind < 7:
            name = self.draw(st.sampled_from(below)).name
            found = Trail(f"{trail.text}//{name}", named(below, name))
        elif kind < 8:
            found = Trail(f"{trail.text}/*", frozenset(children))
        elif kind < 9:
            found = Trail(f"{trail.text}//*", frozenset(below))
        else:
            return self.projected(trail)
        return Trail(found.text + self.predicate(found), found.tags)

    def predicate(self, trail: Trail) -> str:
        children = trail.children(self.structure)
        plain = ["", "", "", "[1]", "[last()]", "[position() < 3]", f"[@{MARK} mod 2 = 0]"]
        if self.about_time:
            plain += ["[vtTo(.) = now]", f"[vtFrom(.) >= {TIMES[4]}]"]
        if children:
            name = self.draw(st.sampled_from(children)).name
            plain += [f"[{name}]", f"[not({name})]", f"[{name}[1]/@{MARK} > 3]"]
            plain += [f"[.//{name} = 'x']"] if self.about_time else []
        return self.draw(st.sampled_from(plain))

    def projected(self, trail: Trail) -> Trail:
        if not self.about_time:
            return trail
        first, second = self.draw(st.sampled_from(TIMES)), self.draw(st.sampled_from(TIMES))
        times = f"?[{first}]" if first >= second or second == "start" else f"?[{first}, {second}]"
        versions = self.draw(st.sampled_from(("#[1]", "#[last]", "#[1,2]", "#[last-1,last]")))
        return Trail(f"{trail.text}{self.draw(st.sampled_from((times, versions)))}", trail.tags)

    def ending(self, trail: Trail, *, inside: bool = False) -> str:
        """A path with something at its end; attributes cannot be put inside an element twice."""
        endings = ["", "", "/text()", "/name()", "/string()", "/node()", "//text()"]
        endings += ["/descendant::*[2]", "//.", "//node()", "/comment()"]
        endings += [] if inside else [f"/@{MARK}", "/@*", f"//@{MARK}"]
        if self.about_time:
            endings += ["/vtTo(.)"] if inside else ["/@vtFrom", "/vtTo(.)"]
        return trail.text + self.draw(st.sampled_from(endings))

    def listed(self) -> str:
        return self.ending(self.whole())

    def counted(self) -> str:
        return f"count({self.whole().text})"

    def looped(self) -> str:
        outer = self.whole()
        inner = self.trail(Trail("$x", outer.tags), 2)
        other = self.trail(Trail("$x", outer.tags), 2)
        content = self.ending(inner, inside=True)
        return (
            f"for $x at $i in {outer.text}\n"
            f"where {self.condition(other)}\n"
            f'return <r i="{{ $i }}" k="{{ {other.text}/@{MARK} }}">{{ {content} }}</r>'
        )

    def condition(self, trail: Trail) -> str:
        return self.draw(
            st.sampled_from(
                (
                    f"exists({trail.text})",
                    f"count({trail.text}) mod 2 = 1",
                    f"some $y in {trail.text} satisfies $y/@{MARK} >= $x/@{MARK}",
                    f"every $y in {trail.text} satisfies $y/@{MARK} > 2",
                    f"string-length(string-join({trail.text}/string(), '')) >= 2",
                )
            )
        )

    def joined(self) -> str:
        one, other = self.whole(), self.whole()
        operator = self.draw(st.sampled_from(("|", "intersect", "except", ",")))
        return f"({one.text} {operator} {other.text})/concat(name(), ' ', @{MARK})"

    def constructed(self) -> str:
        inside = self.whole()
        made = Trail(f"<w>{{ {inside.text}, 'x' }}</w>/*", inside.tags)
        return self.ending(self.trail(made, 2))

    def ordered(self) -> str:
        outer = self.whole()
        inner = self.trail(Trail("$x", outer.tags), 2)
        return f"for $x in {outer.text} order by count({inner.text}), $x/@{MARK} return $x"

    def compared(self) -> str:
        one, other = self.whole(), self.whole()
        operator = self.draw(st.sampled_from(("<<", ">>", "is")))
        return f"({one.text})[1] {operator} ({other.text})[last()]"

    def asked_by_function(self) -> str:
        trail = self.whole()
        body = self.draw(
            st.sampled_from(
                (
                    f"$n/*/@{MARK}",
                    "count($n//*)",
                    "string($n)",
                    f"$n/*[1]/@{MARK}",
                    "$n/node()",
                    f"(if ($n/*) then local:f($n/*[1]) else (), $n/@{MARK})",
                )
            )
        )
        return (
            f"declare function local:f($n) {{ {body} }};\nfor $x in {trail.text} return local:f($x)"
        )

    def lived(self) -> str:
        one, other = self.whole(), self.whole()
        if not self.about_time:
            return f"name(({one.text})[1])"
        word = self.draw(st.sampled_from(ALLEN))
        return self.draw(
            st.sampled_from(
                (
                    f"for $x in {one.text} return <t>{{ vtFrom($x), vtTo($x) }}</t>",
                    f"for $x in {one.text} where $x {word} [{TIMES[3]}, now] return $x/@{MARK}",
                    f"for $x in {one.text}, $y in {other.text}\n"
                    f"where $x {word} $y return concat($x/@{MARK}, ' ', $y/@{MARK})",
                    f"for $x in {one.text} return vtTo(<w>{{ $x }}</w>)",
                    f"max({one.text}/vtFrom(.)) - PT1S",
                )
            )
        )


def named(tags: list[Tag], name: str) -> Tags:
    return frozenset(tag for tag in tags if tag.name == name)
