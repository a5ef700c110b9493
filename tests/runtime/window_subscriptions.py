"""Random subscriptions to windows that come and go: few selections, and all aggregates."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

ITEMS = 'stream("items")/r/i'
DTD = (
    "<!ELEMENT r (i*)><!ELEMENT i (t, v?, d?, f?)><!ELEMENT t (#PCDATA)>"
    "<!ELEMENT v (#PCDATA)><!ELEMENT d (#PCDATA)><!ELEMENT f (#PCDATA)>"
)
TYPES = {"t": "integer", "v": "integer", "d": "decimal", "f": "double"}
SELECTIONS = ("", "[v >= 1]", "[v >= 2]", "[v >= 1 and d < 3.5]", "[v >= 0 and d < 7]")
AGGREGATES = ("count($w)", "sum($w/v)", "avg($w/v)", "min($w/d)", "max($w/d)", "avg($w/d)")
OTHERS = ("count($w/v)", "sum($w/d)", "min($w/t)", "max($w/f)", "avg($w/f)", "sum($w/f)")


@dataclass(frozen=True, slots=True)
class Stay:
    """A subscription, the batch before which it comes, and the one before which it goes."""

    text: str
    comes: int
    goes: int | None
    end: str | None
    empty: bool


@st.composite
def stays(draw: st.DrawFn, batches: int) -> Stay:
    comes = draw(st.sampled_from((0, 0, *range(batches))))
    goes = draw(st.sampled_from((None, None, None, *range(comes + 1, batches + 1))))
    return Stay(
        draw(texts()),
        comes,
        goes,
        draw(st.sampled_from((None, None, "cut", "gather", "run"))),
        draw(st.sampled_from((False, False, True))),
    )


@st.composite
def texts(draw: st.DrawFn) -> str:
    size, step = draw(st.integers(1, 12)), draw(st.integers(1, 9))
    kind = draw(st.sampled_from(("t diff", "t diff", "count")))
    functions = draw(
        st.lists(st.sampled_from(AGGREGATES + OTHERS), min_size=1, max_size=3, unique=True)
    )
    lets = " ".join(f"let $a{place} := {each}" for place, each in enumerate(functions))
    where = ""
    if draw(st.booleans()):
        operator, bound = draw(st.sampled_from((">=", "<"))), draw(st.integers(0, 6))
        where = f"where $a0 {operator} {bound}"
    shown = "".join(f"<a{place}>{{ $a{place} }}</a{place}>" for place in range(len(functions)))
    if draw(st.integers(0, 5)) == 0:
        shown += "{ $w/v }"
    selection = draw(st.sampled_from(SELECTIONS))
    source = f"{ITEMS}{selection}|{kind} {size} step {step}|"
    return f"<o>{{ for $w in {source} {lets} {where} return <w>{shown}</w> }}</o>"


@st.composite
def items(draw: st.DrawFn, number: int, disorder: int) -> list[str]:
    """Items whose times rise, now and then by more, and fall back by as much as disorder."""
    time, found = 0, []
    for _ in range(number):
        time += draw(st.sampled_from((0, 0, 1, 1, 2, 3, 9)))
        moment = max(0, time - draw(st.sampled_from((0, 0, 0, disorder))))
        parts = [f"<t>{moment}</t>"]
        if draw(st.integers(0, 4)):
            parts.append(f"<v>{draw(st.integers(0, 4))}</v>")
        if draw(st.integers(0, 4)):
            parts.append(f"<d>{draw(st.sampled_from(('0.1', '1.25', '3.4', '3.5', '7')))}</d>")
        if draw(st.integers(0, 4)):
            parts.append(f"<f>{draw(st.sampled_from(('0.5', '1e1', '-2.25')))}</f>")
        found.append(f"<i>{''.join(parts)}</i>")
    return found
